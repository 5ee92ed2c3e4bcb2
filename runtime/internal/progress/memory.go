package progress

import "slices"

// remembered is how many essences of one object are kept.
const remembered = 4

// Memory keeps the essences that handlers of one object were told of, so that each can be shown what has changed since. It is lost when the
// process ends: a handler that is due again is then shown the new state only. The zero value is ready to use.
type Memory struct {
	kept []snapshot
}

// Keep remembers an essence as the latest. The oldest one beyond four is forgotten.
func (m *Memory) Keep(essence map[string]any) {
	s := newSnapshot(essence)
	m.kept = slices.DeleteFunc(m.kept, func(k snapshot) bool { return k.digest(nil) == s.digest(nil) })
	m.kept = append(m.kept, s)
	if len(m.kept) > remembered {
		m.kept = slices.Delete(m.kept, 0, 1)
	}
}

// find returns the essence with the digest, or nil.
func (m *Memory) find(digest string) map[string]any {
	if m == nil {
		return nil
	}
	for _, s := range m.kept {
		if s.digest(nil) == digest {
			return s.essence
		}
	}
	return nil
}
