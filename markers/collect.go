package markers

import (
	"go/ast"
	"go/token"

	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// Collect finds and reads all markers of a file that was parsed with comments, and reports every mistake to diags.
// Markers with mistakes are returned as well, with Faulty set, so that what is right about them can be checked further.
func Collect(fset *token.FileSet, file *ast.File, diags *diagnostic.List) File {
	c := &collector{fset: fset, diags: diags, places: newPlaces(fset, file)}
	byDecl := map[*ast.FuncDecl][]*Handler{}
	var found File
	for _, group := range file.Comments {
		for _, comment := range group.List {
			if comment.Text[1] == '*' {
				c.block(comment)
				continue
			}
			l, ok := readLine(comment.Text)
			if !ok {
				continue
			}
			place := c.places.of(group)
			if c.misplaced(comment, l, place) {
				continue
			}
			switch r := c.reader(comment, l); l.name.text {
			case "on":
				h := r.handler(c.arguments(r, l, handlers))
				h.Pos, h.Text, h.Faulty = r.pos(l.plus), l.text[l.plus:], r.faulty
				byDecl[place.function] = append(byDecl[place.function], h)
			case "operator":
				o := r.operator(c.arguments(r, l, operators))
				o.Pos, o.Text, o.Faulty = r.pos(l.plus), l.text[l.plus:], r.faulty
				found.Operators = append(found.Operators, o)
			}
		}
	}
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && len(byDecl[f]) > 0 {
			found.Functions = append(found.Functions, Function{Decl: f, Handlers: byDecl[f]})
		}
	}
	return found
}

type collector struct {
	fset   *token.FileSet
	diags  *diagnostic.List
	places *places
}

// reader returns a reader for the text of a comment, and reports what is wrong with the marker's head.
func (c *collector) reader(comment *ast.Comment, l line) *reader {
	r := &reader{reporter{fset: c.fset, base: comment.Slash, diags: c.diags}}
	if l.wrong != nil {
		r.errorf(l.wrong.at, l.wrong.code, l.wrong.hint, "%s", l.wrong.message)
	}
	return r
}

// arguments splits the text after the marker's head. If the head could not be read, there is only the first argument, without a value.
func (c *collector) arguments(r *reader, l line, takes definition) []argument {
	if l.value < 0 {
		return []argument{{name: l.name}}
	}
	s := syntax{reporter: r.reporter, takes: takes}
	args := s.parse(l.text, l.name, l.value)
	r.faulty = r.faulty || s.faulty
	return args
}

// misplaced reports whether a marker stands where it means nothing, after adding a diagnostic that says so.
// Of a marker whose name cannot be told, only that is reported.
func (c *collector) misplaced(comment *ast.Comment, l line, at place) bool {
	if l.name.text == "" {
		c.reader(comment, l)
		return true
	}
	var code, message, hint string
	switch operator := l.name.text == "operator"; {
	case operator && at.pkg, !operator && at.function != nil:
		return false
	case operator:
		code, message, hint = codeMisplaced, "+kopf:operator stands "+at.description, "it belongs above the package clause"
	case at.detached:
		code, message, hint = codeDetached, "+kopf:on belongs to no function", at.hint
	default:
		code, message, hint = codeMisplaced, "+kopf:on stands "+at.description, "it belongs on the function that handles the event"
	}
	c.diags.Addf(c.fset.Position(comment.Slash+token.Pos(l.plus)), code, hint, "%s", message)
	return true
}

// block reports the markers in a block comment.
func (c *collector) block(comment *ast.Comment) {
	for _, m := range blockLine.FindAllStringSubmatchIndex(comment.Text, -1) {
		c.diags.Addf(c.fset.Position(comment.Slash+token.Pos(m[2])), codeBlockComment,
			"write it in a line comment: //+kopf:…", "a marker in a block comment")
	}
}
