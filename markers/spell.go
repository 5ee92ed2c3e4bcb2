package markers

import (
	"go/token"
	"strconv"
	"strings"
)

// isIdent reports whether s is a Go identifier, possibly qualified by a package name.
func isIdent(s string) bool {
	if pkg, name, ok := strings.Cut(s, "."); ok {
		return token.IsIdentifier(pkg) && token.IsIdentifier(name)
	}
	return token.IsIdentifier(s)
}

// quoteLike quotes s for a hint, with back quotes if s has double quotes in it.
func quoteLike(s string) string {
	if strings.Contains(s, `"`) && !strings.Contains(s, "`") {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// withoutBraces turns a map in the notation of other markers, {a: b, c: d}, into a selector.
func withoutBraces(s string) string {
	inner, ok := strings.CutPrefix(strings.TrimSpace(s), "{")
	if inner, closed := strings.CutSuffix(inner, "}"); ok && closed {
		return strings.NewReplacer(": ", "=", ":", "=", ", ", ",").Replace(inner)
	}
	return s
}

// alternatives joins words for a message: "a, b or c".
func alternatives(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
