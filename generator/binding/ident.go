package binding

import (
	"go/ast"
	"go/constant"
	"go/types"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/source"
	"github.com/kopfgen/kopfgen/internal/diagnostic"
	"github.com/kopfgen/kopfgen/markers"
)

// Scope is the file that identifiers of a marker are looked up from.
type Scope struct {
	Package *source.Package
	File    *source.File
}

// lookup finds what an identifier in a marker names, or reports that there is no such thing and returns nil; instead says what to write if no
// identifier was meant.
func (b *Binder) lookup(id markers.Ident, from Scope, instead string) types.Object {
	scope, pkg := from.Package.Types.Scope(), from.Package.Types
	if id.Package != "" {
		name, ok := b.imported(id.Package, from)
		if !ok {
			b.errorf(id.Pos, codeUndefined, "import it, or "+instead, "the file imports no package %s", id.Package)
			return nil
		}
		scope, pkg = name.Imported().Scope(), name.Imported()
	}
	obj := scope.Lookup(id.Name)
	if obj == nil {
		if from.Package.Broken {
			return nil
		}
		hint := diagnostic.DidYouMean(id.Name, visible(scope, pkg != from.Package.Types))
		if hint == "" {
			hint = "declare it, or " + instead
		}
		b.errorf(id.Pos, codeUndefined, hint, "undefined: %s", id)
		return nil
	}
	// A constant is evaluated now, so generated code need not name it.
	if _, isConst := obj.(*types.Const); !model.CanName(obj, b.Operator) && !isConst || pkg != from.Package.Types && !obj.Exported() {
		b.unnameable(id.Pos, obj)
		return nil
	}
	return obj
}

func (b *Binder) imported(name string, from Scope) (*types.PkgName, bool) {
	scope := from.Package.Info.Scopes[from.File.File]
	if scope == nil {
		return nil, false
	}
	pkg, ok := scope.Lookup(name).(*types.PkgName)
	return pkg, ok
}

func visible(scope *types.Scope, exportedOnly bool) []string {
	var names []string
	for _, name := range scope.Names() {
		if !exportedOnly || ast.IsExported(name) {
			names = append(names, name)
		}
	}
	return names
}

// FunctionOf finds a function by an identifier; use says what it is for, and instead what to write if no function was meant.
func (b *Binder) FunctionOf(id markers.Ident, from Scope, use, instead string) (Function, bool) {
	switch obj := b.lookup(id, from, instead).(type) {
	case nil:
	case *types.Func:
		return b.function(obj, from), true
	default:
		hint := "name a function"
		if c, ok := obj.(*types.Const); ok && c.Val().Kind() != constant.Unknown {
			hint += ", or write the value: " + c.Val().ExactString()
		}
		b.errorf(id.Pos, codeIdentType, hint, "%s is a %s, and %s takes a function", id, objectKind(obj), use)
	}
	return Function{}, false
}

// function finds the declaration of a function, if its package was loaded with syntax.
func (b *Binder) function(obj *types.Func, from Scope) Function {
	fn := Function{Object: obj, Package: from.Package, File: from.File}
	if pkg := b.Program.Find(obj.Pkg().Path()); pkg != nil {
		fn.Package = pkg
		if f := pkg.FileOf(obj.Pos()); f != nil {
			fn.File = f
			for _, decl := range f.Decls {
				if d, ok := decl.(*ast.FuncDecl); ok && d.Name.Pos() == obj.Pos() {
					fn.Decl = d
				}
			}
		}
	}
	return fn
}

func objectKind(obj types.Object) string {
	switch obj.(type) {
	case *types.Const:
		return "constant"
	case *types.Var:
		return "variable"
	case *types.TypeName:
		return "type"
	case *types.Func:
		return "function"
	}
	return "package"
}

// evaluate finds the value of an identifier that stands for a number or a duration: of a constant at once, else what to evaluate after startup.
func (b *Binder) evaluate(id markers.Ident, from Scope, want Want) (constant.Value, *model.Eval, bool) {
	return b.evaluateObject(b.lookup(id, from, want.Literal), id, from, want)
}

// evaluateObject is evaluate for what the identifier was found to name.
func (b *Binder) evaluateObject(obj types.Object, id markers.Ident, from Scope, want Want) (constant.Value, *model.Eval, bool) {
	switch obj := obj.(type) {
	case nil:
		return nil, nil, false
	case *types.Const:
		// Any integer will do for a number, but an untyped one is not a duration: it has no unit.
		v := constant.ToInt(obj.Val())
		if v.Kind() == constant.Int && (want.Fits(obj.Type()) || want.Fits(types.Default(obj.Type()))) {
			return v, nil, true
		}
	case *types.Var:
		if invalid(obj.Type(), 0) {
			return nil, nil, false
		}
		if want.Fits(obj.Type()) {
			return nil, &model.Eval{Var: &model.Ref{Package: obj.Pkg(), Name: obj.Name()}, Type: obj.Type()}, true
		}
	case *types.Func:
		f, ok := b.Bind(b.function(obj, from), Site{Role: Switch, Result: want, Marker: id.Pos})
		if !ok {
			return nil, nil, false
		}
		return nil, &model.Eval{Func: f, Type: f.Result}, true
	default:
		b.errorf(id.Pos, codeIdentType, "name a constant, a variable or a function of type "+want.Spelling, "%s is a %s", id, objectKind(obj))
		return nil, nil, false
	}
	if invalid(obj.Type(), 0) {
		return nil, nil, false
	}
	b.errorf(id.Pos, codeIdentType, "declare it as "+want.Spelling, "%s is of type %s, not %s", id, spell(obj.Type(), from), want.Spelling)
	return nil, nil, false
}
