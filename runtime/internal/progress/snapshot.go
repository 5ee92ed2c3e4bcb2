package progress

import (
	"strings"

	"github.com/kopfgen/kopfgen/runtime/internal/essence"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// snapshot is an essence with the digests of its parts, each computed when it is first asked for.
type snapshot struct {
	essence map[string]any
	digests map[string]string
}

func newSnapshot(essence map[string]any) snapshot {
	return snapshot{essence: essence, digests: map[string]string{}}
}

// at returns what is at the field, nil where there is nothing. No field is the whole essence.
func (s snapshot) at(field []string) any {
	if len(field) == 0 {
		return s.essence
	}
	v, _ := tree.Get(s.essence, field...)
	return v
}

func (s snapshot) digest(field []string) string {
	key := strings.Join(field, "\x00")
	d, ok := s.digests[key]
	if !ok {
		d = essence.Digest(s.at(field))
		s.digests[key] = d
	}
	return d
}

// equals tells whether both have the same at the field.
func (s snapshot) equals(other map[string]any, field []string) bool {
	return essence.Equal(s.at(field), snapshot{essence: other}.at(field))
}
