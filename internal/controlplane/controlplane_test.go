package controlplane

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/rest"
)

// parentEnv makes the test binary a process that starts a control plane, writes the path of the kubeconfig to its
// standard output, and waits to be killed.
const parentEnv = "KOPFGEN_TEST_START_AND_WAIT"

func TestMain(m *testing.M) {
	if os.Getenv(parentEnv) != "" {
		cp, err := Run(context.Background(), nil)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(cp.Kubeconfig(), cp.Config().Host)
		select {}
	}
	os.Exit(Main(m))
}

func TestSeveralRunSideBySideAndLeaveNothingBehind(t *testing.T) {
	const several = 2
	type result struct {
		cp  *ControlPlane
		err error
	}
	results := make(chan result, several)
	begin := time.Now()
	for range several {
		go func() {
			cp, err := Run(t.Context(), nil)
			results <- result{cp, err}
		}()
	}
	var started []*ControlPlane
	for range several {
		r := <-results
		if r.err != nil {
			t.Error(r.err)
			continue
		}
		started = append(started, r.cp)
	}
	took := time.Since(begin)
	t.Logf("%d control planes ready after %v", several, took)
	if took > time.Minute {
		t.Errorf("the start took %v", took)
	}

	for i, cp := range started {
		configMap := fmt.Sprintf("only-in-%d", i)
		cp.Apply(t, "default", "{apiVersion: v1, kind: ConfigMap, metadata: {name: "+configMap+"}}")
		for j, other := range started {
			want := http.StatusNotFound
			if i == j {
				want = http.StatusOK
			}
			if got, _ := get(t, other.Config(), "/api/v1/namespaces/default/configmaps/"+configMap); got != want {
				t.Errorf("config map of control plane %d in control plane %d: got status %d, want %d", i, j, got, want)
			}
		}
	}
	for _, cp := range started {
		pid := cp.process.cmd.Process.Pid
		// A terminal and a parent may both say it.
		if err := syscall.Kill(pid, syscall.SIGINT); err != nil {
			t.Error(err)
		}
		if err := cp.Stop(); err != nil {
			t.Error(err)
		}
		if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
			t.Errorf("signal process %d after Stop: got %v, want %v", pid, err, syscall.ESRCH)
		}
		assertGone(t, cp.dir(), cp.Config().Host)
	}
}

func TestKilledProcessTakesItsControlPlaneAlong(t *testing.T) {
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), parentEnv+"=1")
	parent.Stderr = os.Stderr
	stdout, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	var kubeconfig, host string
	_, scanErr := fmt.Fscanln(stdout, &kubeconfig, &host)
	if err := parent.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = parent.Wait()
	if scanErr != nil {
		t.Fatalf("read where the control plane is: %v", scanErr)
	}
	eventually(t, 20*time.Second, "the control plane of the killed process to end", func() bool {
		_, err := os.Stat(filepath.Dir(kubeconfig))
		return errors.Is(err, fs.ErrNotExist)
	})
	assertGone(t, filepath.Dir(kubeconfig), host)
}

func TestDataOutlivesTheProcessWhereAskedFor(t *testing.T) {
	// The name of this directory is too long for a Unix socket.
	dir := filepath.Join(t.TempDir(), strings.Repeat("long", 20))
	const path = "/api/v1/namespaces/default/configmaps/kept"

	first := Start(t, WithDataIn(dir))
	first.Apply(t, "default", "{apiVersion: v1, kind: ConfigMap, metadata: {name: kept}}")
	if err := first.Stop(); err != nil {
		t.Fatal(err)
	}
	second := Start(t, WithDataIn(dir))
	if status, _ := get(t, second.Config(), path); status != http.StatusOK {
		t.Errorf("config map after a restart: got status %d, want %d", status, http.StatusOK)
	}
	if first.Config().BearerToken == second.Config().BearerToken {
		t.Error("both starts have the same token")
	}
}

func TestForeignKubeconfigIsNotOverwritten(t *testing.T) {
	binary, err := Build(t.Context(), os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	foreign := filepath.Join(t.TempDir(), "config")
	const content = "{apiVersion: v1, kind: Config, clusters: [{name: production, cluster: {server: 'https://example.com'}}]}"
	if err := os.WriteFile(foreign, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(binary, "run", "--kubeconfig-out", foreign).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "kubeconfig of something else") {
		t.Errorf("got %v and %q, want an error about the kubeconfig", err, out)
	}
	if after, err := os.ReadFile(foreign); err != nil || string(after) != content {
		t.Errorf("the file is now %q (%v)", after, err)
	}
}

// assertGone fails the test if the directory or the port of a control plane still exists.
func assertGone(t *testing.T, dir, host string) {
	t.Helper()
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("directory %s: got %v, want that it does not exist", dir, err)
	}
	server, err := url.Parse(host)
	if err != nil {
		t.Fatal(err)
	}
	if conn, err := net.DialTimeout("tcp", server.Host, time.Second); err == nil {
		conn.Close()
		t.Errorf("something still listens on %s", server.Host)
	}
}

// get returns the status and the body of the answer to a GET request.
func get(t *testing.T, cfg *rest.Config, path string) (status int, body string) {
	t.Helper()
	client, err := rest.HTTPClientFor(cfg)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Get(cfg.Host + path)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// eventually waits until done returns true, and fails the test if that takes too long.
func eventually(t *testing.T, limit time.Duration, what string, done func() bool) {
	t.Helper()
	begin := time.Now()
	for !done() {
		if time.Since(begin) > limit {
			t.Fatalf("waited %v in vain for %s", limit, what)
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Logf("%v until %s", time.Since(begin).Round(10*time.Millisecond), what)
}
