package markers

import (
	"go/constant"
	"go/token"
	"strconv"
)

// criterion reads what a field is compared with.
func (r *reader) criterion(v value) (Criterion, bool) {
	l, ok := r.single(v)
	if !ok {
		return Criterion{}, false
	}
	switch {
	case l.text == "*":
		return Criterion{Test: Present}, true
	case l.text == "!":
		return Criterion{Test: Absent}, true
	case l.text == "null" || l.text == "nil":
		r.errorf(v.at, codeCriterion, "write "+v.of+"=! for an absent field", "%q cannot be %s", v.of, l.text)
		return Criterion{}, false
	}
	lit := literalOf(l)
	switch {
	case lit.Quoted || lit.Value.Kind() != constant.String:
		return Criterion{Test: Equal, Literal: lit}, true
	case isIdent(l.text):
		return Criterion{Test: Where, Func: r.ident(l.text, v.at)}, true
	}
	hint := "if it is a string, quote it: " + v.of + "=" + strconv.Quote(l.text)
	r.errorf(v.at, codeCriterion, hint, "%s is not a literal, *, ! or the name of a function", l.text)
	return Criterion{}, false
}

// literal reads any constant.
func (r *reader) literal(v value) (Literal, bool) {
	l, ok := r.single(v)
	if !ok {
		return Literal{}, false
	}
	return literalOf(l), true
}

// literalOf is the constant that a word or a quoted string stands for. Numbers are written as in JSON and kept exactly.
func literalOf(l lexeme) Literal {
	switch {
	case l.class == quoted:
		c, _, _ := unquote(l)
		return Literal{Quoted: true, Value: constant.MakeString(c.text)}
	case l.text == "true" || l.text == "false":
		return Literal{Value: constant.MakeBool(l.text == "true")}
	case jsonNumber.MatchString(l.text):
		if n := exact(l.text); n.Kind() != constant.Unknown {
			return Literal{Value: n}
		}
	}
	return Literal{Value: constant.MakeString(l.text)}
}

// exact is the exact value of a number in JSON's notation.
func exact(s string) constant.Value {
	unsigned, negative := s, s[0] == '-'
	if negative {
		unsigned = s[1:]
	}
	kind := token.INT
	for _, c := range s {
		if c == '.' || c == 'e' || c == 'E' {
			kind = token.FLOAT
		}
	}
	n := constant.MakeFromLiteral(unsigned, kind, 0)
	if negative && n.Kind() != constant.Unknown {
		n = constant.UnaryOp(token.SUB, n, 0)
	}
	return n
}
