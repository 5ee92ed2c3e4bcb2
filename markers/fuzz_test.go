package markers

import (
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

var seeds = []string{
	"on=create", `on=create;update,kind=Foo,labels="a in (b,c)",retries=3`, "on=field,field=a[\"b.c\"].d,value=`x`", `on=create,id="a\"b`,
	"on = create , kind=Foo extra,=x,;;", "on={a,b},labels={a: b}", "operator=x,packages=./a;./b", "on=delete,optional,optional=true,backoff=1s..5m",
	`on=create,labels="\xffa\u00e4,,(",annotations=a b`, "on:create", " On=create", "on=create kind=Foo // x", "on=update,field=`a[\"`,old=!,new=*",
}

// FuzzLex: the lexemes of a text, joined, are the text, and each has its offset.
func FuzzLex(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		for _, l := range lex(text, 0) {
			if l.at != at || l.text == "" {
				t.Fatalf("%q: lexeme %+v at %d", text, l, at)
			}
			at = l.end()
			if l.class == quoted {
				c, bad, ok := unquote(l)
				if ok && len(c.at) != len(c.text)+1 {
					t.Fatalf("%q: %d offsets for %d bytes", l.text, len(c.at), len(c.text))
				}
				if !ok && (bad <= l.at || bad >= l.end()) {
					t.Fatalf("%q: bad escape at %d", l.text, bad-l.at)
				}
				if !slices.IsSorted(c.at) {
					t.Fatalf("%q: offsets %v", l.text, c.at)
				}
			}
		}
		if joined := join(lex(text, 0)); joined != text {
			t.Fatalf("%q became %q", text, joined)
		}
	})
}

func join(lexemes []lexeme) string {
	var b strings.Builder
	for _, l := range lexemes {
		b.WriteString(l.text)
	}
	return b.String()
}

// FuzzMarker: whatever follows the prefix, nothing panics, every position is inside the comment, and text that is in no argument was
// reported.
func FuzzMarker(f *testing.F) {
	for _, s := range seeds {
		f.Add(":" + s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsAny(text, "\n\r\x00\ufeff") || !utf8.ValidString(text) {
			return // Go would not accept such a comment, or not keep it as it stands
		}
		comment := "//+kopf" + text
		const before = "package p\n"
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "h.go", before+comment+"\nfunc F() {}\n", parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		var diags diagnostic.List
		found := Collect(fset, file, &diags)
		for _, d := range diags.Sorted() {
			if d.Pos.Line != 2 || d.Pos.Column < 1 || d.Pos.Column > len(comment)+1 {
				t.Errorf("%q: position out of range: %v", comment, d)
			}
			if d.Message == "" || strings.Contains(d.Message, "\n") || strings.Contains(d.Message, "%!") && !strings.Contains(text, "%") {
				t.Errorf("%q: message %q", comment, d.Message)
			}
		}
		if diags.Len() == 0 && len(found.Functions) == 0 {
			t.Errorf("%q is ignored in silence", comment)
		}
		if diags.Len() == 0 {
			rebuild(t, comment, found.Functions[0].Handlers[0])
		}
	})
}

// rebuild puts a marker without mistakes together again from its arguments; only blanks may be missing. And every argument must be set.
func rebuild(t *testing.T, comment string, h *Handler) {
	t.Helper()
	l, _ := readLine(comment)
	s := syntax{reporter: reporter{fset: token.NewFileSet(), diags: &diagnostic.List{}}, takes: handlers}
	var args []string
	for _, a := range s.parse(l.text, l.name, l.value) {
		var items []string
		for _, v := range a.items {
			items = append(items, v.text)
		}
		args = append(args, a.name.text+"="+strings.Join(items, ";"))
		if a.name.text == "on" {
			if len(h.On) != len(items) {
				t.Errorf("%q has %d kinds", comment, len(h.On))
			}
		} else if !isSet(h, handlers.FieldNames[a.name.text]) {
			t.Errorf("%q: %s is not set", comment, a.name.text)
		}
	}
	kept := strings.Join(args, ",")
	var text strings.Builder
	for _, x := range lex(comment, l.name.at) {
		if x.class != blank {
			text.WriteString(x.text)
		}
	}
	if kept != text.String() {
		t.Errorf("%q lost text: %q is left", comment, kept)
	}
}
