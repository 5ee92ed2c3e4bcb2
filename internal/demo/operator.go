package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// process is the operator.
type process struct {
	cmd  *exec.Cmd
	stop func() error

	mu       sync.Mutex
	log      []string
	stopping bool
	changed  chan struct{} // closed and replaced with each line

	done chan struct{} // closed when it has ended; err is valid from then on
	err  error
}

// startOperator starts the operator that was built. Should it end on its own, so does the demo.
func (d *demo) startOperator() error {
	p := &process{changed: make(chan struct{}), done: make(chan struct{})}
	p.stop = sync.OnceValue(p.terminate)
	lines := &lineWriter{line: func(line string) {
		d.said("greeter", line)
		p.add(line)
	}}
	p.cmd = exec.Command(filepath.Join(d.temp, "greeter"), "run", "--namespace", d.cluster.namespace, "--log-format", "plain")
	p.cmd.Env = append(os.Environ(), "KUBECONFIG="+d.cluster.kubeconfig)
	p.cmd.Stdout, p.cmd.Stderr = lines, lines
	// In a group of its own: an interrupt from the terminal is for the demo, which still needs the operator to clean up.
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.cmd.Start(); err != nil {
		return fmt.Errorf("starting the operator: %w", err)
	}
	d.operator = p
	d.later(func(context.Context) error { return p.stop() })
	go func() {
		p.err = p.cmd.Wait()
		p.mu.Lock()
		asked := p.stopping
		p.mu.Unlock()
		close(p.done)
		if !asked {
			d.fail(fmt.Errorf("the operator has ended: %v", p.cmd.ProcessState))
		}
	}()
	return nil
}

func (p *process) add(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.log = append(p.log, line)
	close(p.changed)
	p.changed = make(chan struct{})
}

// until waits until the operator has said something.
func (p *process) until(ctx context.Context, text string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("the operator has not said %q", text))
	defer cancel()
	for next := 0; ; {
		p.mu.Lock()
		log, changed := p.log, p.changed
		p.mu.Unlock()
		for ; next < len(log); next++ {
			if strings.Contains(log[next], text) {
				return nil
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// terminate tells the operator to stop and waits until it has.
func (p *process) terminate() error {
	p.mu.Lock()
	p.stopping = true
	p.mu.Unlock()
	// It may have ended on its own; then there is nobody to signal.
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(patience):
		_ = p.cmd.Process.Kill()
		<-p.done
		return errors.New("the operator did not stop when it was told to")
	}
	if p.err != nil {
		return fmt.Errorf("the operator did not end in good order: %w", p.err)
	}
	return nil
}
