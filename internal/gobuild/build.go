// Package gobuild compiles programs as go build does, and tells people how far it is: the first build of something that links Kubernetes
// takes minutes, and silence looks like a fault.
package gobuild

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// Options say what is built.
type Options struct {
	// Dir is the directory in which the go command runs.
	Dir string
	// Package is what is built, as the go command understands it; Output is the path of the program that it becomes.
	Package, Output string
	// Flags are further flags of go build, and Env further variables of its environment.
	Flags, Env []string
	// Progress is told how far the build is; nil means nobody.
	Progress io.Writer
}

// Build builds a program. The error of a build that fails has what the go command said.
func Build(ctx context.Context, o Options) error {
	report := newReporter(o.Progress)
	defer report.end()
	total, err := o.countStale(ctx, report)
	if err != nil {
		return err
	}
	compiled := 0
	return o.run(ctx, nil, func(line string) bool {
		if !isImportPath(line) {
			return false
		}
		if compiled++; compiled < total {
			report.show("compiled %d of %d packages", compiled, total)
		} else {
			report.show("linking")
		}
		return true
	}, "build", "-v", "-o", o.Output)
}

// countStale counts the packages that are still to be compiled; go build -v will name each of them. Modules that are not on this machine
// yet are downloaded on the way.
func (o Options) countStale(ctx context.Context, report *reporter) (int, error) {
	report.show("looking for what is to be compiled")
	var stale bytes.Buffer
	modules := 0
	err := o.run(ctx, &stale, func(line string) bool {
		if !strings.HasPrefix(line, "go: downloading ") {
			return false
		}
		modules++
		report.show("downloading modules: %d so far", modules)
		return true
	}, "list", "-deps", "-f", "{{if .Stale}}{{.ImportPath}}{{end}}")
	return len(strings.Fields(stale.String())), err
}

// run runs a go command on the package. It hands each line of standard error to known, and what that does not know becomes part of the
// error.
func (o Options) run(ctx context.Context, stdout io.Writer, known func(line string) bool, args ...string) error {
	verb := args[0]
	args = append(append(args, o.Flags...), o.Package)
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env, cmd.Stdout = o.Dir, append(cmd.Environ(), o.Env...), stdout
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
		return fmt.Errorf("go %s %s: %w\n%s", verb, o.Package, err, strings.Join(unknown, "\n"))
	}
	return nil
}

// isImportPath tells the names of packages that go build -v prints from everything else that it prints, such as errors.
func isImportPath(line string) bool { return line != "" && !strings.ContainsAny(line, " \t:#") }
