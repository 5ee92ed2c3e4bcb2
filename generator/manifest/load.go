package manifest

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/deepcopy"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/kopfgen/kopfgen/generator/model"
)

// world holds the author's packages, and what they import, as controller-tools sees them.
type world struct {
	roots     []*loader.Package
	fset      *token.FileSet
	all       map[string]*loader.Package // by import path
	module    string                     // the author's
	collector *markers.Collector
	checker   *loader.TypeChecker
	parser    *crd.Parser
}

// load reads the packages of the kinds, and those beside them that hold other versions of one group.
func load(ctx context.Context, req Request) (*world, error) {
	paths := make([]string, 0, len(req.Kinds))
	for _, k := range req.Kinds {
		paths = append(paths, k.Type.Pkg().Path())
	}
	slices.Sort(paths)
	paths = slices.Compact(paths)
	w, err := loadRoots(ctx, req, paths)
	if err != nil {
		return nil, err
	}
	if beside := w.versionsBeside(); len(beside) > 0 {
		return loadRoots(ctx, req, slices.Concat(paths, beside))
	}
	return w, nil
}

func loadRoots(ctx context.Context, req Request, paths []string) (*world, error) {
	w := &world{
		fset:      token.NewFileSet(),
		module:    req.Module,
		all:       map[string]*loader.Package{},
		collector: &markers.Collector{Registry: &markers.Registry{}},
		checker: &loader.TypeChecker{NodeFilters: []loader.NodeFilter{
			crd.Generator{}.CheckFilter(), deepcopy.Generator{}.CheckFilter(),
		}},
	}
	cfg := &packages.Config{Context: ctx, Dir: req.Dir, Fset: w.fset, Mode: packages.NeedModule}
	roots, err := loader.LoadRootsWithConfig(cfg, paths...)
	if err != nil {
		return nil, fmt.Errorf("loading %s: %w", strings.Join(paths, ", "), err)
	}
	for _, p := range roots {
		w.index(p)
	}
	for _, p := range roots {
		if slices.Contains(paths, p.PkgPath) {
			w.roots = append(w.roots, p)
		}
	}
	for _, g := range []interface {
		RegisterMarkers(*markers.Registry) error
	}{crd.Generator{}, deepcopy.Generator{}} {
		if err := g.RegisterMarkers(w.collector.Registry); err != nil {
			return nil, fmt.Errorf("registering the markers of controller-tools: %w", err)
		}
	}
	w.parser = &crd.Parser{
		Collector: w.collector,
		Checker:   w.checker,
		// Floats are a bad idea in an API, but the API server takes them, and so does every handler.
		AllowDangerousTypes: true,
		// They are not encoded and need no tags.
		IgnoreUnexportedFields: true,
	}
	crd.AddKnownTypes(w.parser)
	// It is a []byte, from which controller-tools would make a string.
	w.parser.PackageOverrides["encoding/json"] = func(p *crd.Parser, pkg *loader.Package) {
		p.Schemata[crd.TypeIdent{Package: pkg, Name: "RawMessage"}] = open()
		p.AddPackage(pkg)
	}
	return w, nil
}

// index notes a package and what it imports, and hides the generated files of the author's own packages.
func (w *world) index(p *loader.Package) {
	if w.all[p.PkgPath] != nil {
		return
	}
	w.all[p.PkgPath] = p
	if w.owns(p.PkgPath) {
		p.CompiledGoFiles = slices.DeleteFunc(slices.Clone(p.CompiledGoFiles), model.Generated)
	}
	for _, imported := range p.Imports() {
		w.index(imported)
	}
}

// owns reports whether a package belongs to the author's module.
func (w *world) owns(path string) bool {
	p := w.all[path]
	return p != nil && p.Module != nil && p.Module.Path == w.module
}

// version matches the directories in which versions of one API lie side by side.
var version = regexp.MustCompile(`^v\d+((alpha|beta)\d+)?$`)

var groupName = regexp.MustCompile(`(?m)^\s*//\s*\+groupName=(\S+)`)

// versionsBeside finds packages next to those of the kinds that declare the same group: a CRD must list every version of its kind, even
// those that no handler takes.
func (w *world) versionsBeside() []string {
	var found []string
	for _, p := range w.roots {
		group := groupOf(p.Dir)
		if !w.owns(p.PkgPath) || group == "" || !version.MatchString(filepath.Base(p.Dir)) {
			continue
		}
		entries, err := os.ReadDir(filepath.Dir(p.Dir))
		if err != nil {
			continue
		}
		parent := strings.TrimSuffix(p.PkgPath, filepath.Base(p.Dir))
		for _, e := range entries {
			dir := filepath.Join(filepath.Dir(p.Dir), e.Name())
			if e.IsDir() && version.MatchString(e.Name()) && dir != p.Dir && w.all[parent+e.Name()] == nil && groupOf(dir) == group {
				found = append(found, parent+e.Name())
			}
		}
	}
	return found
}

func groupOf(dir string) string {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return ""
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		if m := groupName.FindSubmatch(text); m != nil {
			return string(m[1])
		}
	}
	return ""
}

// info returns the declaration of a type with its markers.
func (w *world) info(path, name string) *markers.TypeInfo {
	p := w.all[path]
	if p == nil {
		return nil
	}
	return w.parser.LookupType(p, name)
}

// at is the position of a node.
func (w *world) at(n ast.Node) token.Position { return w.fset.Position(n.Pos()) }
