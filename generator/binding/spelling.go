package binding

import (
	"go/ast"
	"go/types"
	"strconv"
)

// typeExpr returns the syntax of the i-th type of a list of parameters or results.
func typeExpr(list *ast.FieldList, i int) ast.Expr {
	if list == nil {
		return nil
	}
	for _, field := range list.List {
		n := max(len(field.Names), 1)
		if i < n {
			return field.Type
		}
		i -= n
	}
	return nil
}

// typeText prints the type of the i-th parameter as the author wrote it.
func (c *call) typeText(i int) string {
	if c.fn.Decl != nil {
		if expr := typeExpr(c.fn.Decl.Type.Params, i); expr != nil {
			return types.ExprString(expr)
		}
	}
	return c.spell(c.sig.Params().At(i).Type())
}

// spell prints a type as it reads in the function's file.
func (c *call) spell(t types.Type) string { return spell(t, Scope{c.fn.Package, c.fn.File}) }

// spell prints a type as it reads in a file.
func spell(t types.Type, in Scope) string {
	return types.TypeString(t, func(p *types.Package) string {
		switch {
		case p == in.Package.Types:
			return ""
		case in.File == nil:
			return p.Name()
		}
		for _, spec := range in.File.Imports {
			if spec.Name != nil && spec.Path.Value == strconv.Quote(p.Path()) {
				return spec.Name.Name
			}
		}
		if p.Path() == "k8s.io/apimachinery/pkg/apis/meta/v1" {
			return "metav1"
		}
		return p.Name()
	})
}
