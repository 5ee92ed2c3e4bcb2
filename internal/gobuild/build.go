// Package gobuild compiles programs with go build and reports progress: the first build of something that links Kubernetes takes minutes,
// and silence would look like a fault. The demo and the control plane of the tests are built with it.
package gobuild

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
)

// Program is what is built.
type Program struct {
	// Dir is the directory in which the go command runs; empty is the current one.
	Dir string
	// Package is the program, as the go command understands it, and Output the path of the binary that it becomes.
	Package, Output string
	// Flags are further flags of go build, and Env further variables of its environment.
	Flags, Env []string
}

// Build builds the program and reports to progress. The error of a failed build includes what the go command printed.
func (p Program) Build(ctx context.Context, progress *Progress) error {
	total, err := p.countStale(ctx, progress)
	if err != nil {
		return err
	}
	name, compiled := filepath.Base(p.Output), 0
	return p.run(ctx, nil, func(line string) bool {
		if !isImportPath(line) {
			return false
		}
		if compiled++; compiled < total {
			progress.Show("compiling %s: %d of %d packages", name, compiled, total)
		} else {
			progress.Show("linking %s", name)
		}
		return true
	}, "build", "-v", "-o", p.Output)
}

// countStale counts the packages that are still to be compiled, each of which go build -v will name. Missing modules are downloaded on
// the way.
func (p Program) countStale(ctx context.Context, progress *Progress) (int, error) {
	progress.Show("looking for packages to compile")
	var stale bytes.Buffer
	modules := 0
	err := p.run(ctx, &stale, func(line string) bool {
		if !strings.HasPrefix(line, "go: downloading ") {
			return false
		}
		modules++
		progress.Show("downloading modules: %d so far", modules)
		return true
	}, "list", "-deps", "-f", "{{if .Stale}}{{.ImportPath}}{{end}}")
	return len(strings.Fields(stale.String())), err
}

// run runs a go command on the package. It passes each line of standard error to known; the lines that known does not recognise become
// part of the error.
func (p Program) run(ctx context.Context, stdout io.Writer, known func(line string) bool, args ...string) error {
	verb := args[0]
	args = append(append(args, p.Flags...), p.Package)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = p.Dir
	cmd.Env = append(cmd.Environ(), p.Env...)
	cmd.Stdout = stdout
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	var unknown []string
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if !known(lines.Text()) {
			unknown = append(unknown, lines.Text())
		}
	}
	_, _ = io.Copy(io.Discard, stderr) // after a line too long to scan, so that the command does not block
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("go %s %s: %w\n%s", verb, p.Package, err, strings.Join(unknown, "\n"))
	}
	return nil
}

// isImportPath reports whether a line of go build -v is the name of a package, not an error or a remark.
func isImportPath(line string) bool { return line != "" && !strings.ContainsAny(line, " \t:#") }
