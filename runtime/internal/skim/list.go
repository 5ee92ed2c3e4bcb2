package skim

import (
	"errors"
	"fmt"
)

// List is what a list says of itself.
type List struct {
	ResourceVersion string
	Continue        string // the token for the next page; "" on the last one
	Items           int
}

// List skims a list, or a page of one, and hands its items to item, one after another. The error that comes with an item is nil or a
// *RefusedError. An error that item returns ends the reading and is returned as it is.
func (s *Skimmer) List(raw []byte, item func(*Object, error) error) (List, error) {
	s.reset(raw)
	var list List
	var o Object
	var stopped error
	found := false
	err := s.each(func(name []byte) error {
		switch {
		case string(name) == "metadata" && s.dec.PeekKind() == '{':
			return s.listMetadata(&list)
		case string(name) == "items":
			found = true
			return s.items(&o, func(refused error) error {
				list.Items++
				stopped = item(&o, refused)
				return stopped
			})
		}
		return s.skip()
	})
	switch {
	case stopped != nil:
		return list, stopped
	case err == nil:
		err = s.end()
	}
	if err == nil && !found {
		err = errors.New("it has no items")
	}
	if err != nil {
		return list, fmt.Errorf("reading a list: %w", err)
	}
	return list, nil
}

func (s *Skimmer) listMetadata(list *List) error {
	return s.each(func(name []byte) error {
		var field *string
		switch string(name) {
		case "resourceVersion":
			field = &list.ResourceVersion
		case "continue":
			field = &list.Continue
		default:
			return s.skip()
		}
		value, err := s.dec.ReadValue()
		*field = string(s.unquote(value))
		return err
	})
}

// items reads the array that comes next; null stands for an empty one.
func (s *Skimmer) items(o *Object, item func(refused error) error) error {
	switch kind := s.dec.PeekKind(); kind {
	case '[':
	case 'n':
		return s.skip()
	default:
		return fmt.Errorf("items are %s instead of an array", kind)
	}
	if _, err := s.dec.ReadToken(); err != nil {
		return err
	}
	for s.dec.PeekKind() != ']' {
		s.text = s.text[:0]
		s.object, s.refusal = nil, ""
		var err error
		if s.dec.PeekKind() == '{' {
			err = s.whole(o)
		} else {
			o.clear()
			err = s.skip()
		}
		if err != nil {
			return err
		}
		if err := item(s.verdict()); err != nil {
			return err
		}
	}
	_, err := s.dec.ReadToken()
	return err
}
