package emit

import "github.com/dave/jennifer/jen"

// entry is one field of a composite literal.
type entry struct {
	name  string
	value jen.Code
}

// literal collects the fields of a composite literal, row by row: the fields of a row stand on one line.
type literal struct{ rows [][]jen.Code }

// row adds a row; fields whose value is nil are left out, and so is the row if nothing is left.
func (l *literal) row(entries ...entry) {
	var row []jen.Code
	for _, e := range entries {
		if e.value != nil {
			row = append(row, jen.Id(e.name).Op(":").Add(e.value))
		}
	}
	if len(row) > 0 {
		l.rows = append(l.rows, row)
	}
}

// lines prints the literal with a line for each row, after a type that may be left out.
func (l *literal) lines(of *jen.Statement) *jen.Statement {
	lines := make([]jen.Code, len(l.rows))
	for i, row := range l.rows {
		lines[i] = jen.List(row...)
	}
	return of.Custom(jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}, lines...)
}

// line prints the literal on one line.
func (l *literal) line(of *jen.Statement) *jen.Statement {
	var all []jen.Code
	for _, row := range l.rows {
		all = append(all, row...)
	}
	return of.Values(all...)
}

// text is a string literal, or nil for the empty string.
func text(s string) jen.Code {
	if s == "" {
		return nil
	}
	return jen.Lit(s)
}

// yes is true, or nil.
func yes(b bool) jen.Code {
	if !b {
		return nil
	}
	return jen.True()
}

// fieldPath prints a path as a slice of strings, or nil for none.
func fieldPath(names []string) jen.Code {
	if len(names) == 0 {
		return nil
	}
	return jen.Index().String().Values(lits(names)...)
}

// paths prints a list of paths, or nil for none.
func paths(list [][]string) jen.Code {
	if len(list) == 0 {
		return nil
	}
	values := make([]jen.Code, len(list))
	for i, names := range list {
		values[i] = jen.Values(lits(names)...)
		if names == nil {
			values[i] = jen.Nil()
		}
	}
	return jen.Index().Index().String().Values(values...)
}

func lits(words []string) []jen.Code {
	list := make([]jen.Code, len(words))
	for i, w := range words {
		list[i] = jen.Lit(w)
	}
	return list
}
