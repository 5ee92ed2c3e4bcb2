package generator

import (
	"context"
	"fmt"
	"go/token"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/output"
	"github.com/kopfgen/kopfgen/generator/schema"
	"github.com/kopfgen/kopfgen/generator/source"
	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// Config says what to generate.
type Config struct {
	// Dir is where the go command runs and what relative patterns start from.
	Dir string
	// Patterns are directories, optionally with "..." at the end; none means Dir itself.
	Patterns []string
	// CRDDir is where CRDs go; empty means config/crd below the directory of each operator.
	CRDDir string
	// BuildFlags are passed to the go command, such as -tags=x; Env is its environment; nil means that of this process.
	BuildFlags []string
	Env        []string
}

// Result is what a run has made.
type Result struct {
	// Operators are what was understood, in the order of their import paths.
	Operators []*model.Operator
	// Files are sorted by path. There are none if the diagnostics hold an error.
	Files []output.File
}

// Generate makes the files of all operators that the patterns name. It writes nothing.
//
// The diagnostics are the author's mistakes, and warnings. The error is for what keeps the generator from working at all: a go command that
// does not run, a directory that does not exist or is not in a module.
func Generate(ctx context.Context, cfg Config) (result Result, diags *diagnostic.List, err error) {
	diags = &diagnostic.List{}
	defer func() {
		// No input should lead here; if one does, what was found so far is still worth reading.
		if p := recover(); p != nil {
			result = Result{}
			diags.Add(diagnostic.Diagnostic{
				Code: codeInternal, Message: fmt.Sprintf("internal error: %v", p),
				Hint: "please report it, with the source that caused it and this:\n" + string(debug.Stack()),
			})
		}
	}()
	program, err := load(ctx, cfg, diags)
	if err != nil {
		return Result{}, diags, err
	}
	result.Operators = understand(program, diags)
	if len(result.Operators) == 0 && diags.Err() == nil {
		diags.Addf(token.Position{Filename: program.Dir}, codeNothing, "put //+kopf:on=create above a function", "no package here has handlers")
	}
	out := output.Config{Module: program.ModulePath, Fset: program.Fset, CRDDir: cfg.CRDDir}
	if diags.Err() != nil {
		if broken := slices.ContainsFunc(program.Packages, func(p *source.Package) bool { return p.Broken }); broken {
			return result, diags, nil
		}
		return result, diags, output.Check(ctx, out, result.Operators, diags)
	}
	result.Files, err = output.Files(ctx, out, result.Operators, diags)
	if err != nil || diags.Err() != nil {
		result.Files = nil
	}
	return result, diags, err
}

func load(ctx context.Context, cfg Config, diags *diagnostic.List) (*source.Program, error) {
	patterns := cfg.Patterns
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	return source.Load(ctx, source.Config{Dir: cfg.Dir, Patterns: patterns, BuildFlags: cfg.BuildFlags, Env: cfg.Env}, diags)
}

// understand finds the operators of a program and builds their models.
func understand(program *source.Program, diags *diagnostic.List) []*model.Operator {
	catalog := schema.NewCatalog(program)
	var operators []*model.Operator
	var ignored diagnostic.List // assemble reports mistakes in packages=
	taken := map[*source.Package]bool{}
	for _, pkg := range program.Packages {
		if pkg.IsOperator() {
			parsed := true
			for _, t := range program.Taken(pkg, &ignored) {
				taken[t] = true
				parsed = parsed && !t.Unparsed
			}
			if pkg.Selected && parsed {
				operators = append(operators, assemble(program, catalog, pkg, diags))
			}
		}
	}
	for _, pkg := range program.Packages {
		if pkg.Selected && !taken[pkg] && !pkg.Unparsed {
			outside(program, pkg, diags)
		}
	}
	rivals(operators, diags)
	return operators
}

// outside reports a package that is not an operator and does not belong to one.
func outside(program *source.Program, pkg *source.Package, diags *diagnostic.List) {
	for _, f := range pkg.Files {
		for _, fn := range f.Markers.Functions {
			diags.Addf(program.Position(fn.Handlers[0].Pos), codeOperator,
				"put //+kopf:operator="+strings.ReplaceAll(pkg.Name, "_", "-")+" above the package clause, or list this package in the packages= of an operator",
				"the package %s has handlers, but is not an operator", pkg.Name)
			return
		}
	}
	if !pkg.Broken && !complained(diags, pkg) && len(pkg.Files) > 0 {
		diags.Addf(program.Position(pkg.Files[0].File.Name.Pos()), codeNothing, "put //+kopf:on=create above a function", "the package %s has no handlers", pkg.Name)
	}
}

// rivals reports operators that would take each other's finalizers or annotations for their own.
func rivals(operators []*model.Operator, diags *diagnostic.List) {
	for i, b := range operators {
		for _, a := range operators[:i] {
			kind := commonKind(a, b)
			if kind == "" {
				continue
			}
			switch {
			case a.Prefix == b.Prefix:
				diags.Addf(b.Pos, codeRivals, "give one of them a prefix= of its own", "the operators %s and %s handle %s with the same annotation prefix", a.Name, b.Name, kind)
			case a.Finalizer == b.Finalizer && finalizes(a, kind) && finalizes(b, kind):
				diags.Addf(b.Pos, codeRivals, "give one of them a finalizer= of its own", "the operators %s and %s handle %s with the same finalizer", a.Name, b.Name, kind)
			}
		}
	}
}

func commonKind(a, b *model.Operator) string {
	for _, r := range a.Resources {
		if slices.ContainsFunc(b.Resources, func(o *model.Resource) bool { return o.Group == r.Group && o.Kind == r.Kind }) {
			return r.Kind
		}
	}
	return ""
}

func finalizes(op *model.Operator, kind string) bool {
	return slices.ContainsFunc(op.Resources, func(r *model.Resource) bool { return r.Kind == kind && r.Watch.Finalizer })
}
