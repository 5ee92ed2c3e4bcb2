package model

import (
	"go/types"
	"time"
)

// Policy says how often and how long a handler is tried. What is not set is the operator's default, or the runtime's.
type Policy struct {
	Retries Number
	Timeout Duration
	Backoff Backoff
	Errors  string // "temporary", "permanent", "ignored" or empty
}

// Dynamic reports whether some value is only known at run time, so that a PolicyFunc is needed.
func (p Policy) Dynamic() bool { return len(p.Evals()) > 0 }

// Evals lists what is evaluated at run time.
func (p Policy) Evals() []*Eval {
	var all []*Eval
	for _, e := range []*Eval{p.Retries.Eval, p.Timeout.Eval, p.Backoff.Eval} {
		if e != nil {
			all = append(all, e)
		}
	}
	return all
}

// IsZero reports whether nothing is set.
func (p Policy) IsZero() bool { return p == Policy{} }

// Number is a number of attempts.
type Number struct {
	Value int   // positive; 0 if not set
	None  bool  // kopf.Unlimited
	Eval  *Eval // an expression of an integer type
}

// Duration is a limit of time.
type Duration struct {
	Value time.Duration // positive; 0 if not set
	None  bool          // kopf.Unlimited
	Eval  *Eval         // an expression of type time.Duration
}

// Period is a time to wait, without a default of the operator.
type Period struct {
	Value time.Duration // positive; 0 if not set
	Eval  *Eval         // an expression of type time.Duration
}

// Backoff is a delay between attempts.
type Backoff struct {
	AtOnce bool          // From is kopf.AtOnce
	From   time.Duration // 0 if not set
	To     time.Duration // 0 for a fixed delay
	Eval   *Eval         // an expression of type time.Duration, for From; where it yields 0 or less the next attempt follows at once
}

// Eval is evaluated once after startup: a package variable, or a call of a function that takes providers only.
type Eval struct {
	Var  *Ref
	Func *Func
	Type types.Type
}
