package markers

import (
	"fmt"
	"go/ast"
	"go/token"
)

// place is what a comment group stands on or in.
type place struct {
	function    *ast.FuncDecl // it belongs to this function
	pkg         bool          // it belongs to the package
	detached    bool          // it belongs to nothing
	description string        // for a message: "on type Greeter"
	hint        string        // for detached ones
}

// places knows where the comment groups of a file stand.
type places struct {
	fset  *token.FileSet
	file  *ast.File
	owned map[*ast.CommentGroup]place
	ends  map[int]bool // lines on which a declaration or the package clause ends
}

// newPlaces finds out which comment groups belong to functions and to the package: the doc comment, and the group that ends exactly one
// blank line above it.
func newPlaces(fset *token.FileSet, file *ast.File) *places {
	p := &places{fset: fset, file: file, owned: map[*ast.CommentGroup]place{}, ends: map[int]bool{}}
	p.ends[p.line(file.Name.End())] = true
	for _, decl := range file.Decls {
		p.ends[p.line(decl.End()-1)] = true
		switch d := decl.(type) {
		case *ast.GenDecl:
			p.own(d.Doc, place{description: "on " + declared(d)})
		case *ast.FuncDecl:
			p.own(d.Doc, onFunction(d))
		}
	}
	pkg := place{pkg: true, description: "above the package clause"}
	p.own(file.Doc, pkg)

	free := map[int]*ast.CommentGroup{} // by the line on which they end
	for _, group := range file.Comments {
		if _, owned := p.owned[group]; !owned && p.around(group) == nil && !p.ends[p.line(group.Pos())] {
			free[p.line(group.End()-1)] = group
		}
	}
	p.own(free[p.top(file.Doc, file.Package)-2], pkg)
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok {
			p.own(free[p.top(f.Doc, f.Pos())-2], onFunction(f))
		}
	}
	return p
}

func (p *places) own(group *ast.CommentGroup, by place) {
	if group != nil {
		p.owned[group] = by
	}
}

func onFunction(f *ast.FuncDecl) place {
	return place{function: f, description: "on function " + f.Name.Name}
}

// line is the line of a position in the file itself, whatever line directives say.
func (p *places) line(pos token.Pos) int {
	return p.fset.PositionFor(pos, false).Line
}

// top is the first line of a declaration with its doc comment.
func (p *places) top(doc *ast.CommentGroup, pos token.Pos) int {
	if doc != nil {
		pos = doc.Pos()
	}
	return p.line(pos)
}

// around is the declaration that a group stands in, or nil.
func (p *places) around(group *ast.CommentGroup) ast.Decl {
	for _, decl := range p.file.Decls {
		if decl.Pos() <= group.Pos() && group.Pos() < decl.End() {
			return decl
		}
	}
	return nil
}

// of finds the place of a comment group.
func (p *places) of(group *ast.CommentGroup) place {
	if owned, ok := p.owned[group]; ok {
		return owned
	}
	if decl := p.around(group); decl != nil {
		return place{description: inside(decl, group)}
	}
	if p.ends[p.line(group.Pos())] {
		return place{description: "after code on the same line"}
	}
	return place{detached: true, description: "far from the package clause", hint: p.wayOut(group)}
}

// wayOut is the hint for a detached group.
func (p *places) wayOut(group *ast.CommentGroup) string {
	for _, decl := range p.file.Decls {
		if decl.Pos() < group.Pos() {
			continue
		}
		f, ok := decl.(*ast.FuncDecl)
		if !ok {
			break
		}
		return fmt.Sprintf("move it into the comment of %s, or leave exactly one blank line above that", f.Name.Name)
	}
	return "move it into the comment of the function that handles the event"
}

// inside describes where in a declaration a group stands.
func inside(decl ast.Decl, group *ast.CommentGroup) string {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		return "inside function " + d.Name.Name
	case *ast.GenDecl:
		description := "inside " + declared(d)
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Field:
				if n.Doc == group || n.Comment == group {
					description = "on a field of " + declared(d)
				}
			case *ast.TypeSpec:
				if n.Doc == group || n.Comment == group {
					description = "on type " + n.Name.Name
				}
			case *ast.ValueSpec:
				if n.Doc == group || n.Comment == group {
					description = "on " + what(d.Tok) + " " + n.Names[0].Name
				}
			}
			return true
		})
		return description
	}
	return "inside a declaration"
}

// declared names what a declaration declares: "type Greeter", "a group of types".
func declared(d *ast.GenDecl) string {
	if len(d.Specs) == 1 {
		switch s := d.Specs[0].(type) {
		case *ast.TypeSpec:
			return "type " + s.Name.Name
		case *ast.ValueSpec:
			return what(d.Tok) + " " + s.Names[0].Name
		}
	}
	if d.Tok == token.IMPORT {
		return "an import"
	}
	return "a group of " + what(d.Tok) + "s"
}

func what(tok token.Token) string {
	switch tok {
	case token.VAR:
		return "variable"
	case token.CONST:
		return "constant"
	}
	return "type"
}
