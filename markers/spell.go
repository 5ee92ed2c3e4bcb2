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

// cutColon splits name:value, as it is written by who knows another notation.
func cutColon(s string) (name, value string, ok bool) {
	return strings.Cut(s, ":")
}
