package binding

import (
	"fmt"
	"strconv"
	"strings"
)

// pathSyntax is a mistake in a path.
type pathSyntax struct {
	offset  int
	message string
}

// splitPath splits a path as in markers: names with dots between, and keys in brackets and quotes.
func splitPath(text string) (path []string, offsets []int, mistake *pathSyntax) {
	for i := 0; i < len(text); {
		switch {
		case text[i] == '[':
			end := strings.IndexByte(text[i:], ']')
			if end < 0 {
				return nil, nil, &pathSyntax{i, "a closing bracket is missing"}
			}
			key, err := strconv.Unquote(text[i+1 : i+end])
			if err != nil || key == "" {
				return nil, nil, &pathSyntax{i, "a key in brackets needs quotes"}
			}
			path, offsets = append(path, key), append(offsets, i+1)
			i += end + 1
			if i < len(text) && text[i] == '.' {
				i++
			}
		default:
			end := strings.IndexAny(text[i:], ".[")
			if end < 0 {
				end = len(text) - i
			}
			if end == 0 {
				return nil, nil, &pathSyntax{i, "a name is missing"}
			}
			name := text[i : i+end]
			if bad := strings.IndexFunc(name, func(r rune) bool { return !pathRune(r) }); bad >= 0 {
				return nil, nil, &pathSyntax{i + bad, fmt.Sprintf("unexpected %q in a field name", name[bad])}
			}
			path, offsets = append(path, name), append(offsets, i)
			i += end
			if i < len(text) && text[i] == '.' {
				if i++; i == len(text) {
					return nil, nil, &pathSyntax{i - 1, "a name is missing after the dot"}
				}
			}
		}
	}
	return path, offsets, nil
}

func pathRune(r rune) bool {
	return r == '_' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
}

// validInTag reports whether encoding/json accepts a name in a struct tag.
func validInTag(name string) bool {
	if name == "" || name == "-" {
		return false
	}
	for _, r := range name {
		if !pathRune(r) && !strings.ContainsRune("!#$%&()*+./:;<=>?@[]^{|}~ ", r) {
			return false
		}
	}
	return true
}
