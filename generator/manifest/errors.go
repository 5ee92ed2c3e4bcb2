package manifest

import (
	"go/token"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// errors returns what controller-tools has complained about so far. Syntax and type errors are not among it: the front of the generator
// reports them, and some that appear here are only due to types that were not loaded.
func (w *world) errors() []packages.Error {
	var all []packages.Error
	for _, p := range w.all {
		for _, e := range p.Errors {
			if e.Kind == packages.UnknownError {
				all = append(all, e)
			}
		}
	}
	return all
}

// report turns errors into diagnostics; those without a position go to the place given.
func (w *world) report(errs []packages.Error, otherwise token.Position, diags *diagnostic.List) {
	schema, schemaLines := 0, map[string]bool{}
	for _, e := range errs {
		if !fromCopies(e) {
			schema++
			schemaLines[line(e)] = true
		}
	}
	for _, e := range errs {
		pos, ok := parsePosition(e.Pos)
		if fromCopies(e) && (schemaLines[line(e)] || !ok && schema > 0) {
			continue
		}
		if !ok {
			pos = otherwise
		}
		if strings.Contains(e.Msg, "*ast.Index") {
			diags.Addf(pos, codeSchema, "mark the field with +kubebuilder:validation:Schemaless and +kubebuilder:pruning:PreserveUnknownFields",
				"no schema can be made of a generic type")
			continue
		}
		diags.Addf(pos, codeSchema, "", "%s", strings.TrimSuffix(lowerFirst(e.Msg), "."))
	}
}

// fromCopies tells whether the deep copies complain. Where the schema does, too, it says so better, and in a better place.
func fromCopies(e packages.Error) bool {
	return strings.HasPrefix(e.Msg, "invalid ") && strings.Contains(e.Msg, " type: ") || strings.HasPrefix(e.Msg, "name requested for invalid type")
}

// line is the file and line of an error.
func line(e packages.Error) string {
	pos, _ := parsePosition(e.Pos)
	return pos.Filename + ":" + strconv.Itoa(pos.Line)
}

var position = regexp.MustCompile(`^(.+?):(\d+)(?::(\d+))?$`)

func parsePosition(text string) (token.Position, bool) {
	m := position.FindStringSubmatch(text)
	if m == nil {
		return token.Position{}, false
	}
	line, _ := strconv.Atoi(m[2])
	column, _ := strconv.Atoi(m[3])
	return token.Position{Filename: m[1], Line: line, Column: max(column, 1)}, true
}

func lowerFirst(s string) string {
	if len(s) > 1 && 'A' <= s[0] && s[0] <= 'Z' && !('A' <= s[1] && s[1] <= 'Z') {
		return string(s[0]|0x20) + s[1:]
	}
	return s
}
