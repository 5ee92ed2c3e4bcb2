package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// generatorRuns is how often each generator runs; the run before the first, which fills the build cache, does not count.
const generatorRuns = 5

// controllerGen is the peer of the generator.
const controllerGen peer = "controller-gen"

// generators measures kopfgen, which writes the CRD, the deepcopy functions and the operator, beside controller-gen, which writes the
// first two for the same types; and kopfgen again when everything is fresh. They work on a copy of the tree's packages.
func (b *bench) generators(ctx context.Context) error {
	module := filepath.Join(b.temp, "generated")
	if err := b.copyModule(module); err != nil {
		return err
	}
	operator := filepath.Join(module, "peers/kopfgen")
	types := filepath.Join(module, "peers/controllerruntime/v1")
	environment, err := b.generatorEnvironment(ctx)
	if err != nil {
		return err
	}
	kopfgenCommand := []string{b.binary("kopfgen")}
	controllerGenCommand := []string{b.binary("controller-gen"), "object", "crd", "paths=."}
	for run := range generatorRuns + 1 {
		for _, step := range []struct {
			time, memory measure
			peer         peer
			dir          string
			stale        bool
			command      []string
		}{
			{generatorTime, generatorMemory, controllerGen, types, true, controllerGenCommand},
			{generatorTime, generatorMemory, kopfgen, operator, true, kopfgenCommand},
			{freshTime, freshMemory, kopfgen, operator, false, kopfgenCommand},
		} {
			if step.stale {
				if err := removeGenerated(step.dir); err != nil {
					return err
				}
			}
			before, err := newest(step.dir)
			if err != nil {
				return err
			}
			took, peak, err := runGenerator(ctx, step.dir, step.command, environment)
			if err != nil {
				return err
			}
			after, err := newest(step.dir)
			if err != nil {
				return err
			}
			if wrote := after.After(before); wrote != step.stale {
				return fmt.Errorf("%s: wrote files: %v, although stale: %v", step.peer, wrote, step.stale)
			}
			if run > 0 {
				b.results.add(step.time, step.peer, took.Seconds())
				b.results.add(step.memory, step.peer, peak)
			}
		}
	}
	return nil
}

// runGenerator returns the time and the most memory in MiB, that of the go command included, that a generator takes.
func runGenerator(ctx context.Context, dir string, command, environment []string) (time.Duration, float64, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = dir
	cmd.Env = environment
	begin := time.Now()
	out, err := cmd.CombinedOutput()
	took := time.Since(begin)
	if err != nil {
		return 0, 0, fmt.Errorf("%s: %w\n%s", filepath.Base(command[0]), err, strings.TrimSpace(string(out)))
	}
	return took, float64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) / 1024, nil
}

// generatorEnvironment returns an environment in which what kopfgen remembers between two runs is kept here, and what the go command has
// compiled where it always is.
func (b *bench) generatorEnvironment(ctx context.Context) ([]string, error) {
	compiled, err := exec.CommandContext(ctx, "go", "env", "GOCACHE").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOCACHE: %w", err)
	}
	return append(os.Environ(), "GOWORK=off", "GOCACHE="+strings.TrimSpace(string(compiled)),
		"XDG_CACHE_HOME="+filepath.Join(b.temp, "cache")), nil
}

// copyModule copies what the generators need of this module.
func (b *bench) copyModule(to string) error {
	from := filepath.Join(b.root, "bench")
	if err := os.CopyFS(filepath.Join(to, "peers"), os.DirFS(filepath.Join(from, "peers"))); err != nil {
		return err
	}
	sums, err := os.ReadFile(filepath.Join(from, "go.sum"))
	if err != nil {
		return err
	}
	requirements, err := os.ReadFile(filepath.Join(from, "go.mod"))
	if err != nil {
		return err
	}
	moved := strings.Replace(string(requirements), "=> ../\n", "=> "+b.root+"\n", 1)
	if err := os.WriteFile(filepath.Join(to, "go.sum"), sums, 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, "go.mod"), []byte(moved), 0o644)
}

// removeGenerated removes what generators have written.
func removeGenerated(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "zz_generated.*"))
	if err != nil {
		return err
	}
	for _, path := range append(files, filepath.Join(dir, "config")) {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	return nil
}

// newest returns when the last change of a file below dir was.
func newest(dir string) (time.Time, error) {
	var last time.Time
	err := filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
		return err
	})
	return last, err
}
