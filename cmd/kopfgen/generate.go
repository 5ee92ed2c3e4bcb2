package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/kopfgen/kopfgen/generator"
	"github.com/kopfgen/kopfgen/generator/output"
)

// generate is kopfgen without a sub-command: it generates the files of the packages and writes the stale ones, or only lists them.
func generate(ctx context.Context, f flags, packages []string, stdout, stderr io.Writer) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	path, before := recordPath(dir, f, packages), ""
	if path != "" {
		// Taken before anything is read, so that the next run sees what changes in the meantime.
		before = inputs(dir)
	}
	if !f.explain && fresh(path, before) {
		return nil
	}

	cfg := generator.Config{Dir: dir, Patterns: packages}
	if f.crdDir != "" {
		if cfg.CRDDir, err = filepath.Abs(f.crdDir); err != nil {
			return err
		}
	}
	if f.tags != "" {
		cfg.BuildFlags = []string{"-tags=" + f.tags}
	}
	result, diags, err := generator.Generate(ctx, cfg)
	printDiagnostics(stderr, dir, diags)
	if err != nil {
		return err
	}
	if f.explain {
		for _, op := range result.Operators {
			explain(stdout, op)
		}
	}
	if diags.Err() != nil {
		return errReported
	}
	list, err := stale(result.Files)
	if err != nil {
		return err
	}
	if f.check && len(list) > 0 {
		printStale(stdout, dir, list)
		return errReported
	}
	if err := write(list); err != nil {
		return err
	}
	if diags.Len() == 0 { // the next run must show warnings again
		keep(path, before, result.Files)
	}
	return nil
}

func printStale(w io.Writer, dir string, files []output.File) {
	fmt.Fprintln(w, "these files are stale; run go generate:")
	for _, f := range files {
		fmt.Fprintf(w, "\t%s\n", relative(dir, f.Path))
	}
}
