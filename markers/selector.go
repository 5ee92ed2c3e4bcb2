package markers

import (
	"strings"

	"k8s.io/apimachinery/pkg/labels"
)

// selector reads a quoted label selector. The name of a function, which may stand in its place, is not supported yet.
func (r *reader) selector(v value) (Selector, bool) {
	l, ok := r.single(v)
	if !ok {
		return Selector{}, false
	}
	if l.class == word {
		r.errorf(v.at, codeNotYet, "if it is a label's name, quote it: "+v.of+"="+quoteLike(l.text),
			"functions for %q are not supported yet", v.of)
		return Selector{}, false
	}
	c, ok := r.content(v)
	if !ok {
		return Selector{}, false
	}
	// Kubernetes' parser reports no positions, so it is asked about one requirement at a time.
	for _, req := range requirements(c.text) {
		part := c.text[req.from:req.to]
		at := c.at[req.from+len(part)-len(strings.TrimLeft(part, " \t"))]
		if strings.TrimSpace(part) == "" {
			r.errorf(at, codeSelector, "requirements are separated by single commas", "empty requirement in the selector of %q", v.of)
			ok = false
			continue
		}
		if _, err := labels.Parse(part); err != nil {
			r.errorf(at, codeSelector, selectorHint(v.of, part), "bad selector: %s", selectorError(err))
			ok = false
		}
	}
	if !ok {
		return Selector{}, false
	}
	parsed, err := labels.Parse(c.text)
	if err != nil {
		r.errorf(v.at, codeSelector, "", "bad selector: %s", selectorError(err))
		return Selector{}, false
	}
	return Selector{parsed}, true
}

type span struct{ from, to int }

// requirements splits a selector at the commas outside parentheses.
func requirements(s string) []span {
	var parts []span
	depth, from := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth = max(0, depth-1)
		case ',':
			if depth == 0 {
				parts = append(parts, span{from, i})
				from = i + 1
			}
		}
	}
	return append(parts, span{from, len(s)})
}

// selectorError is the reason that Kubernetes gives, on one line and without what is clear from the context.
func selectorError(err error) string {
	s := strings.Join(strings.Fields(err.Error()), " ")
	for _, prefix := range []string{"unable to parse requirement: ", "<nil>: "} {
		s = strings.TrimPrefix(s, prefix)
	}
	s, _, _ = strings.Cut(s, " (e.g. ") // examples and a regular expression
	return s
}

func selectorHint(arg, requirement string) string {
	if strings.Contains(requirement, "*") {
		return "selectors have no wildcards; use when= for more"
	}
	if arg == "annotations" {
		return `annotation values that no label could hold are tested with field=metadata.annotations["…"] and value=`
	}
	return "requirements are written as a=b, a!=b, a in (b,c), a notin (b,c), a, !a"
}
