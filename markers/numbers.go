package markers

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var (
	wholeNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)
	days        = regexp.MustCompile(`^([0-9]{1,4})d$`)
	jsonNumber  = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)
)

// number reads a positive integer, none or an identifier.
func (r *reader) number(v value) (Number, bool) {
	const takes = "a whole number, none or a Go identifier"
	w, ok := r.bare(v, takes)
	switch {
	case !ok:
		return Number{}, false
	case w == "none":
		return Number{None: true}, true
	case isIdent(w):
		return Number{Ident: r.ident(w, v.at)}, true
	case !wholeNumber.MatchString(w):
		r.errorf(v.at, codeValue, "", "%q takes %s, not %q", v.of, takes, w)
		return Number{}, false
	}
	n, err := strconv.ParseInt(w, 10, 64)
	switch {
	case strings.HasPrefix(w, "-"):
		r.errorf(v.at, codeRange, "leave it out for no limit", "%q cannot be negative", v.of)
		return Number{}, false
	case n == 0:
		r.errorf(v.at, codeRange, "leave it out for no limit; none lifts a default of the operator", "%s=0 would allow no attempt at all", v.of)
		return Number{}, false
	case err != nil || n > math.MaxInt32:
		r.errorf(v.at, codeRange, "leave it out for no limit", "%q is too large", v.of)
		return Number{}, false
	}
	return Number{Value: int(n)}, true
}

// duration reads a positive duration, none or an identifier.
func (r *reader) duration(v value) (Duration, bool) {
	w, ok := r.bare(v, "a duration, none or a Go identifier")
	switch {
	case !ok:
		return Duration{}, false
	case w == "none":
		return Duration{None: true}, true
	case isIdent(w):
		return Duration{Ident: r.ident(w, v.at)}, true
	}
	d, ok := r.time(v.of, w, v.at)
	if ok && d == 0 {
		r.errorf(v.at, codeRange, "leave it out for no limit; none lifts a default of the operator", "%s=%s would allow no attempt at all", v.of, w)
		return Duration{}, false
	}
	return Duration{Value: d}, ok
}

// period reads a positive duration or an identifier.
func (r *reader) period(v value) (Duration, bool) {
	w, ok := r.bare(v, "a duration or a Go identifier")
	switch {
	case !ok:
		return Duration{}, false
	case w == "none":
		r.errorf(v.at, codeValue, "leave the argument out", "%q takes a duration or a Go identifier", v.of)
		return Duration{}, false
	case isIdent(w):
		return Duration{Ident: r.ident(w, v.at)}, true
	}
	d, ok := r.time(v.of, w, v.at)
	if ok && d == 0 {
		r.errorf(v.at, codeRange, "leave the argument out", "%q must be above zero", v.of)
		return Duration{}, false
	}
	return Duration{Value: d}, ok
}

// backoff reads a duration, a range of durations or an identifier.
func (r *reader) backoff(v value) (Backoff, bool) {
	w, ok := r.bare(v, "a duration, a range such as 1s..5m or a Go identifier")
	if !ok {
		return Backoff{}, false
	}
	if from, to, ok := strings.Cut(w, ".."); ok {
		return r.backoffRange(v, from, to)
	}
	if w == "none" {
		r.errorf(v.at, codeValue, "write backoff=0s to try again at once", "%q takes a duration, a range such as 1s..5m or a Go identifier", v.of)
		return Backoff{}, false
	}
	if isIdent(w) {
		return Backoff{Ident: r.ident(w, v.at)}, true
	}
	d, ok := r.time(v.of, w, v.at)
	return Backoff{From: d}, ok
}

func (r *reader) backoffRange(v value, from, to string) (Backoff, bool) {
	toAt := v.at + len(from) + len("..")
	lo, okFrom := r.end(v.of, from, v.at)
	hi, okTo := r.end(v.of, to, toAt)
	switch {
	case !okFrom || !okTo:
		return Backoff{}, false
	case lo == 0:
		r.errorf(v.at, codeRange, "begin with a short delay, such as 100ms.."+to, "a range cannot begin with 0")
		return Backoff{}, false
	case hi <= lo:
		r.errorf(toAt, codeRange, "", "the range ends with %s, which is not more than %s", to, from)
		return Backoff{}, false
	}
	return Backoff{From: lo, To: hi}, true
}

// end reads one end of a range.
func (r *reader) end(of, s string, at int) (time.Duration, bool) {
	if s == "" || isIdent(s) {
		r.errorf(at, codeDuration, "", "a range needs two durations, such as 1s..5m")
		return 0, false
	}
	return r.time(of, s, at)
}

// time reads a duration that is not negative.
func (r *reader) time(of, s string, at int) (time.Duration, bool) {
	d, err := time.ParseDuration(s)
	switch {
	case err != nil:
		r.errorf(at, codeDuration, durationHint(s), "%q is not a duration", s)
		return 0, false
	case d < 0:
		r.errorf(at, codeRange, "", "%q cannot be negative", of)
		return 0, false
	}
	return d, true
}

func durationHint(s string) string {
	if wholeNumber.MatchString(s) {
		return "it needs a unit: " + s + "s, " + s + "m or " + s + "h"
	}
	if m := days.FindStringSubmatch(s); m != nil {
		n, _ := strconv.Atoi(m[1])
		return "there is no unit for days: write " + strconv.Itoa(24*n) + "h"
	}
	return "durations are written as 500ms, 30s, 5m or 1h30m"
}
