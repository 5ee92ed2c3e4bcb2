package source

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/internal/diagnostic"
	"github.com/kopfgen/kopfgen/markers"
)

// Config says what to load.
type Config struct {
	// Dir is where the go command runs; it must be inside a module.
	Dir string
	// Patterns are directories, relative to Dir unless absolute, optionally with "..." at the end.
	Patterns []string
	// BuildFlags are passed to the go command, for example -tags.
	BuildFlags []string
	// Env is the environment of the go command; nil means that of this process.
	Env []string
}

// mode leaves out NeedDeps: what is imported comes as export data, which costs a tenth of its syntax.
const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedSyntax |
	packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedModule

// Load loads the packages that the patterns name, and with them, in the same call of the go command, the packages that their operators take
// handlers from and those of the module that they import kinds from.
//
// What is wrong with the author's sources is added to diags; the error is for what keeps the go command from working at all.
func Load(ctx context.Context, cfg Config, diags *diagnostic.List) (*Program, error) {
	dir, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return nil, err
	}
	l := &loading{
		scan: scan{fset: token.NewFileSet(), build: buildContext(cfg), parsed: map[string]*ast.File{}},
		cfg:  cfg, diags: diags,
		dir: dir, selected: map[string]bool{}, asked: map[*packages.Package]bool{},
		copies: copies{dirs: map[string]carrier{}},
	}
	if err := l.findModule(dir); err != nil {
		return nil, err
	}
	dirs, err := l.expand(dir, cfg.Patterns)
	if err != nil {
		return nil, err
	}
	queries, err := l.queries(dirs)
	if err != nil {
		return nil, err
	}
	program := &Program{Fset: l.fset, Dir: dir, ModulePath: l.modulePath, ModuleDir: l.moduleDir}
	if len(queries) == 0 {
		return program, nil
	}
	loaded, err := packages.Load(&packages.Config{
		Context: ctx, Mode: mode, Dir: dir, Env: cfg.Env, BuildFlags: cfg.BuildFlags, Fset: l.fset, ParseFile: l.parseFile,
	}, queries...)
	if err != nil {
		return nil, fmt.Errorf("loading packages: %w", err)
	}
	if len(loaded) == 0 {
		return nil, fmt.Errorf("loading packages: %w", l.ask(ctx, queries))
	}
	for _, p := range loaded {
		l.asked[p] = true
	}
	for _, dir := range dirs {
		if l.selected[dir] && !slices.ContainsFunc(loaded, func(p *packages.Package) bool { return p.Dir == dir || p.Dir == "" }) {
			diags.Addf(token.Position{Filename: dir}, codeLoad, "", "%v", l.ask(ctx, []string{dir}))
		}
	}
	for _, p := range loaded {
		l.report(p)
		if p.Types == nil || len(p.Syntax) == 0 {
			continue
		}
		program.Packages = append(program.Packages, l.read(p))
	}
	slices.SortFunc(program.Packages, func(a, b *Package) int { return strings.Compare(a.Path, b.Path) })
	return program, nil
}

// ask has the go command say why it lists nothing. Package packages turns some of its failures, such as a go.mod that needs updates, into
// an empty list.
func (l *loading) ask(ctx context.Context, queries []string) error {
	cmd := exec.CommandContext(ctx, "go", slices.Concat([]string{"list"}, l.cfg.BuildFlags, []string{"--"}, queries)...)
	cmd.Dir, cmd.Env = l.dir, l.cfg.Env
	out, err := cmd.CombinedOutput()
	if err == nil {
		return errors.New("the go command lists no packages")
	}
	return errors.New(strings.TrimSpace(string(out)))
}

// loading is one call of Load.
type loading struct {
	scan
	cfg      Config
	diags    *diagnostic.List
	dir      string
	selected map[string]bool // directories
	asked    map[*packages.Package]bool
	copies   copies
}

// buildContext finds the files of a package as the go command will.
func buildContext(cfg Config) build.Context {
	c := build.Default
	flags, env := cfg.BuildFlags, cfg.Env
	if env == nil {
		env = os.Environ()
	}
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		switch name {
		case "GOOS":
			c.GOOS = value
		case "GOARCH":
			c.GOARCH = value
		case "GOFLAGS":
			flags = append(strings.Fields(value), flags...)
		}
	}
	for _, f := range flags {
		if tags, ok := strings.CutPrefix(strings.TrimLeft(f, "-"), "tags="); ok {
			c.BuildTags = strings.FieldsFunc(tags, func(r rune) bool { return r == ',' || r == ' ' })
		}
	}
	return c
}

// queries scans the selected directories, and lists what the go command is asked for.
func (l *loading) queries(dirs []string) ([]string, error) {
	var queries []string
	for _, dir := range dirs {
		h, err := l.header(dir)
		if err != nil {
			return nil, err
		}
		// Of many directories, only those with markers count; one that was named alone always does.
		if h.files == 0 && len(dirs) > 1 || !h.marked && len(dirs) > 1 {
			continue
		}
		l.selected[dir] = true
		queries = append(queries, dir)
		imports := h.imports
		for _, op := range h.operators {
			for _, item := range op.Packages.Value {
				if p, wrong := l.newPattern(dir, item.Value); wrong == "" && p.exists() {
					queries = append(queries, p.list)
					imports = append(imports, l.importsBelow(p)...)
				}
			}
		}
		queries = append(queries, l.kindsAmong(imports)...)
	}
	slices.Sort(queries)
	return slices.Compact(queries), nil
}

// parseFile parses what the go command lists, unless the scan has done so already, and hides what the generator wrote before. An overlay
// could hide it too, but keeps the go command from using its cache.
func (l *loading) parseFile(fset *token.FileSet, path string, data []byte) (*ast.File, error) {
	if model.Generated(path) {
		return l.stub(fset, path)
	}
	f, err := l.parsed[path], error(nil)
	if f == nil {
		if f, err = l.parse(path, data); err != nil {
			return f, err
		}
	}
	l.addTo(f, path)
	return f, nil
}

// read collects the markers of a loaded package.
func (l *loading) read(p *packages.Package) *Package {
	pkg := newPackage(p)
	pkg.Selected = l.selected[p.Dir]
	pkg.Broken = slices.ContainsFunc(p.Errors, func(e packages.Error) bool {
		return strings.HasPrefix(e.Msg, noImport)
	})
	pkg.Unparsed = slices.ContainsFunc(p.Errors, isParseError)
	for _, f := range p.Syntax {
		name := l.fset.Position(f.FileStart).Filename
		if model.Generated(name) {
			continue
		}
		takeOff(f)
		pkg.Files = append(pkg.Files, &File{File: f, Name: name, Markers: markers.Collect(l.fset, f, l.diags)})
	}
	slices.SortFunc(pkg.Files, func(a, b *File) int { return strings.Compare(a.Name, b.Name) })
	l.reportUnbuilt(p)
	return pkg
}
