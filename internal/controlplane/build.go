package controlplane

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/kopfgen/kopfgen/internal/gobuild"
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

	report := gobuild.NewProgress(progress)
	defer report.End()
	if err := os.MkdirAll(filepath.Dir(binary), 0o755); err != nil {
		return "", fmt.Errorf("create the cache of the control plane: %w", err)
	}
	unlock, err := lock(ctx, filepath.Join(cache, "lock"), func() {
		report.Show("waiting for another process that compiles the control plane")
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
func compile(ctx context.Context, src *source, binary string, report *gobuild.Progress) error {
	building := filepath.Join(filepath.Dir(binary), "building")
	defer os.RemoveAll(building)
	program := gobuild.Program{
		Dir: src.dir, Package: ".", Output: filepath.Join(building, binaryName),
		Flags: src.buildFlags(), Env: goEnvironment,
	}
	if err := program.Build(ctx, report); err != nil {
		return err
	}
	return os.Rename(program.Output, binary)
}
