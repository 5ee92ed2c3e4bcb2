// Package diagnostic holds what kopfgen says about an author's mistakes: a position on the exact token, a code, a reason and a way out.
//
// It is the one thing that all stages of the generator share. The stages add diagnostics to a [List] and go
// on, so that one run reports everything; the command prints the list once, sorted, and writes no file if it holds an error.
// What the codes mean is declared by the stages themselves, each in a [Table].
package diagnostic

import (
	"go/token"
	"strings"
)

// Diagnostic is one mistake in an author's source.
type Diagnostic struct {
	// Pos is the first byte of the offending token. Columns count bytes from 1, as those of the Go compiler do.
	Pos token.Position
	// Code names the kind of mistake, "KG012"; a Table explains it.
	Code string
	// Message says what is wrong: lower case, no full stop.
	Message string
	// Hint is the way out, if there is one that can be told in a line.
	Hint string
	// Warning marks what the author should know, but does not keep the generator from writing.
	Warning bool
}

// Error renders "file:line:col: message (KG012)", and the hint on an indented line below.
func (d Diagnostic) Error() string {
	var b strings.Builder
	b.WriteString(d.Pos.String())
	b.WriteString(": ")
	if d.Warning {
		b.WriteString("warning: ")
	}
	b.WriteString(d.Message)
	if d.Code != "" {
		b.WriteString(" (" + d.Code + ")")
	}
	if d.Hint != "" {
		b.WriteString("\n\t" + d.Hint)
	}
	return b.String()
}
