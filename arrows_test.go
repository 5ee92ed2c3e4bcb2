// Package kopfgen_test keeps the arrows between the packages of this module true: docs/architecture.md draws them.
package kopfgen_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/kopfgen/kopfgen"

// rules say what the non-test files of a package and of those below it may not import, and, where only is set, what alone they may
// import of this module.
var rules = []struct {
	in     string
	only   []string
	never  []string
	reason string
}{
	{in: "runtime", only: []string{"runtime"}, never: []string{"runtime/kopftest"}, reason: "operators must not link the generator"},
	{in: "runtime/internal", never: forTests, reason: "operators must not link what is for tests"},
	{in: "runtime/operator", never: forTests, reason: "operators must not link what is for tests"},
	{in: "markers", only: []string{"internal"}, reason: "the grammar knows neither the generator nor the runtime"},
	{in: "generator", only: []string{"generator", "markers", "internal"}, reason: "the generator knows the runtime by import path and names only"},
	{in: "generator/model", only: []string{}, reason: "the model is plain data"},
	{in: "internal/diagnostic", only: []string{}, reason: "diagnostics are a leaf"},
	{in: "internal/annotation", only: []string{}, reason: "the rules of annotation names are a leaf that generator and runtime share"},
	{in: "internal/seen", only: []string{}, reason: "what tests see of objects is a leaf that both kinds of tests share"},
}

// forTests are the packages that only tests may import.
var forTests = []string{"runtime/kopftest", "runtime/internal/api/apitest", "internal/seen"}

// layers are the packages of the engine from the top down: each may import those after it, and never one before it.
var layers = []string{
	"runtime/operator",
	"runtime/children",
	"runtime/client",
	"runtime/conditions",
	"runtime/internal/reactor",
	"runtime/internal/daemon",
	"runtime/internal/handling",
	"runtime/internal/progress",
	"runtime/internal/storage",
	"runtime/internal/peering",
	"runtime/internal/stream",
	"runtime/internal/discovery",
	"runtime/internal/patch",
	"runtime/internal/skim",
	"runtime/internal/cause",
	"runtime/internal/diff",
	"runtime/internal/essence",
	"runtime/internal/edit",
	"runtime/internal/index",
	"runtime/internal/record",
	"runtime/internal/login",
	"runtime/internal/api",
	"runtime/internal/logging",
	"runtime/internal/tree",
	"runtime",
	"runtime/internal/scope",
}

// exceptions to the rule that the runtime imports nothing but itself.
var exceptions = []string{"internal/annotation", "internal/seen"}

func TestArrows(t *testing.T) {
	imports := importsByPackage(t)
	for pkg, list := range imports {
		for _, rule := range rules {
			if !below(pkg, rule.in) || slices.ContainsFunc(forTests, func(p string) bool { return below(pkg, p) }) {
				continue
			}
			for _, imported := range list {
				allowed := rule.only == nil || slices.Contains(exceptions, imported) ||
					slices.ContainsFunc(rule.only, func(p string) bool { return below(imported, p) })
				forbidden := slices.ContainsFunc(rule.never, func(p string) bool { return below(imported, p) })
				if !allowed || forbidden {
					t.Errorf("%s imports %s: %s", pkg, imported, rule.reason)
				}
			}
		}
		if at := slices.Index(layers, pkg); at >= 0 {
			for _, imported := range list {
				if to := slices.Index(layers, imported); to >= 0 && to < at {
					t.Errorf("%s imports %s, which lies above it", pkg, imported)
				}
			}
		}
	}
	for _, layer := range layers {
		if _, ok := imports[layer]; !ok {
			t.Errorf("there is no package %s: the list of layers is stale", layer)
		}
	}
	for pkg := range imports {
		if below(pkg, "runtime") && !slices.Contains(layers, pkg) && !strings.Contains(pkg+"/", "test/") {
			t.Errorf("package %s has no place among the layers", pkg)
		}
	}
}

// TestAuthorsPackagesAreLight keeps what authors import, and test their handlers with, free of everything that it can do without.
func TestAuthorsPackagesAreLight(t *testing.T) {
	const scope = module + "/runtime/internal/scope"
	for dir, allowed := range map[string][]string{
		"runtime":                {scope},
		"runtime/internal/scope": {},
		"runtime/conditions":     {"k8s.io/apimachinery"},
		"runtime/client":         {"k8s.io/apimachinery", "k8s.io/client-go/rest", "sigs.k8s.io/json", module + "/runtime", module + "/runtime/internal/api"},
		"runtime/children":       {"k8s.io/apimachinery", "k8s.io/client-go/dynamic", "k8s.io/client-go/rest", module + "/runtime/internal/api"},
	} {
		for _, imported := range fileImports(t, dir) {
			external := strings.Contains(imported, ".")
			if external && !slices.ContainsFunc(allowed, func(p string) bool { return below(imported, p) }) {
				t.Errorf("%s imports %s", dir, imported)
			}
		}
	}
}

func below(pkg, dir string) bool { return pkg == dir || strings.HasPrefix(pkg, dir+"/") }

// importsByPackage returns, by package, what its non-test files import of this module, both relative to it.
func importsByPackage(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != "." && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case d.IsDir():
			return nil
		case !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go"):
			return nil
		}
		pkg := path.Dir(filepath.ToSlash(file))
		if _, ok := found[pkg]; ok {
			return nil
		}
		found[pkg] = nil
		for _, imported := range fileImports(t, pkg) {
			if rest, ok := strings.CutPrefix(imported, module+"/"); ok {
				found[pkg] = append(found[pkg], rest)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// fileImports returns what the non-test files of a directory import.
func fileImports(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range parsed.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			out = append(out, imported)
		}
	}
	return out
}
