// Package skim reads the JSON of objects, watch frames and lists in one pass, without decoding it: identity, version, the bytes of the
// parts that matter, and two digests that tell whether anything has changed that an operator cares about. It stands between stream,
// which cuts frames from the wire, and reactor, which decides by the digests whether an event deserves a turn. Most do not, so this is the
// code that runs most often, and it allocates nothing.
//
// Everything that a skim returns points into the bytes that were skimmed or into the Skimmer, and is valid until either is used again.
//
// This package is the only one that uses jsontext, and uses it for text only: values are decoded elsewhere.
package skim

import (
	"bytes"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// The types of watch frames.
const (
	Added    = "ADDED"
	Modified = "MODIFIED"
	Deleted  = "DELETED"
	Bookmark = "BOOKMARK" // the object has a version, and annotations that may say more
	Error    = "ERROR"    // the object is a metav1.Status
)

// Frame is one message of a watch.
type Frame struct {
	Type   string
	Object Object
}

// RefusedError says that a text is JSON but not an object whose digests could be trusted: a member that is read occurs twice, a part is
// not what it should be, or there is no name. It concerns that object only.
type RefusedError struct {
	Namespace, Name string // as far as they are known
	Reason          string
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("object %q in namespace %q is refused: %s", e.Name, e.Namespace, e.Reason)
}

// Skimmer skims one text after another, by the same rules. It is not safe for concurrent use; its memory is small, so that every stream can
// have its own.
type Skimmer struct {
	rules *Rules
	dec   jsontext.Decoder
	src   bytes.Buffer
	raw   []byte

	object  *Object // being read
	refusal string  // why it is not to be trusted
	essence uint64
	state   uint64 // what is in the state beside the essence

	text    []byte // unquoted strings
	names   []uint64
	entries []entry
	markers []uint64
}

// New returns a Skimmer that works by the given rules.
func New(rules *Rules) *Skimmer { return &Skimmer{rules: rules} }

var options = []jsontext.Options{
	// Members that are read are checked for duplicates here; in all others they are part of the hashed text.
	jsontext.AllowDuplicateNames(true),
	// The API server replaces what is not UTF-8, and so do decoders.
	jsontext.AllowInvalidUTF8(true),
}

// Object skims one object, as in the answer to a patch, and may be called by several goroutines at once. What it returns points into raw
// only. It allocates a Skimmer each time, which does not matter beside a request. A *RefusedError leaves the object filled as far as possible.
func (r *Rules) Object(raw []byte) (Object, error) {
	var o Object
	err := New(r).Object(raw, &o)
	return o, err
}

// Object skims one object. A *RefusedError leaves o filled as far as possible.
func (s *Skimmer) Object(raw []byte, o *Object) error {
	s.reset(raw)
	if err := s.whole(o); err != nil {
		return fmt.Errorf("reading an object: %w", err)
	}
	if err := s.end(); err != nil {
		return fmt.Errorf("reading an object: %w", err)
	}
	return s.verdict()
}

// Frame skims one message of a watch. A *RefusedError leaves f filled as far as possible.
func (s *Skimmer) Frame(raw []byte, f *Frame) error {
	s.reset(raw)
	f.Type = ""
	f.Object.clear()
	err := s.each(func(name []byte) error {
		switch {
		case string(name) == "type":
			value, err := s.dec.ReadValue()
			f.Type = frameType(s.unquote(value))
			return err
		case string(name) == "object" && s.dec.PeekKind() == '{':
			return s.whole(&f.Object)
		}
		return s.skip()
	})
	if err == nil {
		err = s.end()
	}
	if err != nil {
		return fmt.Errorf("reading a watch frame: %w", err)
	}
	switch f.Type {
	case Added, Modified, Deleted:
		return s.verdict()
	case "":
		return fmt.Errorf("reading a watch frame: it has no type")
	}
	return nil
}

// frameType returns the type without allocating, as long as it is known.
func frameType(name []byte) string {
	switch string(name) {
	case Added:
		return Added
	case Modified:
		return Modified
	case Deleted:
		return Deleted
	case Bookmark:
		return Bookmark
	case Error:
		return Error
	}
	return string(name)
}

// reset prepares for another text.
func (s *Skimmer) reset(raw []byte) {
	s.raw = raw
	s.src = *bytes.NewBuffer(raw)
	s.dec.Reset(&s.src, options...)
	s.object, s.refusal = nil, ""
	s.text, s.names = s.text[:0], s.names[:0]
}

// end checks that nothing follows the text.
func (s *Skimmer) end() error {
	if rest := bytes.TrimLeft(s.raw[s.dec.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return fmt.Errorf("%d bytes too many, starting with %q", len(rest), rest[0])
	}
	return nil
}

// verdict tells whether the object that was read can be trusted.
func (s *Skimmer) verdict() error {
	o := s.object
	switch {
	case s.refusal != "":
	case o == nil:
		s.refusal = "there is none"
	case len(o.Name) == 0:
		s.refusal = "it has no name"
	default:
		return nil
	}
	refused := &RefusedError{Reason: s.refusal}
	if o != nil {
		refused.Namespace, refused.Name = string(o.Namespace), string(o.Name)
	}
	return refused
}

// each reads the object that comes next, and calls read for each member, to read its value.
func (s *Skimmer) each(read func(name []byte) error) error {
	if err := s.open(); err != nil {
		return err
	}
	for s.dec.PeekKind() != '}' {
		name, err := s.dec.ReadValue()
		if err != nil {
			return unexpectedEnd(err)
		}
		if err := read(s.unquote(name)); err != nil {
			return unexpectedEnd(err)
		}
	}
	_, err := s.dec.ReadToken()
	return err
}

// open reads the brace that opens an object.
func (s *Skimmer) open() error {
	kind := s.dec.PeekKind()
	if _, err := s.dec.ReadToken(); err != nil {
		return unexpectedEnd(err)
	}
	if kind != '{' {
		return fmt.Errorf("%s instead of an object", kind)
	}
	return nil
}

// skip reads a value that is of no interest. It is faster than jsontext's way of skipping, and the text is in memory anyway.
func (s *Skimmer) skip() error {
	_, err := s.dec.ReadValue()
	return err
}

// unexpectedEnd keeps a text that is cut off from looking like a regular end.
func unexpectedEnd(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// unquote returns what a JSON string says: a part of it where nothing is escaped, else a copy.
func (s *Skimmer) unquote(value []byte) []byte {
	if len(value) < 2 || value[0] != '"' {
		return nil
	}
	if bytes.IndexByte(value, '\\') < 0 {
		return value[1 : len(value)-1]
	}
	start := len(s.text)
	// The decoder has accepted the string; an error is about bytes that are not UTF-8, which have been replaced.
	s.text, _ = jsontext.AppendUnquote(s.text, value)
	return s.text[start:]
}
