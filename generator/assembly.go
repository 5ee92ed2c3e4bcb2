package generator

import (
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"

	"github.com/kopfgen/kopfgen/generator/access"
	"github.com/kopfgen/kopfgen/generator/binding"
	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/schema"
	"github.com/kopfgen/kopfgen/generator/source"
	"github.com/kopfgen/kopfgen/internal/diagnostic"
	"github.com/kopfgen/kopfgen/markers"
)

// assembly puts one operator together.
type assembly struct {
	program *source.Program
	catalog *schema.Catalog
	diags   *diagnostic.List
	binder  *binding.Binder

	own    *source.Package
	marker *markers.Operator // empty without one
	op     *model.Operator

	entries  []*entry
	filled   map[*entry]*model.Index // by index handlers
	snake    bool                    // ids=snake_case
	defaults model.Policy
}

// entry is one marker on one function: a handler in the making.
type entry struct {
	fn     binding.Function
	scope  binding.Scope
	marker *markers.Handler
	kind   *schema.Kind
}

// assemble builds the model of the operator that a package is.
func assemble(program *source.Program, catalog *schema.Catalog, own *source.Package, diags *diagnostic.List) *model.Operator {
	a := &assembly{
		program: program, catalog: catalog, diags: diags, own: own,
		binder: &binding.Binder{Program: program, Catalog: catalog, Operator: own.Types, Diags: diags},
		op:     &model.Operator{Package: own.Types, ImportNames: importNames(own), Dir: own.Dir, ModuleDir: program.ModuleDir},
	}
	a.operator()
	a.collect()
	if len(a.entries) == 0 {
		if !a.markersLost() {
			a.errorf(a.op.Pos, codeNothing, "put //+kopf:on=create above a function", "the operator has no handlers")
		}
		return a.op
	}
	a.kinds()
	a.indexes()
	a.activities()
	a.handlers()
	a.op.Providers = a.binder.Providers
	a.op.Memos = a.binder.Memos
	a.op.Indexes = a.binder.Indexes
	a.checkIDs()
	a.plan()
	a.access()
	return a.op
}

// access finds out what the code does with objects beside the handled ones.
func (a *assembly) access() {
	finder := access.Finder{Program: a.program, Catalog: a.catalog, Packages: a.program.Taken(a.own, &diagnostic.List{}), Diags: a.diags}
	a.op.Rules = finder.Rules()
	if len(a.op.Rules) > 0 {
		finder.Diags = &diagnostic.List{} // the author has added what cannot be seen
	}
	a.op.Access = finder.Find()
}

// importNames lists the names that the package's files give to what they import.
func importNames(pkg *source.Package) []string {
	var names []string
	for _, f := range pkg.Files {
		for _, spec := range f.Imports {
			if spec.Name != nil {
				names = append(names, spec.Name.Name)
			}
		}
	}
	return names
}

func (a *assembly) errorf(pos token.Position, code, hint, format string, args ...any) {
	a.diags.Addf(pos, code, hint, format, args...)
}

// operator reads the operator's own marker.
func (a *assembly) operator() {
	all := a.own.Operators()
	for _, extra := range all[min(1, len(all)):] {
		a.errorf(a.program.Position(extra.Pos), codeOperator, "keep one", "the package has a second operator marker")
	}
	from := binding.Scope{Package: a.own}
	if len(all) > 0 {
		a.marker = all[0]
		a.op.Pos = a.program.Position(a.marker.Pos)
		for _, f := range a.own.Files {
			if slices.Contains(f.Markers.Operators, a.marker) {
				from.File = f
			}
		}
	} else {
		a.marker = &markers.Operator{}
		a.op.Pos = a.firstHandler()
		from.File = a.own.Files[0]
	}
	m := a.marker
	a.op.Name, a.op.Prefix, a.op.Finalizer = m.Name.Value, m.Prefix.Value, m.Finalizer.Value
	if !m.Name.Set {
		a.op.Name = a.defaultName()
	}
	a.snake = m.IDs.Value == "snake_case"
	a.defaults = a.binder.Policy(m.Retries, m.Timeout, m.Backoff, markers.Arg[string]{}, from)
	a.op.Policy = static(a.defaults)
	if obj := a.own.Types.Scope().Lookup("Operator"); obj != nil {
		a.errorf(a.program.Position(obj.Pos()), codeNameTaken, "rename it", "the name Operator is reserved for the generated function")
	}
	a.checkPredeclared(a.own.Types)
	if a.own.Name == "main" {
		_, a.op.HasMain = a.own.Types.Scope().Lookup("main").(*types.Func)
	}
}

// static leaves out what is only known after startup.
func static(p model.Policy) model.Policy {
	p.Retries.Eval, p.Timeout.Eval, p.Backoff.Eval = nil, nil, nil
	return p
}

