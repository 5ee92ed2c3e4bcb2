package skim

import (
	"bytes"
	"slices"
	"strconv"
)

// What counts for the state beside the text of members.
var (
	saltDeleting  = hashString("\x00deleting")
	saltFinalizer = hashString("\x00finalizer")
	saltPresence  = hashString("\x00present")
)

// whole reads the object that comes next.
func (s *Skimmer) whole(o *Object) error {
	o.clear()
	s.object, s.refusal, s.essence, s.state = o, "", 0, 0
	s.entries, s.markers = s.entries[:0], s.markers[:0]
	start, err := s.enter(&s.rules.root)
	if err != nil {
		return unexpectedEnd(err)
	}
	if o.Deleting {
		s.state += mix(saltDeleting)
	}
	if o.Finalizer >= 0 {
		s.state += mix(saltFinalizer)
	}
	o.Raw = s.raw[start:s.dec.InputOffset()]
	o.managed.start, o.managed.end = max(o.managed.start-start, 0), max(o.managed.end-start, 0)
	o.Essence = s.essence
	o.State = mix(s.essence) + s.state
	return nil
}

// enter reads the object that comes next, counts its members as n says, and returns where it starts.
func (s *Skimmer) enter(n *node) (start int, err error) {
	if err = s.open(); err != nil {
		return 0, err
	}
	start = s.offset() - 1
	mark := len(s.names)
	for s.dec.PeekKind() != '}' {
		before := s.offset()
		quoted, err := s.dec.ReadValue()
		if err != nil {
			return 0, err
		}
		m := member{before: before, colon: s.offset()}
		m.start = m.colon - len(quoted)
		name := s.unquote(quoted)
		s.names = append(s.names, hash(name))
		if n.part == partAnnotations {
			err = s.annotation(n, m, name)
		} else if kid := n.kid(name); kid != nil {
			err = s.known(kid, n, m)
		} else {
			err = s.count(n.use, n.salt, m)
		}
		if err != nil {
			return 0, err
		}
	}
	if !s.unique(mark) {
		s.refuse(n, "has a member twice")
	}
	_, err = s.dec.ReadToken()
	return start, err
}

// member is where a member lies in the text: its name starts at start and ends at colon, what is before it ends at before.
type member struct{ before, start, colon int }

// count reads a value and counts the member with its name.
func (s *Skimmer) count(u use, salt uint64, m member) error {
	if err := s.skip(); err != nil {
		return err
	}
	s.add(u, salt, s.raw[m.start:s.offset()])
	return nil
}

func (s *Skimmer) add(u use, salt uint64, text []byte) {
	switch u {
	case forEssence:
		s.essence += digest(text, salt)
	case forState:
		s.state += digest(text, salt)
	}
}

// known reads the value of a member that has a node n below parent.
func (s *Skimmer) known(n, parent *node, m member) error {
	kind := s.dec.PeekKind()
	u := n.use
	if u < n.deep && kind != '{' && kind != 'n' {
		// A path leads through something that is not an object: a change of it has to be seen.
		u = forState
	}
	switch {
	case n.open && kind == '{':
		if _, err := s.enter(n); err != nil {
			return err
		}
		if n.part == partAnnotations {
			s.settleAnnotations(n)
		}
		if n.use != forNothing {
			s.state += mix(n.salt ^ saltPresence)
		}
	case n.part == partFinalizers && kind == '[':
		if err := s.finalizers(); err != nil {
			return err
		}
		s.add(u, parent.salt, s.raw[m.start:s.offset()])
	default:
		if err := s.count(u, parent.salt, m); err != nil {
			return err
		}
	}
	if n.part != noPart {
		s.report(n, m, value(s.raw[m.colon:s.offset()]))
	}
	return nil
}

// value cuts the colon, and blanks around it, from the text that follows a name.
func value(text []byte) []byte {
	for i, c := range text {
		switch c {
		case ' ', '\t', '\r', '\n', ':':
		default:
			return text[i:]
		}
	}
	return nil
}

// report puts a part into the object.
func (s *Skimmer) report(n *node, m member, value []byte) {
	o := s.object
	switch n.part {
	case partAPIVersion:
		o.APIVersion = s.unquote(value)
	case partKind:
		o.Kind = s.unquote(value)
	case partMetadata:
		o.Metadata = s.container(n, value, '{')
	case partSpec:
		o.Spec = value
	case partStatus:
		o.Status = value
	case partUID:
		o.UID = s.unquote(value)
	case partName:
		o.Name = s.unquote(value)
	case partNamespace:
		o.Namespace = s.unquote(value)
	case partResourceVersion:
		o.Version = s.unquote(value)
	case partCreated:
		o.Created = s.unquote(value)
	case partGeneration:
		o.Generation, _ = strconv.ParseInt(string(value), 10, 64)
	case partDeletion:
		o.Deleting = value[0] == '"'
	case partManaged:
		s.cut(m)
	case partLabels:
		o.Labels = s.container(n, value, '{')
	case partAnnotations:
		o.Annotations = s.container(n, value, '{')
	case partFinalizers:
		o.Finalizers = s.container(n, value, '[')
	case partOwners:
		o.OwnerReferences = s.container(n, value, '[')
	}
}

// container refuses what should be an object or a list and is not; null is like absence.
func (s *Skimmer) container(n *node, value []byte, bracket byte) []byte {
	switch value[0] {
	case bracket:
		return value
	case 'n':
	default:
		s.refuse(n, "is of the wrong type")
	}
	return nil
}

// cut remembers where managedFields lie, together with the comma that has to go with them.
func (s *Skimmer) cut(m member) {
	end := s.offset()
	o := s.object
	if s.raw[m.before-1] != '{' {
		o.managed.start, o.managed.end = m.before, end
		return
	}
	o.managed.start, o.managed.end = m.start, end
	rest := bytes.TrimLeft(s.raw[end:], " \t\r\n")
	if len(rest) > 0 && rest[0] == ',' {
		o.managed.end = len(s.raw) - len(rest) + 1
	}
}

// finalizers reads the list that comes next, looking for the operator's own one.
func (s *Skimmer) finalizers() error {
	if _, err := s.dec.ReadToken(); err != nil {
		return err
	}
	for i := 0; s.dec.PeekKind() != ']'; i++ {
		value, err := s.dec.ReadValue()
		if err != nil {
			return err
		}
		if string(s.unquote(value)) == s.rules.finalizer && s.object.Finalizer < 0 && s.rules.finalizer != "" {
			s.object.Finalizer = i
		}
	}
	_, err := s.dec.ReadToken()
	return err
}

// unique tells whether the names since mark differ, and forgets them.
func (s *Skimmer) unique(mark int) bool {
	names := s.names[mark:]
	s.names = s.names[:mark]
	slices.Sort(names)
	for i := 1; i < len(names); i++ {
		if names[i] == names[i-1] {
			return false
		}
	}
	return true
}

// refuse notes the first thing that is wrong with an object.
func (s *Skimmer) refuse(n *node, what string) {
	if s.refusal != "" {
		return
	}
	if n.path == "" {
		s.refusal = "it " + what
		return
	}
	s.refusal = n.path + " " + what
}

func (s *Skimmer) offset() int { return int(s.dec.InputOffset()) }
