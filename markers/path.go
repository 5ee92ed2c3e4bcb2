package markers

import "strings"

// path reads a field path. It may be quoted as a whole, or only the keys in brackets may.
func (r *reader) path(v value) (Path, bool) {
	c := bare(v.text, v.at)
	if len(v.lexemes) == 1 && v.lexemes[0].class == quoted {
		var ok bool
		if c, ok = r.content(v); !ok {
			return nil, false
		}
	}
	p := pathReader{reader: r, content: c}
	return p.segments()
}

type pathReader struct {
	*reader
	content
	next int // offset in text
}

func (p *pathReader) segments() (Path, bool) {
	var all Path
	for p.next < len(p.text) {
		var s Segment
		var ok bool
		switch c := p.text[p.next]; {
		case c == '[':
			s, ok = p.key()
		case c == '.' && len(all) == 0:
			return nil, p.fail(p.next, "begin with the name, as in spec.size", "a path begins with a name")
		default:
			if c == '.' {
				p.next++
			}
			s, ok = p.name(len(all) == 0 || c == '.')
		}
		if !ok {
			return nil, false
		}
		all = append(all, s)
	}
	return all, true
}

// name reads a name. It must follow a dot or begin the path.
func (p *pathReader) name(allowed bool) (Segment, bool) {
	from := p.next
	if !allowed {
		return Segment{}, p.fail(from, "", "a dot or a bracket is missing")
	}
	for p.next < len(p.text) && p.text[p.next] != '.' && p.text[p.next] != '[' {
		if c := p.text[p.next]; !plainName(string(c)) {
			return Segment{}, p.fail(p.next, nameHint(p.text, from), "unexpected %q in a field name", []rune(p.text[p.next:])[0])
		}
		p.next++
	}
	if p.next == from {
		return Segment{}, p.fail(min(from, len(p.text)), "", "a name is missing after the dot")
	}
	return Segment{p.pos(p.at[from]), p.text[from:p.next]}, true
}

// key reads a key in brackets and quotes.
func (p *pathReader) key() (Segment, bool) {
	open := p.next
	rest := p.text[open+1:]
	if rest == "" || rest[0] != '"' && rest[0] != '`' {
		if rest != "" && (digit(rest[0]) || rest[0] == '*' || rest[0] == ']') {
			return Segment{}, p.fail(open, "watch the list as a whole", "elements of a list cannot be watched")
		}
		return Segment{}, p.fail(open+1, `write ["key"]`, "a key in brackets needs quotes")
	}
	end := closingQuote(rest)
	if end < 0 {
		return Segment{}, p.fail(open+1, "", "the quote is never closed")
	}
	key, bad, ok := unquote(lexeme{quoted, open + 1, rest[:end+1]})
	if !ok {
		return Segment{}, p.fail(bad, "", "unknown escape in a quoted key")
	}
	if key.text == "" {
		return Segment{}, p.fail(open+1, "", "the key is empty")
	}
	p.next = open + 1 + end + 1
	if p.next == len(p.text) || p.text[p.next] != ']' {
		return Segment{}, p.fail(p.next, "", "a closing bracket is missing")
	}
	p.next++
	return Segment{p.pos(p.at[open+1]), key.text}, true
}

// fail reports a mistake at an offset of the path, which may be its end, and returns false.
func (p *pathReader) fail(i int, hint, format string, args ...any) bool {
	p.errorf(p.content.at[i], codePath, hint, format, args...)
	return false
}

// nameHint suggests brackets for a segment that looks like an annotation or label key.
func nameHint(path string, from int) string {
	if strings.HasPrefix(path, "$") || strings.HasPrefix(path, "{") {
		return "write JSON names with dots between, as in spec.size"
	}
	for _, parent := range []string{"metadata.annotations.", "metadata.labels."} {
		if key, ok := strings.CutPrefix(path, parent); ok {
			return "write " + strings.TrimSuffix(parent, ".") + `["` + key + `"]`
		}
	}
	return `other keys stand in brackets and quotes: ` + strings.TrimSuffix(path[:from], ".") + `["…"]`
}