func (a *assembly) firstHandler() token.Position {
	for _, f := range a.own.Files {
		for _, fn := range f.Markers.Functions {
			return a.program.Position(fn.Handlers[0].Pos)
		}
	}
	return token.Position{Filename: a.own.Dir}
}

// collect gathers the markers of the operator's packages in their order.
func (a *assembly) collect() {
	for _, pkg := range a.program.Taken(a.own, a.diags) {
		if pkg != a.own && pkg.Name == "main" {
			if pkg.HasHandlers() {
				a.errorf(a.op.Pos, codeOperator, "", "%s is a program of its own: an operator cannot take its handlers", pkg.Path)
			}
			continue
		}
		if pkg.HasHandlers() && !model.CanImport(pkg.Path, a.own.Path) {
			a.errorf(a.op.Pos, codeOperator, "move the handlers, or the operator", "%s is internal: the operator's package may not import it", pkg.Path)
			continue
		}
		if a.importsOperator(pkg) {
			continue
		}
		for _, f := range pkg.Files {
			for _, marked := range f.Markers.Functions {
				fn, ok := function(pkg, f, marked.Decl)
				if !ok {
					continue // the compiler has said why
				}
				for _, h := range marked.Handlers {
					if len(h.On) > 0 {
						a.entries = append(a.entries, &entry{fn: fn, scope: binding.Scope{Package: pkg, File: f}, marker: h})
					}
				}
			}
		}
	}
}

// markersLost reports whether the operator has no handlers only because of mistakes that have been reported.
func (a *assembly) markersLost() bool {
	return a.own.HasHandlers() || a.own.Broken || complained(a.diags, a.own)
}

// complained reports whether an error in a file of the package has been reported.
func complained(diags *diagnostic.List, pkg *source.Package) bool {
	return slices.ContainsFunc(diags.Sorted(), func(d diagnostic.Diagnostic) bool { return !d.Warning && filepath.Dir(d.Pos.Filename) == pkg.Dir })
}

func function(pkg *source.Package, f *source.File, decl *ast.FuncDecl) (binding.Function, bool) {
	obj, ok := pkg.Info.Defs[decl.Name].(*types.Func)
	return binding.Function{Object: obj, Package: pkg, File: f, Decl: decl}, ok
}

// on translates the kinds of the marker.
func (e *entry) on() model.Kind {
	var on model.Kind
	for _, item := range e.marker.On {
		on |= map[markers.Kind]model.Kind{
			markers.Startup: model.OnStartup, markers.Cleanup: model.OnCleanup, markers.Create: model.OnCreate, markers.Update: model.OnUpdate,
			markers.Delete: model.OnDelete, markers.Resume: model.OnResume, markers.Field: model.OnField,
			markers.Login: model.OnLogin, markers.Probe: model.OnProbe, markers.Background: model.OnBackground,
			markers.Event: model.OnEvent, markers.Daemon: model.OnDaemon, markers.Timer: model.OnTimer, markers.Index: model.OnIndex,
		}[item.Value]
	}
	return on
}

// ofObject reports whether the handler is for objects, not for the operator.
func (e *entry) ofObject() bool { return !e.on().Has(model.OnActivity) }

// quietly returns where to report what may just follow from a mistake in the marker that was already reported: nowhere.
func (a *assembly) quietly(e *entry) *diagnostic.List {
	if e.marker.Faulty {
		return &diagnostic.List{}
	}
	return a.diags
}

// kinds finds out which kind each handler is about.
func (a *assembly) kinds() {
	for _, e := range a.entries {
		if e.ofObject() {
			a.binder.Diags = a.quietly(e)
			e.kind = a.binder.Resource(e.fn, e.marker, e.scope)
			a.binder.Diags = a.diags
		}
	}
}

// policy evaluates the marker's policy and fills in those of the operator's defaults that are only known after startup, unless it is of a
// startup handler, or of one that is not retried; the others are the runtime's to fill in.
func (a *assembly) policy(e *entry) model.Policy {
	m := e.marker
	p := a.binder.Policy(m.Retries, m.Timeout, m.Backoff, m.Errors, e.scope)
	if e.on().Has(model.OnStartup) || e.on().Has(model.OnEvent) && !m.Retries.Set && !m.Backoff.Set {
		return p // an event is only handled again if its own marker says so
	}
	if !m.Retries.Set {
		p.Retries.Eval = a.defaults.Retries.Eval
	}
	if !m.Timeout.Set {
		p.Timeout.Eval = a.defaults.Timeout.Eval
	}
	if !m.Backoff.Set {
		p.Backoff.Eval = a.defaults.Backoff.Eval
	}
	return p
}
