package binding

import (
	"go/constant"
	"go/types"
	"math"
	"time"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/markers"
)

// Want is a type that an identifier must have.
type Want struct {
	Spelling string
	// Literal says what to write instead of an identifier.
	Literal string
	Fits    func(types.Type) bool
}

// The types that an argument may demand of an identifier.
var (
	Bool     = Want{"bool", "leave the argument out", identical(types.Typ[types.Bool])}
	Int      = Want{"int", "write a number", identical(types.Typ[types.Int])}
	Duration = Want{"time.Duration", "write a duration such as 10s", is("time", "Duration")}
)

// Policy evaluates the arguments that say how often and how long a handler is tried.
func (b *Binder) Policy(retries markers.Arg[markers.Number], timeout markers.Arg[markers.Duration], backoff markers.Arg[markers.Backoff],
	errors markers.Arg[string], from Scope,
) model.Policy {
	p := model.Policy{
		Retries: model.Number{Value: retries.Value.Value, None: retries.Value.None},
		Timeout: model.Duration{Value: timeout.Value.Value, None: timeout.Value.None},
		Backoff: model.Backoff{From: backoff.Value.From, To: backoff.Value.To, AtOnce: backoff.Set && backoff.Value.AtOnce()},
		Errors:  errors.Value,
	}
	if id := retries.Value.Ident; !id.IsZero() {
		if v, eval, ok := b.evaluate(id, from, Int); ok {
			p.Retries.Eval = eval
			if eval == nil {
				p.Retries.Value = b.positive(id, v, math.MaxInt32, "an integer")
			}
		}
	}
	if id := timeout.Value.Ident; !id.IsZero() {
		if v, eval, ok := b.evaluate(id, from, Duration); ok {
			p.Timeout.Eval = eval
			if eval == nil {
				p.Timeout.Value = time.Duration(b.positive(id, v, math.MaxInt64, "a duration"))
			}
		}
	}
	if id := backoff.Value.Ident; !id.IsZero() {
		if v, eval, ok := b.evaluate(id, from, Duration); ok {
			p.Backoff.Eval = eval
			if eval == nil {
				n, exact := constant.Int64Val(v)
				switch {
				case !exact || n < 0:
					b.errorf(id.Pos, codeIdentType, "", "%s is negative", id)
				case n == 0:
					p.Backoff.AtOnce = true
				default:
					p.Backoff.From = time.Duration(n)
				}
			}
		}
	}
	return p
}

// Period evaluates an argument that is a time to wait.
func (b *Binder) Period(arg markers.Arg[markers.Duration], from Scope) model.Period {
	id := arg.Value.Ident
	if id.IsZero() {
		return model.Period{Value: arg.Value.Value}
	}
	return b.periodOf(b.lookup(id, from, Duration.Literal), id, from)
}

// periodOf is Period for what the identifier names.
func (b *Binder) periodOf(obj types.Object, id markers.Ident, from Scope) model.Period {
	v, eval, ok := b.evaluateObject(obj, id, from, Duration)
	if !ok || eval != nil {
		return model.Period{Eval: eval}
	}
	n, exact := constant.Int64Val(v)
	if !exact || n <= 0 {
		b.errorf(id.Pos, codeIdentType, "leave the argument out", "%s is %s, but must be a duration above zero", id, time.Duration(n))
		return model.Period{}
	}
	return model.Period{Value: time.Duration(n)}
}

// positive returns the value of a constant, or reports that it is zero, negative or too large.
func (b *Binder) positive(id markers.Ident, v constant.Value, limit int64, what string) int {
	n, exact := constant.Int64Val(v)
	if !exact && constant.Sign(v) > 0 || n > limit {
		b.errorf(id.Pos, codeIdentType, "write none for no limit", "%s is %s, which is too large", id, v)
		return 0
	}
	if !exact || n <= 0 {
		b.errorf(id.Pos, codeIdentType, "leave the argument out for the default, or write none for no limit", "%s is %s, but must be %s above zero", id, v, what)
		return 0
	}
	return int(n)
}
