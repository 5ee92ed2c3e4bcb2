package markers

import (
	"strings"

	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// argument is name=value as it was written.
type argument struct {
	name  lexeme
	items []value // one, or several for arguments that take a list; none if the text was faulty
}

// value is one written value: lexemes without space between them.
type value struct {
	of      string // the argument's name, for messages
	at      int
	text    string
	lexemes []lexeme
}

// syntax splits the text of a marker into arguments and reports what is malformed.
//
// Every byte of the text ends in an argument or is covered by a diagnostic. After a mistake it goes on at the next comma, or where
// a name and an equals sign begin a new argument.
type syntax struct {
	reporter
	takes definition // to know lists and selectors from other values
	rest  []lexeme
	args  []argument
}

// parse reads the arguments in text[from:]; the first one's name has been read already.
func (s *syntax) parse(text string, first lexeme, from int) []argument {
	s.rest = lex(text, from)
	s.value(first)
	for len(s.rest) > 0 {
		if s.rest[0].class == comma {
			s.argument()
		} else {
			s.named() // the missing comma has been reported
		}
	}
	return s.args
}

// argument reads a comma and the argument after it.
func (s *syntax) argument() {
	separator := s.rest[0]
	s.rest = s.rest[1:]
	s.skipBlanks()
	switch {
	case len(s.rest) == 0:
		s.errorf(separator.at, codeSeparator, "remove it; a marker is one line", "nothing follows the last comma")
		return
	case s.rest[0].class == comma:
		s.errorf(s.rest[0].at, codeSeparator, "remove it", "one comma too many")
		return
	case s.rest[0].class != word:
		if s.reportQuotes(s.rest[0]) {
			s.errorf(s.rest[0].at, codeLostText, "arguments are name=value", "%s where an argument should begin", s.rest[0].text)
		}
		s.rest = s.rest[1:]
		s.skip()
		return
	}
	s.named()
}

// named reads an argument from its name on.
func (s *syntax) named() {
	name := s.rest[0]
	if !s.beginsArgument() {
		s.noValue(name)
		return
	}
	s.rest = s.rest[1:]
	s.skipBlanks()
	s.rest = s.rest[1:] // the equals sign
	s.value(name)
}

// noValue reports a name without an equals sign.
func (s *syntax) noValue(name lexeme) {
	s.rest = s.rest[1:]
	s.skipBlanks()
	hint, last := "", ""
	if n := len(s.args); n > 0 {
		last = s.args[n-1].name.text
	}
	known, after, colon := strings.Cut(name.text, ":")
	switch {
	case last == "on" && isKind(name.text):
		hint = "kinds are separated by semicolons: on=…;" + name.text
	case colon && s.takes.has(known):
		hint = "write " + known + "=" + after
	case s.takes.form(name.text) == "bool":
		hint = "write " + name.text + "=true"
	case s.takes.has(name.text) && len(s.rest) > 0 && s.rest[0].class != comma:
		hint = "write " + name.text + "=" + s.rest[0].text
	case !s.takes.has(name.text):
		hint = diagnostic.DidYouMean(name.text, s.takes.names())
	}
	s.errorf(name.at, codeNoValue, hint, "%q has no value", name.text)
	s.skip()
}

// value reads the value of the named argument up to the comma after it.
func (s *syntax) value(name lexeme) {
	s.args = append(s.args, argument{name: name})
	arg := &s.args[len(s.args)-1]
	s.skipBlanks()
	if len(s.rest) == 0 || s.rest[0].class == comma {
		hint := "leave the argument out, or give it a value"
		if name.text == s.takes.names()[0] {
			hint = usage
		}
		s.errorf(name.at, codeNoValue, hint, "%q has no value", name.text)
		return
	}
	form := s.takes.form(name.text)
	if form == "selector" && s.bareSelector() {
		s.unquotedSelector(name)
		return
	}
	if s.braces() {
		return
	}
	list := isList(form)
	for {
		item, ok := s.item(name.text)
		if ok {
			arg.items = append(arg.items, item)
		}
		s.skipBlanks()
		if len(s.rest) == 0 || s.rest[0].class == comma {
			break
		}
		if !s.another(name.text, list) {
			break
		}
	}
}

// item reads adjacent lexemes as one value. It is not ok if there are none or a quote in them is bad, which has been reported then.
func (s *syntax) item(of string) (value, bool) {
	v, ok := value{of: of}, true
	for len(s.rest) > 0 {
		l := s.rest[0]
		if l.class == blank || l.class == comma || l.class == semicolon {
			break
		}
		ok = s.reportQuotes(l) && ok
		v.lexemes, v.text = append(v.lexemes, l), v.text+l.text
		s.rest = s.rest[1:]
	}
	if len(v.lexemes) == 0 {
		return v, false
	}
	v.at = v.lexemes[0].at
	return v, ok
}

// another deals with what follows a value and is not a comma. It reports whether one more item of the same argument begins here.
func (s *syntax) another(name string, list bool) bool {
	l := s.rest[0]
	if l.class == semicolon {
		s.rest = s.rest[1:]
		s.skipBlanks()
		switch {
		case s.beginsArgument():
			s.errorf(l.at, codeSeparator, "write a comma", "a semicolon between arguments")
			return false
		case !list:
			s.errorf(l.at, codeLostText, "text with a semicolon needs quotes", "%q takes one value", name)
			s.skip()
			return false
		case len(s.rest) == 0 || s.rest[0].class == comma || s.rest[0].class == semicolon:
			s.errorf(l.at, codeSeparator, "remove it", "one semicolon too many")
			return len(s.rest) > 0 && s.rest[0].class == semicolon
		}
		return true
	}
	if s.beginsArgument() {
		s.errorf(l.at, codeSeparator, "write a comma before "+l.text, "no comma between arguments")
		return false
	}
	hint := "a value with spaces needs quotes"
	if strings.HasPrefix(l.text, "//") || strings.HasPrefix(l.text, "#") {
		hint = "remarks stand on a line of their own"
	}
	s.errorf(l.at, codeLostText, hint, "text after the value of %q", name)
	s.skip()
	return false
}

// beginsArgument reports whether a word and an equals sign come next.
func (s *syntax) beginsArgument() bool {
	return beginsArgument(s.rest)
}

func beginsArgument(rest []lexeme) bool {
	if len(rest) == 0 || rest[0].class != word {
		return false
	}
	i := 1
	if i < len(rest) && rest[i].class == blank {
		i++
	}
	return i < len(rest) && rest[i].class == equals
}

// bareSelector reports whether the value that begins here is a selector that lacks its quotes, not the name of a function.
func (s *syntax) bareSelector() bool {
	if s.rest[0].class != word {
		return false
	}
	if !isIdent(s.rest[0].text) {
		return true
	}
	rest := s.rest[1:]
	if len(rest) > 0 && rest[0].class == blank {
		rest = rest[1:]
	}
	return len(rest) > 0 && rest[0].class != comma && !beginsArgument(rest)
}

// unquotedSelector reports a bare selector once, up to the next known argument, since its own commas and equals signs say nothing about where it ends.
func (s *syntax) unquotedSelector(name lexeme) {
	end := len(s.rest)
	for i, l := range s.rest {
		if l.class != comma {
			continue
		}
		behind := s.rest[i+1:]
		if len(behind) > 0 && behind[0].class == blank {
			behind = behind[1:]
		}
		if beginsArgument(behind) && s.takes.has(behind[0].text) {
			end = i
			break
		}
	}
	text := ""
	for _, l := range s.rest[:end] {
		text += l.text
	}
	s.errorf(s.rest[0].at, codeSelectorQuotes, "write "+name.text+"="+quoteLike(withoutBraces(text)), "a selector needs quotes")
	s.rest = s.rest[end:]
}

// braces reports a list in the notation of other markers, and whether there was one.
func (s *syntax) braces() bool {
	if s.rest[0].class != word || s.rest[0].text[0] != '{' {
		return false
	}
	s.errorf(s.rest[0].at, codeValue, "lists are written a;b", "braces around a list")
	for len(s.rest) > 0 {
		l := s.rest[0]
		s.rest = s.rest[1:]
		if strings.HasSuffix(l.text, "}") {
			break
		}
	}
	s.skip()
	return true
}

// reportQuotes reports a quote that is never closed, and escapes that Go does not know.
func (s *syntax) reportQuotes(l lexeme) bool {
	switch l.class {
	case unterminated:
		s.errorf(l.at, codeQuote, "close it on the same line", "the quote is never closed")
		return false
	case quoted:
		if _, at, ok := unquote(l); !ok {
			s.errorf(at, codeQuote, "write \\\\ for a backslash, or use back quotes", "unknown escape in a quoted string")
			return false
		}
	}
	return true
}

func (s *syntax) skipBlanks() {
	if len(s.rest) > 0 && s.rest[0].class == blank {
		s.rest = s.rest[1:]
	}
}

// skip goes to the next comma, or to where an argument begins without one.
func (s *syntax) skip() {
	for len(s.rest) > 0 && s.rest[0].class != comma && !s.beginsArgument() {
		s.rest = s.rest[1:]
	}
}
