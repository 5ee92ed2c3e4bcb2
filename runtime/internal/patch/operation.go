package patch

import (
	"strconv"
	"strings"

	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// operation is one of a JSON patch (RFC 6902). It is a map because a test for null has a value, and a removal has none.
type operation map[string]any

func test(path string, value any) operation {
	return operation{"op": "test", "path": path, "value": value}
}

func addition(path string, value any) operation {
	return operation{"op": "add", "path": path, "value": value}
}

func replacement(path string, value any) operation {
	return operation{"op": "replace", "path": path, "value": value}
}

func removal(path string) operation { return operation{"op": "remove", "path": path} }

// within tells whether the operation is at a path or below.
func (o operation) within(path string) bool {
	rest, ok := strings.CutPrefix(o["path"].(string), path)
	return ok && (rest == "" || rest[0] == '/')
}

// difference returns the operations that turn one object into another. Libraries for this decode integers to floats, and so change
// those beyond 2^53; trees keep them exact.
func difference(from, to map[string]any) []operation { return differObjects(nil, "", from, to) }

func differ(ops []operation, path string, from, to any) []operation {
	switch to := to.(type) {
	case map[string]any:
		if from, ok := from.(map[string]any); ok {
			return differObjects(ops, path, from, to)
		}
	case []any:
		if from, ok := from.([]any); ok {
			return differLists(ops, path, from, to)
		}
	}
	if tree.Equal(from, to) {
		return ops
	}
	return append(ops, replacement(path, to))
}

func differObjects(ops []operation, path string, from, to map[string]any) []operation {
	for _, name := range tree.Names(from, to) {
		below := path + "/" + escape.Replace(name)
		was, had := from[name]
		is, has := to[name]
		switch {
		case !has:
			ops = append(ops, removal(below))
		case !had:
			ops = append(ops, addition(below, is))
		default:
			ops = differ(ops, below, was, is)
		}
	}
	return ops
}

// differLists leaves equal elements at both ends alone and changes those between in place. It is safe because the version is
// tested, and short where one of many elements has changed.
func differLists(ops []operation, path string, from, to []any) []operation {
	shorter := min(len(from), len(to))
	head := 0
	for head < shorter && tree.Equal(from[head], to[head]) {
		head++
	}
	tail := 0
	for tail < shorter-head && tree.Equal(from[len(from)-1-tail], to[len(to)-1-tail]) {
		tail++
	}
	at := func(i int) string { return path + "/" + strconv.Itoa(i) }
	both := head
	for ; both < shorter-tail; both++ {
		ops = differ(ops, at(both), from[both], to[both])
	}
	for i := both; i < len(to)-tail; i++ {
		ops = append(ops, addition(at(i), to[i]))
	}
	for i := len(from) - tail - 1; i >= both; i-- {
		ops = append(ops, removal(at(i)))
	}
	return ops
}

// escape makes a name a part of a JSON pointer (RFC 6901).
var escape = strings.NewReplacer("~", "~0", "/", "~1")
