package markers

import (
	"regexp"
	"slices"
	"strings"

	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// line is a comment that is a marker or was evidently meant as one.
type line struct {
	text  string // the comment, slashes included
	plus  int    // offset of the '+', or of the first letter if it is missing
	name  lexeme // "on" or "operator" as it should be written; "" if that cannot be told
	value int    // offset after the equals sign; -1 if there is nothing to read
	wrong *wrong // the first deviation from the right spelling
}

// wrong is a mistake in the head of a marker.
type wrong struct {
	at                  int
	code, message, hint string
}

var (
	// plusLine is a line comment that starts with a plus sign and a word: ours or another tool's. What looks like a space before it, or
	// like nothing, may be a character that another program has put into copied text.
	plusLine = regexp.MustCompile(`^//([\t\p{Z}\p{Cf}]*)\+([ \t]*)([A-Za-z0-9_]+)`)
	// directive is how the Go tools spell directives, and plainLine a marker that lacks its plus sign.
	directive = regexp.MustCompile(`^//(kopf:)[A-Za-z]`)
	plainLine = regexp.MustCompile(`^//[ \t]*((?i:kopf):(?i:on|operator))[ \t]*=`)
	// headRest is what follows the word kopf: something that separates, the marker's name, and what should be an equals sign.
	headRest = regexp.MustCompile(`^([ \t:.\-_=/]*)([A-Za-z]*)([ \t]*=|[ \t:.]*)`)
	// assigned is the name of one of our markers after another word, as in +kpof:on=create.
	assigned = regexp.MustCompile(`^[ \t:.\-]*(?i:on|operator)[ \t]*[=:]`)
	// blockLine is a line of a block comment that starts like a marker.
	blockLine = regexp.MustCompile(`(?m)^(?:/\*+|[ \t]*\**)[ \t]*(\+[ \t]*(?i:kopf)\b)`)
)

// readLine recognises a line comment that is one of our markers, correctly spelled or not.
func readLine(comment string) (line, bool) {
	if m := plusLine.FindStringSubmatchIndex(comment); m != nil {
		l := line{text: comment, plus: m[4] - 1, value: -1}
		indent, gap, owner := comment[m[2]:m[3]], comment[m[4]:m[5]], comment[m[6]:m[7]]
		rest := comment[m[7]:]
		if !ours(owner, rest) {
			return line{}, false
		}
		l.head(m[7])
		switch {
		case strings.Trim(indent, " \t") != "":
			l.misspelled(m[2], "an invisible character before the marker", "")
		case indent != "" && indent != " ":
			l.misspelled(l.plus, "an indented marker would become an example", "; an example in a comment has slashes of its own")
		case gap != "":
			l.misspelled(m[4], "a space after the plus sign", "")
		case owner != "kopf":
			l.misspelled(m[6], "a marker starts with +kopf:, not +"+owner, "")
		}
		return l, true
	}
	if m := directive.FindStringSubmatchIndex(comment); m != nil {
		return withoutPlus(comment, m[2]), true
	}
	if m := plainLine.FindStringSubmatchIndex(comment); m != nil {
		return withoutPlus(comment, m[2]), true
	}
	return line{}, false
}

func withoutPlus(comment string, at int) line {
	l := line{text: comment, plus: at, value: -1}
	l.head(at + len("kopf"))
	l.misspelled(at, "a marker starts with a plus sign", "")
	return l
}

// ours reports whether the word after a plus sign means kopf, so that the markers of other tools are left alone.
func ours(word, rest string) bool {
	word = strings.ToLower(word)
	return strings.HasPrefix(word, "kopf") || diagnostic.Distance(word, "kopf") <= 2 && assigned.MatchString(rest)
}

// head reads what follows the word kopf: the marker's name and the equals sign.
func (l *line) head(from int) {
	m := headRest.FindStringSubmatchIndex(l.text[from:])
	separator, name, assign := l.text[from:from+m[3]], l.text[from+m[4]:from+m[5]], l.text[from+m[6]:from+m[7]]
	nameAt, assignAt, end := from+m[4], from+m[6], from+m[7]
	if name == "" || strings.Trim(l.text[nameAt:], blanks) == "" {
		l.wrong = &wrong{nameAt, codeUnknownMarker, "incomplete marker", usage}
		return
	}
	canonical := canonicalName(name)
	if canonical == "" {
		l.wrong = l.unknown(nameAt, name, strings.TrimLeft(l.text[assignAt:], blanks+":=."))
		return
	}
	l.name = lexeme{word, nameAt, canonical}
	if rest := strings.TrimLeft(l.text[end:], blanks); !strings.Contains(assign, "=") && (rest == "" || rest[0] == ',') ||
		strings.Trim(assign, blanks) != "=" && beginsArgument(lex(l.text, end)) {
		l.wrong = &wrong{nameAt, codeNoValue, "+kopf:" + canonical + " has no value", usage}
		return
	}
	l.value = end
	switch {
	case separator != ":":
		l.misspelled(from, "a colon separates kopf from the marker's name", "")
	case name != canonical:
		if strings.EqualFold(name, canonical) {
			l.misspelled(nameAt, "markers are in lower case", "")
		} else {
			l.misspelled(nameAt, "unknown marker +kopf:"+name, "")
			l.wrong.code = codeUnknownMarker
		}
	case strings.Trim(assign, blanks) != "=":
		l.misspelled(assignAt, "an equals sign follows +kopf:"+canonical, "")
	}
}

const usage = "write //+kopf:on=<kind> on a function, //+kopf:operator=<name> above the package clause"

// unknown is the mistake of a marker whose name means nothing.
func (l *line) unknown(at int, name, rest string) *wrong {
	w := &wrong{at, codeUnknownMarker, "unknown marker +kopf:" + name, usage}
	switch {
	case isKind(strings.ToLower(name)):
		w.hint = "write //+kopf:on=" + strings.ToLower(name)
	case handlers.has(name):
		w.hint = "the first argument is on: +kopf:on=<kind>," + name + "=" + firstWord(rest)
	}
	return w
}

// misspelled records a deviation, with the right spelling of the whole line as its way out, unless an earlier one is known.
func (l *line) misspelled(at int, message, more string) {
	if l.wrong != nil && l.wrong.at <= at {
		return
	}
	hint := usage
	if l.value >= 0 {
		hint = "write " + l.spelled()
	}
	l.wrong = &wrong{at, codeSpelling, message, hint + more}
}

// spelled is the line as it should be written.
func (l *line) spelled() string {
	return "//+kopf:" + l.name.text + "=" + strings.Trim(l.text[l.value:], blanks)
}

// markerNames are the names of the markers.
var markerNames = []string{"on", "operator"}

// canonicalName is the marker's name that was meant, or "".
func canonicalName(name string) string {
	if slices.Contains(markerNames, name) {
		return name
	}
	if isKind(strings.ToLower(name)) || handlers.has(name) || operators.has(name) {
		return ""
	}
	return diagnostic.Nearest(name, markerNames)
}

// firstWord is the first word of the text of a marker, or "".
func firstWord(s string) string {
	for _, l := range lex(s, 0) {
		if l.class == word {
			return l.text
		}
	}
	return ""
}
