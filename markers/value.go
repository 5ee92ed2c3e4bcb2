package markers

import (
	"go/constant"
	"go/token"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/labels"
)

// Ident is a Go identifier: of the function's own package, or of one that its file imports.
type Ident struct {
	Pos     token.Pos // of the first letter
	Package string    // the import's name in the file, "" for the function's own package
	Name    string
}

// IsZero reports whether there is no identifier, so that the literal counts.
func (id Ident) IsZero() bool { return id.Name == "" }

// String is the identifier as it stands in Go.
func (id Ident) String() string {
	if id.Package == "" {
		return id.Name
	}
	return id.Package + "." + id.Name
}

// Number is a positive integer, "none", or a Go identifier that yields a number.
type Number struct {
	None  bool // lifts the operator's default
	Value int  // 1 to 2^31-1, 0 with None or Ident
	Ident Ident
}

// Duration is a positive duration, "none", or a Go identifier that yields one.
type Duration struct {
	None  bool // lifts the operator's default
	Value time.Duration
	Ident Ident
}

// Backoff is a fixed delay, a range for exponential delays with jitter, or a Go identifier that yields a delay.
type Backoff struct {
	From  time.Duration // the fixed delay if To is 0; 0 with To 0 and no Ident is at once
	To    time.Duration // greater than From, or 0
	Ident Ident
}

// AtOnce reports whether the next attempt follows without a delay.
func (b Backoff) AtOnce() bool { return b.From == 0 && b.To == 0 && b.Ident.IsZero() }

// Selector is a label selector that Kubernetes accepts.
type Selector struct {
	labels.Selector
}

// Literal is a constant. A word without quotes that is neither a number nor true nor false is a string, with Quoted false.
type Literal struct {
	Quoted bool
	Value  constant.Value // String, Bool, Int or Float; exact
}

// Result says where a handler's result goes: to a key of the status or, with None, nowhere.
type Result struct {
	None bool
	Key  string
}

// Test is what a [Criterion] asks of a field.
type Test int

const (
	Present Test = iota + 1 // "*": the field is there, even if null
	Absent                  // "!": it is not
	Equal                   // it equals Criterion.Literal
	Where                   // Criterion.Func returns true
)

// Criterion is the value of value=, old= and new=.
type Criterion struct {
	Test    Test
	Literal Literal // for Equal; a quoted string, a number, true or false
	Func    Ident   // for Where: a func(F, present bool) bool
}

// Path leads to a field of an object. It has at least one segment.
type Path []Segment

// Segment is one step of a path, a JSON name or a key of a map.
type Segment struct {
	Pos  token.Pos // of the name, or of the quote before it
	Name string
}

// Names are the segments without positions.
func (p Path) Names() []string {
	names := make([]string, len(p))
	for i, s := range p {
		names[i] = s.Name
	}
	return names
}

// Dotted joins the names with dots, as Kopf does to append the field to a handler's id. Keys that have dots of their own are not set apart.
func (p Path) Dotted() string {
	return strings.Join(p.Names(), ".")
}

// String is the path as a marker has it.
func (p Path) String() string { return SpellPath(p.Names()) }

// SpellPath writes JSON names as a path in a marker: with dots between, and keys that are not plain names in brackets and quotes.
func SpellPath(names []string) string {
	var b strings.Builder
	for i, name := range names {
		switch {
		case !plainName(name):
			b.WriteString("[" + strconv.Quote(name) + "]")
		case i > 0:
			b.WriteString("." + name)
		default:
			b.WriteString(name)
		}
	}
	return b.String()
}

// plainName reports whether a segment needs no brackets.
func plainName(s string) bool {
	for i := range len(s) {
		if c := s[i]; !letter(c) && !digit(c) && c != '-' {
			return false
		}
	}
	return s != ""
}

func letter(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' }
func digit(c byte) bool  { return '0' <= c && c <= '9' }
