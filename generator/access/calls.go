package access

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/schema"
	"github.com/kopfgen/kopfgen/generator/source"
	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// use is what a function of the packages client and children does with objects of the type that it is called for.
type use struct {
	verbs       []string
	subresource string
	// client means that the client needs to know the type, child that it becomes a child.
	client, child bool
	// argument is the index of the argument whose type counts, for functions without type parameters.
	argument int
}

// uses are those functions by package and name.
var uses = map[string]map[string]use{
	model.ClientPath: {
		"Get":         {verbs: []string{"get"}, client: true},
		"List":        {verbs: []string{"list"}, client: true},
		"Create":      {verbs: []string{"create"}, client: true},
		"Apply":       {verbs: []string{"create", "patch"}, client: true},
		"Patch":       {verbs: []string{"patch"}, client: true},
		"PatchStatus": {verbs: []string{"patch"}, subresource: "status", client: true},
		"Delete":      {verbs: []string{"delete"}, client: true},
	},
	model.ChildrenPath: {
		"Apply":  {verbs: []string{"create", "get", "patch"}, child: true},
		"Create": {verbs: []string{"create", "get"}, child: true},
		"Prune":  {verbs: []string{"delete", "list"}},
		"Delete": {verbs: []string{"delete", "get"}, argument: 3},
	},
}

func useOf(fn *types.Func) (use, bool) {
	if fn.Pkg() == nil {
		return use{}, false
	}
	u, ok := uses[fn.Pkg().Path()][fn.Name()]
	return u, ok
}

// Finder looks through the packages of one operator.
type Finder struct {
	Program  *source.Program
	Catalog  *schema.Catalog
	Packages []*source.Package
	Diags    *diagnostic.List

	// callers are the instances of the author's own generic functions, owners the functions that type parameters belong to.
	callers map[*types.Func][]types.Instance
	owners  map[*types.TypeParam]owner
	found   map[*types.TypeName]*model.Access
}

// owner is where a type parameter stands.
type owner struct {
	fn    *types.Func
	index int
}

// Find lists what the code does with other objects, sorted by type.
func (f *Finder) Find() []*model.Access {
	f.callers, f.owners, f.found = map[*types.Func][]types.Instance{}, map[*types.TypeParam]owner{}, map[*types.TypeName]*model.Access{}
	f.index()
	for _, pkg := range f.Packages {
		for _, file := range pkg.Files {
			ast.Inspect(file.File, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					f.argument(pkg.Info, call)
				}
				if id, ok := n.(*ast.Ident); ok {
					f.instance(pkg.Info, id)
				}
				return true
			})
		}
	}
	f.unseen()
	all := make([]*model.Access, 0, len(f.found))
	for _, a := range f.found {
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b *model.Access) int {
		x, y := a.Type.Obj(), b.Type.Obj()
		return cmp.Or(cmp.Compare(x.Pkg().Path(), y.Pkg().Path()), cmp.Compare(x.Name(), y.Name()))
	})
	return all
}

// index notes which functions have which type parameters, and what they are called with.
func (f *Finder) index() {
	for _, pkg := range f.Packages {
		for _, obj := range pkg.Info.Defs {
			fn, ok := obj.(*types.Func)
			if !ok {
				continue
			}
			for i, param := range slices.Collect(fn.Signature().TypeParams().TypeParams()) {
				f.owners[param] = owner{fn, i}
			}
		}
		for id, instance := range pkg.Info.Instances {
			if fn, ok := pkg.Info.Uses[id].(*types.Func); ok {
				f.callers[fn.Origin()] = append(f.callers[fn.Origin()], instance)
			}
		}
	}
}

// instance looks at one mention of a generic function.
func (f *Finder) instance(info *types.Info, id *ast.Ident) {
	instance, ok := info.Instances[id]
	if !ok {
		return
	}
	fn, ok := info.Uses[id].(*types.Func)
	if !ok {
		return
	}
	if u, ok := useOf(fn); ok {
		f.note(u, fn, instance.TypeArgs.At(0), id.Pos(), map[*types.TypeParam]bool{})
	}
}

// argument looks at one call of a function that is not generic.
func (f *Finder) argument(info *types.Info, call *ast.CallExpr) {
	var id *ast.Ident
	switch fun := call.Fun.(type) {
	case *ast.SelectorExpr:
		id = fun.Sel
	case *ast.Ident:
		id = fun
	default:
		return
	}
	fn, ok := info.Uses[id].(*types.Func)
	if !ok {
		return
	}
	if u, ok := useOf(fn); ok && u.argument > 0 && u.argument < len(call.Args) {
		f.note(u, fn, info.TypeOf(call.Args[u.argument]), id.Pos(), map[*types.TypeParam]bool{})
	}
}

// note remembers a use of a type. A type parameter stands for every type that its function is called for.
func (f *Finder) note(u use, fn *types.Func, t types.Type, pos token.Pos, done map[*types.TypeParam]bool) {
	if t == nil {
		return // the compiler has said why
	}
	t, _ = schema.Deref(types.Unalias(t))
	if param, ok := t.(*types.TypeParam); ok {
		owner, known := f.owners[param]
		if known && !done[param] {
			done[param] = true
			for _, caller := range f.callers[owner.fn] {
				f.note(u, fn, caller.TypeArgs.At(owner.index), pos, done)
			}
		}
		if known && len(f.callers[owner.fn]) > 0 {
			return
		}
	}
	kind, ok := f.Catalog.Of(t)
	if !ok || !kind.Complete() {
		f.lost(fn, t, pos)
		return
	}
	name := kind.Type.Obj()
	a := f.found[name]
	if a == nil {
		a = &model.Access{Type: kind.Type, Group: kind.Group, Version: kind.Version, Kind: kind.Name, Plural: kind.Plural, Namespaced: kind.Namespaced}
		f.found[name] = a
	}
	a.Client, a.Child = a.Client || u.client, a.Child || u.child
	verbs := &a.Verbs
	if u.subresource != "" {
		verbs = &a.StatusVerbs
	}
	*verbs = merge(*verbs, u.verbs)
}

// lost reports a use that cannot be followed.
func (f *Finder) lost(fn *types.Func, t types.Type, pos token.Pos) {
	call := fn.Pkg().Name() + "." + fn.Name()
	f.Diags.Add(diagnostic.Diagnostic{
		Pos: f.Program.Position(pos), Code: codeUnseen, Warning: true,
		Message: "the rights that " + call + " of " + types.TypeString(t, short) + " needs are not known",
		Hint:    "call it with a type whose API group is known, or add a +kubebuilder:rbac marker",
	})
}

func short(p *types.Package) string { return p.Name() }

// merge adds words to a sorted list.
func merge(list, more []string) []string {
	list = append(slices.Clone(list), more...)
	slices.Sort(list)
	return slices.Compact(list)
}
