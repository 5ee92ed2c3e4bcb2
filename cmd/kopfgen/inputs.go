package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/kopfgen/kopfgen/generator/model"
)

// environment lists the variables that change what the go command builds.
var environment = []string{
	"CGO_ENABLED", "GO111MODULE", "GOARCH", "GOENV", "GOEXPERIMENT", "GOFLAGS", "GOOS", "GOROOT", "GOTOOLCHAIN", "GOWORK",
}

// inputs is a digest of everything that a run in dir depends on: this program, the go command and its environment, and the Go files and
// module files of the module, of the workspace and of the directories that replace other modules. The modules in the module cache are named by
// go.sum. It is empty if something cannot be read.
func inputs(dir string) string {
	h := sha256.New()
	self, err := os.Executable()
	if err != nil || hashFile(h, self) != nil {
		return ""
	}
	if goCommand, err := exec.LookPath("go"); err == nil {
		if real, err := filepath.EvalSymlinks(goCommand); err == nil {
			if info, err := os.Stat(real); err == nil {
				fmt.Fprintln(h, real, info.Size(), info.ModTime().UnixNano())
			}
		}
	}
	for _, name := range environment {
		fmt.Fprintf(h, "%s=%q\n", name, os.Getenv(name))
	}
	if config, err := os.UserConfigDir(); err == nil {
		_ = hashFile(h, filepath.Join(config, "go", "env"))
	}
	roots := []string{above(dir, "go.mod"), above(dir, "go.work")}
	for i := 0; i < len(roots); i++ {
		if roots[i] == "" || slices.Contains(roots[:i], roots[i]) {
			continue
		}
		more, err := hashModule(h, roots[i], i == 1)
		if err != nil {
			return ""
		}
		roots = append(roots, more...)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// above returns dir or the nearest directory above it that has a file of that name, or "".
func above(dir, name string) string {
	for {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// local matches the directories in go.mod and go.work.
var local = regexp.MustCompile(`(?m)(?:=>|^\s*use|^)\s+("?)(\.{1,2}(?:/[^\s"]*)?|/[^\s"]+)`)

// hashModule adds the files of a module, or only the two of a workspace, and returns the other directories that they name.
func hashModule(h io.Writer, root string, workspace bool) ([]string, error) {
	var others []string
	for _, name := range []string{"go.mod", "go.sum", "go.work", "go.work.sum", filepath.Join("vendor", "modules.txt")} {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			continue
		}
		fmt.Fprintf(h, "%s %s\n", filepath.Join(root, name), digest(data))
		if !strings.HasSuffix(name, ".mod") && !strings.HasSuffix(name, ".work") {
			continue
		}
		for _, m := range local.FindAllStringSubmatch(string(data), -1) {
			other := filepath.FromSlash(m[2])
			if !filepath.IsAbs(other) {
				other = filepath.Join(root, other)
			}
			others = append(others, other)
		}
	}
	if workspace {
		return others, nil
	}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path == root {
				return nil
			}
			_, err := os.Stat(filepath.Join(path, "go.mod"))
			if err == nil || strings.HasPrefix(name, ".") || name == "vendor" || name == "node_modules" {
				return filepath.SkipDir
			}
			return nil
		}
		// Files that kopfgen wrote do not count: it does not read them.
		if !strings.HasSuffix(name, ".go") || model.Generated(name) {
			return nil
		}
		fmt.Fprintln(h, path)
		return hashFile(h, path)
	})
	return others, err
}

// hashFile adds a digest of a file.
func hashFile(h io.Writer, path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(h, digest(data))
	return err
}
