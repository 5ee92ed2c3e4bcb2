package essence

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// digestSize is how much of a SHA-256 is kept: enough for states of one object, and a multiple of three, so that base64 needs no padding.
const digestSize = 12

// Digest returns 16 characters that stand for a value: two values have the same digest exactly if the diff between them is empty. Since it
// is stored, it must mean the same in every process and version.
func Digest(v any) string {
	sum := sha256.Sum256(Canonical(v))
	return base64.RawURLEncoding.EncodeToString(sum[:digestSize])
}

// Equal tells whether two values of decoded JSON are the same state: like tree.Equal, but a null member is an absent one.
func Equal(a, b any) bool {
	if Absent(a) || Absent(b) {
		return Absent(a) && Absent(b)
	}
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && sameMembers(a, b)
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, Equal)
	}
	return tree.Equal(a, b)
}

// sameMembers looks at each value once: to compare both ways would double the work with each level of depth.
func sameMembers(a, b map[string]any) bool {
	for key, value := range a {
		if !Equal(value, b[key]) {
			return false
		}
	}
	for key, value := range b {
		if Absent(a[key]) && !Absent(value) {
			return false
		}
	}
	return true
}

// Absent tells whether a value stands for nothing: a null, or the nil map of a state that is not there.
func Absent(v any) bool {
	m, ok := v.(map[string]any)
	return v == nil || ok && m == nil
}

// Canonical returns the one form of a value of decoded JSON that all its spellings share: compact JSON, members sorted and without nulls,
// integers in full, whole numbers without a fraction. It panics for types that decoded JSON does not have.
func Canonical(v any) []byte { return appendValue(nil, v) }

func appendValue(out []byte, v any) []byte {
	if Absent(v) {
		return append(out, "null"...)
	}
	switch v := v.(type) {
	case bool:
		return strconv.AppendBool(out, v)
	case string:
		return appendString(out, v)
	case int64:
		return strconv.AppendInt(out, v, 10)
	case float64:
		if i, ok := asInteger(v); ok {
			return strconv.AppendInt(out, i, 10)
		}
		return strconv.AppendFloat(out, v, 'g', -1, 64)
	case []any:
		out = append(out, '[')
		for i, element := range v {
			if i > 0 {
				out = append(out, ',')
			}
			out = appendValue(out, element)
		}
		return append(out, ']')
	case map[string]any:
		out = append(out, '{')
		first := true
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if Absent(v[key]) {
				continue
			}
			if !first {
				out = append(out, ',')
			}
			first = false
			out = append(appendString(out, key), ':')
			out = appendValue(out, v[key])
		}
		return append(out, '}')
	}
	panic(fmt.Sprintf("%T is not decoded JSON", v))
}

// appendString escapes what JSON must have escaped and nothing else. It is spelled out here because what libraries escape beyond that
// changes between them and their versions.
func appendString(out []byte, s string) []byte {
	out = append(out, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c < ' ':
			out = fmt.Appendf(out, `\u%04x`, c)
		default:
			out = append(out, c)
		}
	}
	return append(out, '"')
}

// asInteger returns the integer that equals f, if there is one of 64 bits.
func asInteger(f float64) (int64, bool) {
	if f != math.Trunc(f) || f < math.MinInt64 || f >= -math.MinInt64 {
		return 0, false
	}
	return int64(f), true
}
