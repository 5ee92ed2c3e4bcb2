package diagnostic

import (
	"go/token"
	"regexp"
	"strconv"
)

// printed matches the positions that the go command prints. A column that it does not know may leave a colon behind.
var printed = regexp.MustCompile(`^(.+?):(\d+)(?::(\d*))?$`)

// ParsePosition reads "file:line:column" or "file:line"; the column is 0 if it is missing. If there is no line either, all of the text is the
// name of a file, and the result is false.
func ParsePosition(text string) (token.Position, bool) {
	m := printed.FindStringSubmatch(text)
	if m == nil {
		return token.Position{Filename: text}, false
	}
	line, _ := strconv.Atoi(m[2])
	column, _ := strconv.Atoi(m[3])
	return token.Position{Filename: m[1], Line: line, Column: column}, true
}
