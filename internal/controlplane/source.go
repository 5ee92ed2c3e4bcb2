package controlplane

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const (
	// mainModule is the module that this package is part of.
	mainModule = "github.com/kopfgen/kopfgen"

	// sourceDir is the directory of the server's own module within it.
	sourceDir = "cmd/kopf-controlplane"
)

// source is what a server is built from.
type source struct {
	// dir is the directory of the server's module.
	dir string
	// kubernetes is the version of Kubernetes that it requires, such as v1.37.2.
	kubernetes string
	// key identifies everything that the binary depends on.
	key string
}

// findSource finds the source of the server. It asks the go command where the main module is, because a test binary does not
// know where its source was, and may have been built with -trimpath.
func findSource(ctx context.Context) (*source, error) {
	module, err := goOutput(ctx, ".", "list", "-m", "-f", "{{.Dir}}", mainModule)
	if err != nil {
		return nil, fmt.Errorf("find the source of the control plane, from inside the module %s: %w", mainModule, err)
	}
	s := &source{dir: filepath.Join(module, filepath.FromSlash(sourceDir))}
	if _, err := os.Stat(filepath.Join(s.dir, "go.mod")); err != nil {
		return nil, fmt.Errorf("find the source of the control plane: it is in checkouts of %s only: %w", mainModule, err)
	}
	if s.kubernetes, err = goOutput(ctx, s.dir, "list", "-m", "-f", "{{.Version}}", "k8s.io/kubernetes"); err != nil {
		return nil, fmt.Errorf("find the version of Kubernetes: %w", err)
	}
	toolchain, err := goOutput(ctx, s.dir, "env", "GOVERSION", "GOOS", "GOARCH", "GOFLAGS", "GOEXPERIMENT")
	if err != nil {
		return nil, fmt.Errorf("find the version of Go: %w", err)
	}
	if s.key, err = s.hash(toolchain); err != nil {
		return nil, fmt.Errorf("read the source of the control plane: %w", err)
	}
	return s, nil
}

// buildFlags returns how the server is built. They are part of its key.
func (s *source) buildFlags() []string {
	return []string{
		"-trimpath",
		"-ldflags", "-s -w -X k8s.io/component-base/version.gitVersion=" + s.kubernetes,
	}
}

// hash returns the key of a binary built from s by this toolchain: a digest of the files that matter and of how they are built.
func (s *source) hash(toolchain string) (string, error) {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n%q\n", toolchain, s.buildFlags())
	err := filepath.WalkDir(s.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !matters(entry.Name()) {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(s.dir, path)
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%s %d\n", filepath.ToSlash(name), len(content))
		sum.Write(content)
		return nil
	})
	return hex.EncodeToString(sum.Sum(nil))[:16], err
}

// matters reports whether a file of that name contributes to the binary.
func matters(name string) bool {
	return name == "go.mod" || name == "go.sum" || strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}

// goEnvironment makes the go command work on the server's module, whatever workspace or C compiler there is: a server without
// cgo is the same on all machines, and needs no C compiler to be built.
var goEnvironment = []string{"GOWORK=off", "CGO_ENABLED=0"}

// goOutput runs the go command in dir and returns what it prints, without the white space at its ends.
func goOutput(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), goEnvironment...)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("go %s: %w: %s", strings.Join(args, " "), err, bytes.TrimSpace(exit.Stderr))
	}
	return string(bytes.TrimSpace(out)), err
}
