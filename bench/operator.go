package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// stopTimeout is how long an operator may take to stop.
const stopTimeout = 15 * time.Second

// running is the process of an operator.
type running struct {
	cmd  *exec.Cmd
	log  string        // path of what it has said
	done chan struct{} // closed when it has ended
}

// start starts the operator of a peer. It is in a process group of its own, because an interrupt from the terminal is for this process,
// which still has to clean up, and it dies with this process, however that ends.
func (b *bench) start(p peer, k kind, kubeconfig string) (*running, error) {
	r := &running{cmd: b.command(p, k, kubeconfig), log: filepath.Join(b.temp, "log"), done: make(chan struct{})}
	r.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	log, err := os.Create(r.log)
	if err != nil {
		return nil, err
	}
	defer log.Close() // the process has its own
	r.cmd.Stdout, r.cmd.Stderr = log, log
	if err := r.cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the operator: %w", err)
	}
	go func() {
		defer close(r.done)
		_ = r.cmd.Wait() // how it ended does not matter, only when
	}()
	return r, nil
}

// stop stops the process and returns when it has ended.
func (r *running) stop() {
	_ = r.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-r.done:
	case <-time.After(stopTimeout):
		_ = r.cmd.Process.Kill()
		<-r.done
	}
}

// ended is the error for a process that has ended too early; it has the last words of its log.
func (r *running) ended() error {
	text, err := os.ReadFile(r.log)
	if err != nil {
		return fmt.Errorf("the operator has ended: %w", err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return fmt.Errorf("the operator has ended; it said at last:\n%s", strings.Join(lines[max(0, len(lines)-10):], "\n"))
}

// stats returns what the kernel has counted about the process so far.
func (r *running) stats() (stats, error) {
	dir := fmt.Sprintf("/proc/%d", r.cmd.Process.Pid)
	stat, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return stats{}, r.ended()
	}
	status, err := os.ReadFile(filepath.Join(dir, "status"))
	if err != nil {
		return stats{}, r.ended()
	}
	return parseStats(string(stat), string(status))
}

// quiet waits until the process has had nothing to do for a second, and returns its stats then.
func (r *running) quiet(ctx context.Context) (stats, error) {
	last, err := r.stats()
	if err != nil {
		return stats{}, err
	}
	for {
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return stats{}, context.Cause(ctx)
		}
		now, err := r.stats()
		if err != nil || now.cpu-last.cpu <= tick {
			return now, err
		}
		last = now
	}
}
