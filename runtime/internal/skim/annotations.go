package skim

import (
	"bytes"
	"slices"
)

// lastApplied is where kubectl keeps a copy of the object that it applied.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// annotation is one of which only the complete list tells whether it is essential: it is not if its prefix turns out to be marked.
type annotation struct {
	prefix uint64
	digest uint64
}

// annotation reads the value of an annotation, where n is the node of all. As in Kopf, those that operators write are not essential: those
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
	case string(name) == lastApplied, prefixed && kopfs(prefix):
		s.add(s.dropped(n, kid), n.salt, text)
	case prefixed:
		hashed := hash(prefix)
		if string(rest) == "kopf-managed" {
			s.markers = append(s.markers, hashed)
		}
		s.entries = append(s.entries, annotation{prefix: hashed, digest: digest(text, n.salt)})
		if s.dropped(n, kid) != forNothing {
			s.add(forState, n.salt, text)
		}
	default:
		s.add(forEssence, n.salt, text)
	}
	return nil
}

// dropped returns what an annotation counts for that is not essential by itself.
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
	const kopf = "kopf.zalando.org"
	return string(prefix) == kopf || bytes.HasSuffix(prefix, []byte("."+kopf))
}
