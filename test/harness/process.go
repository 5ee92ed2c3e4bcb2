package harness

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/kopfgen/kopfgen/internal/controlplane"
	"github.com/kopfgen/kopfgen/runtime/operator"
)

// Peer is a language and runtime that operators are run by.
type Peer string

// The peers.
const (
	Kopf    Peer = "kopf"
	Kopfgen Peer = "kopfgen"
)

// Other returns the other peer.
func (p Peer) Other() Peer {
	if p == Kopf {
		return Kopfgen
	}
	return Kopf
}

// Main runs the tests of a package. In a process that Start has started it runs an operator instead: the one described, or one of the
// definitions, by name. It returns the exit status.
func Main(m *testing.M, definitions map[string]func() operator.Definition) int {
	name := os.Getenv(envDefinition)
	if name == "" {
		return controlplane.Main(m)
	}
	go func() { // ends with the process
		_, _ = io.Copy(io.Discard, os.Stdin)
		fmt.Fprintln(os.Stderr, "the test is gone")
		os.Exit(3)
	}()
	var d operator.Definition
	var err error
	if name == described {
		d, err = definition()
	} else if makeDefinition, ok := definitions[name]; ok {
		d = makeDefinition()
	} else {
		err = fmt.Errorf("there is no definition %q", name)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	operator.Main(d)
	return 0
}

// Parallel sets how many tests run at once, unless the command line does. It is for tests that mostly wait: for delays, and for processes.
// It is to be called before Main.
func Parallel(n int) {
	if err := flag.Set("test.parallel", strconv.Itoa(n)); err != nil {
		panic(err) // the testing package has no such flag any more
	}
}

// Process is a running operator.
type Process struct {
	t    testing.TB
	peer Peer
	name string
	cmd  *exec.Cmd
	log  syncBuffer
	in   io.Closer
	done chan struct{} // closed when the process has ended
}

// Config is where and how a process runs.
type Config struct {
	// Run is the name of the process, which its calls bear.
	Run string
	// Kubeconfig leads to the API server, or to a proxy before it.
	Kubeconfig string
	// Namespace is the one that is served.
	Namespace string
	// Prompter answers the handlers of descriptions; definitions may use it through [Ask].
	Prompter *Prompter
}

// Start starts an operator. The process ends with the test, if not before.
func (o Operator) Start(t testing.TB, peer Peer, c Config) *Process {
	t.Helper()
	description, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	env := []string{envOperator + "=" + string(description)}
	if peer == Kopfgen {
		return start(t, Kopfgen, c, append(env, envDefinition+"="+described), executable(t), "run", "-n", c.Namespace)
	}
	root := root(t)
	script := filepath.Join(root, "test", "harness", "operator.py")
	return start(t, Kopf, c, env, filepath.Join(root, ".cache", "kopf", "bin", "kopf"), "run", "--standalone", "-n", c.Namespace, script)
}

// StartDefinition starts one of the definitions that Main was given.
func StartDefinition(t testing.TB, name string, c Config) *Process {
	t.Helper()
	return start(t, Kopfgen, c, []string{envDefinition + "=" + name}, executable(t), "run", "-n", c.Namespace)
}

func start(t testing.TB, peer Peer, c Config, env []string, command string, args ...string) *Process {
	t.Helper()
	p := &Process{t: t, peer: peer, name: c.Run, cmd: exec.Command(command, args...), done: make(chan struct{})}
	p.cmd.Env = append(append(os.Environ(), env...), "KUBECONFIG="+c.Kubeconfig, envRun+"="+c.Run, "PYTHONDONTWRITEBYTECODE=1")
	if c.Prompter != nil {
		p.cmd.Env = append(p.cmd.Env, envPrompter+"="+c.Prompter.server.URL)
	}
	p.cmd.Stdout, p.cmd.Stderr = &p.log, &p.log
	in, err := p.cmd.StdinPipe()
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		t.Fatalf("starting %s: %v (if it is Kopf that is missing: scripts/prerequisites fetches it)", c.Run, err)
	}
	p.in = in
	go func() {
		defer close(p.done)
		_ = p.cmd.Wait() // the state of the process says the same
	}()
	t.Cleanup(p.end)
	return p
}

// end kills what still runs and shows the log of a test that failed.
func (p *Process) end() {
	p.Kill()
	_ = p.in.Close()
	if strings.Contains(p.log.String(), "WARNING: DATA RACE") {
		p.t.Errorf("%s: the race detector found something", p.name)
	}
	if p.t.Failed() {
		p.t.Logf("the log of %s:\n%s", p.name, p.log.String())
	}
}

// Kill ends the process as a power cut would, and returns when it has.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill() // it may have ended
	<-p.done
}

// Signal asks the process to stop.
func (p *Process) Signal() {
	p.t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatalf("signalling %s: %v", p.name, err)
	}
}

// Wait returns the exit status once the process has ended by itself.
func (p *Process) Wait() int {
	p.t.Helper()
	select {
	case <-p.done:
	case <-time.After(Patience):
		p.t.Fatalf("%s does not end", p.name)
	}
	return p.cmd.ProcessState.ExitCode()
}

// Stop asks the process to stop and waits until it has, in good order.
func (p *Process) Stop() {
	p.t.Helper()
	p.Signal()
	// Kopf dies of the signal, when it has finished.
	if status := p.Wait(); status != 0 && p.peer != Kopf {
		p.t.Errorf("%s ended with status %d", p.name, status)
	}
}

// Ended is closed when the process has ended.
func (p *Process) Ended() <-chan struct{} { return p.done }

// Log returns what the process has written so far.
func (p *Process) Log() string { return p.log.String() }

// executable returns the test binary.
func executable(t testing.TB) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// root returns the root of the source tree, which the working directory of a test is in.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, statErr := os.Stat(filepath.Join(dir, "go.mod")); statErr == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			err = fmt.Errorf("no go.mod above")
		}
		dir = filepath.Dir(dir)
	}
	t.Fatalf("finding the root of the tree: %v", err)
	return ""
}

// syncBuffer is a buffer that is read while it is written.
type syncBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
