package docs_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// terminal is where a user types: a directory of its own outside of the checkout, and an environment without our settings of the go
// command.
type terminal struct {
	t   *testing.T
	dir string
	env []string
}

// newTerminal also puts a kubectl on the path that talks to the cluster; see kubectl_test.go.
func newTerminal(t *testing.T, kubeconfig string) *terminal {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	script := "#!/bin/sh\n" + actAsKubectl + "=1 exec '" + self + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "kubectl"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "KUBECONFIG="+kubeconfig, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "GOFLAGS=", "GOWORK=")
	return &terminal{t: t, dir: t.TempDir(), env: env}
}

func (u *terminal) command(lines string) *exec.Cmd {
	cmd := exec.Command("sh", "-euc", lines)
	cmd.Dir, cmd.Env = u.dir, u.env
	return cmd
}

// tries runs lines and returns what they say.
func (u *terminal) tries(lines string) (string, error) {
	out, err := u.command(lines).CombinedOutput()
	return string(out), err
}

// types runs lines that must succeed.
func (u *terminal) types(lines string) {
	u.t.Helper()
	if out, err := u.tries(lines); err != nil {
		u.t.Fatalf("%s: %v\n%s", strings.TrimSpace(lines), err, out)
	}
}

// until asks again and again, while something else runs.
func (u *terminal) until(meanwhile *running, what string, ok func() bool) {
	u.t.Helper()
	for deadline := time.Now().Add(patience); !ok(); {
		select {
		case <-meanwhile.done:
			u.t.Fatalf("waiting until %s: it has ended: %v\n%s", what, meanwhile.err, meanwhile.said())
		case <-time.After(100 * time.Millisecond):
		}
		if time.Now().After(deadline) {
			u.t.Fatalf("waited too long until %s\n%s", what, meanwhile.said())
		}
	}
}

// running is what a user has started in the foreground and left alone.
type running struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended; err is valid from then on
	err  error

	mu  sync.Mutex
	out bytes.Buffer
}

// begins starts lines that do not end by themselves. They are killed at the end of the test, if they were not interrupted before.
func (u *terminal) begins(lines string) *running {
	u.t.Helper()
	r := &running{cmd: u.command(lines), done: make(chan struct{})}
	r.cmd.Stdout, r.cmd.Stderr = r, r
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := r.cmd.Start(); err != nil {
		u.t.Fatal(err)
	}
	go func() {
		r.err = r.cmd.Wait()
		close(r.done)
	}()
	u.t.Cleanup(func() { r.signal(syscall.SIGKILL) })
	return r
}

// Write implements io.Writer.
func (r *running) Write(data []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out.Write(data)
}

func (r *running) said() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out.String()
}

// interrupt is Ctrl-C: every process of the terminal is interrupted. It returns what was said up to the end.
func (r *running) interrupt(t *testing.T) string {
	t.Helper()
	if !r.signal(syscall.SIGINT) {
		t.Errorf("an interrupt did not end it\n%s", r.said())
	}
	return r.said()
}

// signal tells whether everything has ended within a while.
func (r *running) signal(s syscall.Signal) bool {
	select {
	case <-r.done:
		return true
	default:
	}
	// It may end just now; then there is nobody to signal.
	_ = syscall.Kill(-r.cmd.Process.Pid, s)
	select {
	case <-r.done:
		return true
	case <-time.After(time.Minute):
		return false
	}
}
