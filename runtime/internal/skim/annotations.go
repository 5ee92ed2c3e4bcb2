package skim

import (
	"bytes"
	"slices"

	"github.com/kopfgen/kopfgen/internal/annotation"
)

// entry is an annotation of which only the complete list tells whether it is essential: it is not if its prefix turns out to be marked.
type entry struct {
	prefix uint64
	digest uint64
}

// annotation reads the value of an annotation; n is the node of all annotations. As in Kopf, those that operators write are not essential: those
// below the prefixes of Kopf and of this operator, and those whose prefix is marked by an annotation prefix/kopf-managed.
func (s *Skimmer) annotation(n *node, m member, name []byte) error {
	kid := n.kid(name)
	if err := s.skip(); err != nil {
		return err
	}
	text := s.raw[m.start:s.offset()]
	prefix, rest, prefixed := bytes.Cut(name, []byte("/"))
	switch {
	case prefixed && s.rules.owns(prefix):
		s.add(forState, n.salt, text)
	case kid != nil && kid.deep == forEssence:
		s.add(forEssence, n.salt, text)
	case string(name) == annotation.LastApplied, prefixed && kopfs(prefix):
		s.add(s.dropped(n, kid), n.salt, text)
	case prefixed:
		hashed := hash(prefix)
		if string(rest) == annotation.Managed {
			s.markers = append(s.markers, hashed)
		}
		s.entries = append(s.entries, entry{prefix: hashed, digest: digest(text, n.salt)})
		if s.dropped(n, kid) != forNothing {
			s.add(forState, n.salt, text)
		}
	default:
		s.add(forEssence, n.salt, text)
	}
	return nil
}

// dropped returns what an annotation counts for if it is not essential by itself.
func (s *Skimmer) dropped(n, kid *node) use {
	if kid != nil {
		return kid.deep
	}
	return n.use
}

// settleAnnotations counts those whose prefix is not marked.
func (s *Skimmer) settleAnnotations(n *node) {
	slices.Sort(s.markers)
	for _, a := range s.entries {
		if _, marked := slices.BinarySearch(s.markers, a.prefix); !marked || n.use == forEssence {
			s.essence += a.digest
		}
	}
	s.entries, s.markers = s.entries[:0], s.markers[:0]
}

func (r *Rules) owns(prefix []byte) bool {
	for _, own := range r.prefixes {
		if string(prefix) == own {
			return true
		}
	}
	return false
}

// kopfs tells whether a prefix belongs to Kopf or to one of the prefixes that it uses for its older storages.
func kopfs(prefix []byte) bool {
	return string(prefix) == annotation.KopfPrefix || bytes.HasSuffix(prefix, []byte("."+annotation.KopfPrefix))
}
