package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/kopfgen/kopfgen/generator/output"
)

// stale returns the files that are missing on disk or differ from it.
func stale(files []output.File) ([]output.File, error) {
	var list []output.File
	for _, f := range files {
		there, err := os.ReadFile(f.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case bytes.Equal(there, f.Data):
			continue
		}
		list = append(list, f)
	}
	return list, nil
}

// write replaces each file in one step, so that nobody ever reads half of one.
func write(files []output.File) error {
	for _, f := range files {
		if err := writeFile(f); err != nil {
			return fmt.Errorf("writing %s: %w", f.Path, err)
		}
	}
	return nil
}

func writeFile(f output.File) (err error) {
	dir := filepath.Dir(f.Path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	// The go command ignores this name, and the file is in the same file system as its target.
	temp, err := os.CreateTemp(dir, "."+filepath.Base(f.Path)+"-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(temp.Name())
		}
	}()
	_, err = temp.Write(f.Data)
	err = errors.Join(err, temp.Chmod(0o644), temp.Close())
	if err != nil {
		return err
	}
	return os.Rename(temp.Name(), f.Path)
}
