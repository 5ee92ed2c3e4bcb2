package markers

import (
	"path"
	"slices"
	"strings"

	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// reader turns values into typed ones and reports those that do not fit. Its methods return false when they have reported something.
type reader struct {
	reporter
}

// put reads a value into its argument. What is not understood leaves the argument unset.
func put[T any](r *reader, dst *Arg[T], arg argument, read func(value) (T, bool)) {
	v := arg.items[0]
	if x, ok := read(v); ok {
		*dst = Arg[T]{Set: true, Name: r.pos(arg.name.at), Pos: r.pos(v.at), Text: v.text, Value: x}
	}
}

// single returns the lexeme of a value that is one word or one quoted string.
func (r *reader) single(v value) (lexeme, bool) {
	first := v.lexemes[0]
	if i := slices.IndexFunc(v.lexemes, func(l lexeme) bool { return l.class == equals }); i >= 0 && first.class != quoted {
		r.errorf(v.lexemes[i].at, codeLostText, "text with an equals sign needs quotes", "an equals sign in the value of %q", v.of)
		return first, false
	}
	switch {
	case len(v.lexemes) > 1 && first.class == quoted:
		r.errorf(v.lexemes[1].at, codeLostText, "quote the whole value", "text after the closing quote of %q", v.of)
		return first, false
	case len(v.lexemes) > 1:
		r.errorf(v.lexemes[1].at, codeQuote, "quote the whole value", "a quote in the middle of the value of %q", v.of)
		return first, false
	case strings.HasPrefix(first.text, "'"):
		r.errorf(v.at, codeQuote, "use double or back quotes", "single quotes do not quote")
		return first, false
	}
	return first, true
}

// bare returns the word of a value that takes no quotes; takes says what is expected.
func (r *reader) bare(v value, takes string) (string, bool) {
	l, ok := r.single(v)
	if !ok {
		return "", false
	}
	if l.class == quoted {
		c, _, _ := unquote(l)
		hint := ""
		if w, rest := next(c.text + ","); w == word && rest == c.text {
			hint = "write " + v.of + "=" + c.text
		}
		r.errorf(v.at, codeValue, hint, "%q takes %s, not a quoted string", v.of, takes)
		return "", false
	}
	return l.text, true
}

// content returns the content of a value that may be quoted and is not empty.
func (r *reader) content(v value) (content, bool) {
	l, ok := r.single(v)
	if !ok {
		return content{}, false
	}
	c := bare(l.text, l.at)
	if l.class == quoted {
		c, _, _ = unquote(l)
	}
	if strings.TrimSpace(c.text) == "" {
		r.errorf(v.at, codeNoValue, "leave the argument out, or give it a value", "%q is empty", v.of)
		return c, false
	}
	return c, true
}

// checked returns a reader for text that has to pass a check of its own; check returns what is wrong.
func (r *reader) checked(check func(string) string) func(value) (string, bool) {
	return func(v value) (string, bool) {
		c, ok := r.content(v)
		if !ok {
			return "", false
		}
		if wrong := check(c.text); wrong != "" {
			r.errorf(v.at, codeName, wrong, "%q cannot be %q", v.of, c.text)
			return "", false
		}
		return c.text, true
	}
}

// group reads an API group; the core group is "".
func (r *reader) group(v value) (string, bool) {
	if v.text == `""` || v.text == "``" {
		return "", true
	}
	return r.checked(subdomain)(v)
}

// oneOf returns a reader for a word of a fixed set.
func (r *reader) oneOf(words ...string) func(value) (string, bool) {
	return func(v value) (string, bool) {
		c, ok := r.content(v)
		if !ok {
			return "", false
		}
		if !slices.Contains(words, c.text) {
			hint := diagnostic.DidYouMean(c.text, words)
			r.errorf(v.at, codeValue, hint, "%q takes %s, not %q", v.of, alternatives(words), c.text)
			return "", false
		}
		return c.text, true
	}
}

// bool reads true or false.
func (r *reader) bool(v value) (bool, bool) {
	w, ok := r.bare(v, "true or false")
	if !ok {
		return false, false
	}
	if w != "true" && w != "false" {
		hint := diagnostic.DidYouMean(w, []string{"true", "false"})
		r.errorf(v.at, codeValue, hint, `%q takes true or false, not %q`, v.of, w)
		return false, false
	}
	return w == "true", true
}

// function reads the name of a Go function.
func (r *reader) function(v value) (Ident, bool) {
	const takes = "the name of a Go function"
	w, ok := r.bare(v, takes)
	if !ok {
		return Ident{}, false
	}
	if !isIdent(w) {
		hint := ""
		if name, call := strings.CutSuffix(w, "()"); call && isIdent(name) {
			hint = "write " + v.of + "=" + name
		}
		r.errorf(v.at, codeValue, hint, "%q takes %s, not %q", v.of, takes, w)
		return Ident{}, false
	}
	return r.ident(w, v.at), true
}

// ident splits an identifier that stands at an offset.
func (r *reader) ident(s string, at int) Ident {
	pkg, name, ok := strings.Cut(s, ".")
	if !ok {
		pkg, name = "", s
	}
	return Ident{Pos: r.pos(at), Package: pkg, Name: name}
}

// glob reads the name of an object or namespace, with the wildcards of path.Match.
func (r *reader) glob(v value) (string, bool) {
	c, ok := r.content(v)
	if !ok {
		return "", false
	}
	if i := strings.IndexAny(c.text, "/,!= \t"); i >= 0 {
		r.errorf(c.at[i], codeName, "a name or a pattern with * ? [a-z]; use when= for more", "%q cannot contain %q", v.of, c.text[i:i+1])
		return "", false
	}
	if _, err := path.Match(c.text, ""); err != nil {
		r.errorf(v.at, codeName, "wildcards are * ? [a-z]", "%q is not a valid pattern", c.text)
		return "", false
	}
	return c.text, true
}

// result reads a status key or none.
func (r *reader) result(v value) (Result, bool) {
	if v.text == "none" {
		return Result{None: true}, true
	}
	c, ok := r.content(v)
	return Result{Key: c.text}, ok
}

// patterns reads a list of package patterns.
func (r *reader) patterns(arg argument) Arg[[]Item[string]] {
	a := Arg[[]Item[string]]{Name: r.pos(arg.name.at), Pos: r.pos(arg.items[0].at)}
	for i, v := range arg.items {
		c, ok := r.content(v)
		if !ok {
			continue
		}
		if i > 0 {
			a.Text += ";"
		}
		a.Text += v.text
		a.Value = append(a.Value, Item[string]{r.pos(v.at), c.text})
	}
	a.Set = len(a.Value) > 0
	return a
}
