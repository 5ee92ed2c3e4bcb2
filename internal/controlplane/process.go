package controlplane

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
)

// stopTimeout is a little more than the server's own limit for an orderly stop.
const stopTimeout = 30 * time.Second

// process is a running server.
type process struct {
	cmd    *exec.Cmd
	stdin  io.Closer
	stderr bytes.Buffer
	// done is closed when the process has ended, and err is valid from then on.
	done chan struct{}
	err  error
	stop func() error
}

// startProcess starts the server and returns the path of its kubeconfig as soon as it is ready. It is in a process group of its
// own, because an interrupt from the terminal is meant for us, who may still need the server to clean up. We hold the other end
// of its standard input: should we be killed, it notices.
func startProcess(ctx context.Context, binary string, args []string) (p *process, kubeconfig string, err error) {
	p = &process{cmd: exec.Command(binary, args...), done: make(chan struct{})}
	p.stop = sync.OnceValue(p.terminate)
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p.cmd.Stderr = &p.stderr
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return nil, "", err
	}
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, "", err
	}

	announced := make(chan string, 1)
	go func() {
		defer close(p.done)
		out := bufio.NewReader(stdout)
		line, _ := out.ReadString('\n')
		announced <- line
		_, _ = io.Copy(io.Discard, out)
		p.err = p.cmd.Wait()
	}()
	select {
	case line := <-announced:
		_, kubeconfig, ok := strings.Cut(strings.TrimSpace(line), "kubeconfig in ")
		if ok {
			return p, kubeconfig, nil
		}
		if err := p.stop(); err != nil {
			return nil, "", err
		}
		return nil, "", fmt.Errorf("said %q instead of where its kubeconfig is", line)
	case <-ctx.Done():
		return nil, "", errors.Join(context.Cause(ctx), p.stop())
	}
}

// terminate asks the process to stop, waits for it, and kills it if it takes too long. It returns an error unless the process
// was still well and stopped in good order.
func (p *process) terminate() error {
	alreadyEnded := false
	select {
	case <-p.done:
		alreadyEnded = true
	default:
		// It may end on its own right now; then there is nobody to signal.
		_ = p.cmd.Process.Signal(syscall.SIGTERM)
	}
	_ = p.stdin.Close()
	select {
	case <-p.done:
	case <-time.After(stopTimeout):
		_ = p.cmd.Process.Kill()
		<-p.done
	}
	switch {
	case p.err != nil:
		return fmt.Errorf("control plane ended: %w: %s", p.err, strings.TrimSpace(p.stderr.String()))
	case alreadyEnded:
		return errors.New("control plane ended before it was stopped")
	}
	return nil
}
