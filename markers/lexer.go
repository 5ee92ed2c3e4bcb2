package markers

import (
	"strconv"
	"strings"
)

// class is what a lexeme is.
type class int

const (
	blank        class = iota
	word               // anything without space, quotes and delimiters
	quoted             // with both quotes
	unterminated       // from a quote that is never closed to the end
	equals
	comma
	semicolon
)

// lexeme is a piece of a marker's text.
type lexeme struct {
	class class
	at    int // offset in the text
	text  string
}

func (l lexeme) end() int { return l.at + len(l.text) }

// lex splits text[from:] into lexemes. Joined, they are that text again: no byte is lost.
func lex(text string, from int) []lexeme {
	var all []lexeme
	for at := from; at < len(text); {
		l := lexeme{at: at}
		l.class, l.text = next(text[at:])
		all = append(all, l)
		at = l.end()
	}
	return all
}

// next returns the first lexeme of a text that is not empty.
func next(s string) (class, string) {
	switch s[0] {
	case '=':
		return equals, s[:1]
	case ',':
		return comma, s[:1]
	case ';':
		return semicolon, s[:1]
	case '"', '`':
		if end := closingQuote(s); end > 0 {
			return quoted, s[:end+1]
		}
		return unterminated, s
	}
	if n := len(s) - len(strings.TrimLeft(s, blanks)); n > 0 {
		return blank, s[:n]
	}
	if n := strings.IndexAny(s, blanks+"=,;\"`"); n > 0 {
		return word, s[:n]
	}
	return word, s
}

// blanks separate words. There are carriage returns in sources with the line endings of Windows.
const blanks = " \t\r"

// closingQuote is the index of the quote that closes the one at s[0], or -1.
func closingQuote(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == s[0]:
			return i
		case s[i] == '\\' && s[0] == '"':
			i++
		}
	}
	return -1
}

// content is the meaning of a quoted or bare text, with the way back to where each of its bytes was written.
type content struct {
	text string
	at   []int // for each byte of text, and for its end, the offset in the marker
}

// bare is the content of text that stands for itself at an offset.
func bare(text string, at int) content {
	c := content{text: text, at: make([]int, len(text)+1)}
	for i := range c.at {
		c.at[i] = at + i
	}
	return c
}

// unquote returns what a quoted lexeme stands for, or the offset of an escape that Go does not know.
func unquote(l lexeme) (c content, badEscape int, ok bool) {
	inner := l.text[1 : len(l.text)-1]
	if l.text[0] == '`' {
		return bare(inner, l.at+1), 0, true
	}
	var b strings.Builder
	for rest := inner; rest != ""; {
		at := l.at + 1 + len(inner) - len(rest)
		r, multibyte, tail, err := strconv.UnquoteChar(rest, '"')
		if err != nil {
			return content{}, at, false
		}
		before := b.Len()
		switch {
		case rest[0] != '\\':
			b.WriteString(rest[:len(rest)-len(tail)]) // as written, even if it is not UTF-8
		case multibyte:
			b.WriteRune(r)
		default:
			b.WriteByte(byte(r))
		}
		for range b.Len() - before {
			c.at = append(c.at, at)
		}
		rest = tail
	}
	c.text, c.at = b.String(), append(c.at, l.end()-1)
	return c, 0, true
}
