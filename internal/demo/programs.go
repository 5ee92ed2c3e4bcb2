package main

import (
	"context"
	"fmt"
	"os/exec"
	"strings"

	"github.com/kopfgen/kopfgen/internal/gobuild"
)

// moduleDir returns the root of the checkout, which is the main module of the current directory.
func moduleDir(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/kopfgen/kopfgen").Output()
	if err != nil {
		return "", fmt.Errorf("the demo runs inside a checkout of kopfgen: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// compile builds a program and says how far it is.
func (d *demo) compile(ctx context.Context, dir, output, pkg string) error {
	progress := gobuild.NewProgress(d.out)
	defer progress.End()
	return gobuild.Program{Dir: dir, Package: pkg, Output: output}.Build(ctx, progress)
}

// execute runs a program to its end and shows what it says.
func (d *demo) execute(ctx context.Context, dir, name, path string, args ...string) error {
	lines := &lineWriter{line: func(line string) { d.said(name, line) }}
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, lines, lines
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// lineWriter hands on what is written to it line by line. It is for one writer at a time, which os/exec sees to.
type lineWriter struct {
	line func(string)
	rest string
}

func (w *lineWriter) Write(data []byte) (int, error) {
	w.rest += string(data)
	for {
		line, rest, ok := strings.Cut(w.rest, "\n")
		if !ok {
			return len(data), nil
		}
		w.rest = rest
		w.line(line)
	}
}
