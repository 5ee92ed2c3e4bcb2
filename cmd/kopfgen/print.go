package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// printDiagnostics prints all diagnostics, with paths relative to the directory where that is shorter to read.
func printDiagnostics(w io.Writer, dir string, diags *diagnostic.List) {
	var list diagnostic.List
	for _, d := range diags.Sorted() {
		d.Pos.Filename = relative(dir, d.Pos.Filename)
		list.Add(d)
	}
	for _, d := range list.Sorted() {
		fmt.Fprintln(w, d.Error())
	}
}

// relative shortens a path to one from dir, unless it lies elsewhere.
func relative(dir, path string) string {
	rel, err := filepath.Rel(dir, path)
	if err != nil || strings.HasPrefix(rel, filepath.Join("..", "..", "..")) {
		return path
	}
	return rel
}
