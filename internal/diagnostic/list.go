package diagnostic

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strings"
)

// List collects the diagnostics of a run. The zero value is an empty list. It is not safe for concurrent use.
type List struct {
	all []Diagnostic
}

// Add appends d.
func (l *List) Add(d Diagnostic) {
	l.all = append(l.all, d)
}

// Addf appends an error at pos; the message is formatted, the hint (may be empty) is taken as it is.
func (l *List) Addf(pos token.Position, code, hint, format string, args ...any) {
	l.Add(Diagnostic{Pos: pos, Code: code, Hint: hint, Message: fmt.Sprintf(format, args...)})
}

// Len is the number of diagnostics added so far. A stage compares it before and after to learn whether it reported anything.
func (l *List) Len() int {
	return len(l.all)
}

// Sorted returns the diagnostics by file, line, column, code and text, each once however often it was added.
func (l *List) Sorted() []Diagnostic {
	sorted := slices.Clone(l.all)
	slices.SortFunc(sorted, compare)
	return slices.Compact(sorted)
}

// Err returns nil if nothing but warnings were added, else an [Errors] with all errors, sorted and without warnings.
func (l *List) Err() error {
	errs := slices.DeleteFunc(l.Sorted(), func(d Diagnostic) bool { return d.Warning })
	if len(errs) == 0 {
		return nil
	}
	return Errors(errs)
}

// Errors is a non-empty list of diagnostics as one error. [errors.As] finds the single Diagnostic in it.
type Errors []Diagnostic

// Error renders all diagnostics, one after the other.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, d := range e {
		lines[i] = d.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the single diagnostics.
func (e Errors) Unwrap() []error {
	errs := make([]error, len(e))
	for i, d := range e {
		errs[i] = d
	}
	return errs
}

// compare orders by place first, then by what is said. The byte offset is left out: it follows from line and column.
func compare(a, b Diagnostic) int {
	return cmp.Or(
		cmp.Compare(a.Pos.Filename, b.Pos.Filename),
		cmp.Compare(a.Pos.Line, b.Pos.Line),
		cmp.Compare(a.Pos.Column, b.Pos.Column),
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(a.Message, b.Message),
		cmp.Compare(a.Hint, b.Hint),
	)
}
