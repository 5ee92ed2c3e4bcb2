package controlplane

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// binaryName is the name of the server's binary.
const binaryName = "kopf-controlplane"

// unusedAfter is the age at which a binary that nothing started is removed from the cache.
const unusedAfter = 7 * 24 * time.Hour

// Build returns the path of the server's binary. It compiles the server if that has not been done for these sources by this Go
// version on this machine, and says on progress, which may be nil, how far it is. Of several processes that need the binary
// at once, one compiles and the others wait.
func Build(ctx context.Context, progress io.Writer) (string, error) {
	src, err := findSource(ctx)
	if err != nil {
		return "", err
	}
	userCache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find a place to keep the control plane: %w", err)
	}
	cache := filepath.Join(userCache, "kopfgen", "controlplane")
	binary := filepath.Join(cache, src.key, binaryName)
	if use(binary) {
		return binary, nil
	}

	report := newReporter(progress)
	defer report.end()
	if err := os.MkdirAll(filepath.Dir(binary), 0o755); err != nil {
		return "", fmt.Errorf("create the cache of the control plane: %w", err)
	}
	unlock, err := lock(ctx, filepath.Join(cache, "lock"), func() {
		report.show("waiting for another process that compiles the control plane")
	})
	if err != nil {
		return "", err
	}
	defer unlock()
	if use(binary) {
		return binary, nil
	}
	if err := compile(ctx, src, binary, report); err != nil {
		return "", fmt.Errorf("compile the control plane in %s: %w", src.dir, err)
	}
	return binary, removeUnused(cache, src.key)
}

// use reports whether the binary is there, and marks it as used now.
func use(binary string) bool {
	now := time.Now()
	return os.Chtimes(binary, now, now) == nil
}

// removeUnused removes the binaries of other keys that have not been used for a long time.
func removeUnused(cache, key string) error {
	binaries, err := filepath.Glob(filepath.Join(cache, "*", binaryName))
	if err != nil {
		return err
	}
	var errs []error
	for _, binary := range binaries {
		dir := filepath.Dir(binary)
		info, err := os.Stat(binary)
		if err == nil && filepath.Base(dir) != key && time.Since(info.ModTime()) > unusedAfter {
			errs = append(errs, os.RemoveAll(dir))
		}
	}
	return errors.Join(errs...)
}

// compile builds the server and puts it in place in one step, so that nobody ever runs half a binary.
func compile(ctx context.Context, src *source, binary string, report *reporter) error {
	total, err := countStale(ctx, src, report)
	if err != nil {
		return err
	}
	partial := binary + ".partial"
	defer os.Remove(partial)

	args := append([]string{"build", "-v", "-o", partial}, src.buildFlags()...)
	compiled := 0
	report.show("compiling the control plane: 0 of %d packages", total)
	err = runGo(goCommand(ctx, src.dir, append(args, ".")...), nil, func(line string) bool {
		if !isImportPath(line) {
			return false
		}
		compiled++
		if compiled < total {
			report.show("compiling the control plane: %d of %d packages", compiled, total)
		} else {
			report.show("linking the control plane")
		}
		return true
	})
	if err != nil {
		return err
	}
	return os.Rename(partial, binary)
}

// countStale counts the packages that are still to be compiled; go build -v will name each of them. The modules that are not
// on this machine yet are downloaded on the way.
func countStale(ctx context.Context, src *source, report *reporter) (int, error) {
	report.show("looking for what is to be compiled")
	args := append([]string{"list", "-deps", "-f", "{{if .Stale}}{{.ImportPath}}{{end}}"}, src.buildFlags()...)
	var stale bytes.Buffer
	modules := 0
	err := runGo(goCommand(ctx, src.dir, append(args, ".")...), &stale, func(line string) bool {
		if !strings.HasPrefix(line, "go: downloading ") {
			return false
		}
		modules++
		report.show("downloading the modules of the control plane: %d so far", modules)
		return true
	})
	return len(strings.Fields(stale.String())), err
}

// isImportPath tells the names of packages that go build -v prints from everything else that it prints, such as errors.
func isImportPath(line string) bool {
	return line != "" && !strings.ContainsAny(line, " \t:#")
}

// runGo runs a go command, hands each line of its standard error to onLine, and returns those that onLine does not know as
// part of the error.
func runGo(cmd *exec.Cmd, stdout io.Writer, onLine func(string) (known bool)) error {
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
		if !onLine(lines.Text()) {
			unknown = append(unknown, lines.Text())
		}
	}
	_, _ = io.Copy(io.Discard, stderr) // after a line too long to scan, so that the command does not block
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("go %s: %w\n%s", cmd.Args[1], err, strings.Join(unknown, "\n"))
	}
	return nil
}
