package skim

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
)

// Object is what a skim finds in an object. Values are raw JSON; nil is absence. Identity is unquoted.
type Object struct {
	UID        []byte
	Name       []byte
	Namespace  []byte
	Version    []byte // metadata.resourceVersion
	Created    []byte // metadata.creationTimestamp
	Generation int64  // 0 if there is none
	Deleting   bool   // metadata.deletionTimestamp is set
	Finalizer  int    // the place of the operator's own finalizer among the finalizers; -1 if it is not there

	// Raw is the whole object. Items of a list name neither their kind nor their apiVersion, but are complete in all other respects; whoever
	// shows them to an author fills in both from the resource.
	Raw             []byte
	APIVersion      []byte // unquoted
	Kind            []byte // unquoted
	Metadata        []byte
	Labels          []byte
	Annotations     []byte
	Finalizers      []byte
	OwnerReferences []byte
	Spec            []byte
	Status          []byte

	// Essence is a digest of what Kopf calls the essence: what a user would call the content of the object, which is compared with what was
	// handled last. It changes with every change of the essence, and sometimes without one: the order of members inside spec, 1.0 for 1, or
	// blanks make a difference.
	Essence uint64

	// State is a digest of everything that an operator decides by, the essence included. If it has not changed, there is nothing to do. The
	// type of the event is not in it: an object is deleted in the last state that it had.
	State uint64

	managed struct{ start, end int } // managedFields in Raw, with one comma
}

func (o *Object) clear() { *o = Object{Finalizer: -1} }

// Key identifies an object among those of its resource, in 16 bytes.
type Key [16]byte

// Key returns the identity of the object: its uid or, as in Kopf, a substitute made of its name, namespace and time of creation for
// the rare APIs that have no uids.
func (o *Object) Key() Key {
	var key Key
	if o.uuid(&key) {
		return key
	}
	text := append([]byte(nil), o.UID...)
	if len(text) == 0 {
		for _, part := range [][]byte{o.Name, o.Namespace, o.Created} {
			text = append(append(text, part...), "//"...)
		}
	}
	sum := sha256.Sum256(text)
	copy(key[:], sum[:])
	return key
}

// uuid decodes a uid of the usual form.
func (o *Object) uuid(key *Key) bool {
	const length = 36
	if len(o.UID) != length {
		return false
	}
	var digits [2 * len(key)]byte
	n := 0
	for i, c := range o.UID {
		switch {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case 'A' <= c && c <= 'F':
			return false // upper case makes it another uid
		default:
			digits[n] = c
			n++
		}
	}
	_, err := hex.Decode(key[:], digits[:])
	return err == nil
}

// Number returns the version as a number, by which versions of objects of one resource can be ordered. It reports false for
// what does not look like one, as an aggregated API may choose to do; such versions can only be compared for equality.
func (o *Object) Number() (uint64, bool) {
	if len(o.Version) == 0 || o.Version[0] == '0' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(o.Version), 10, 64)
	return n, err == nil
}

// AppendTrimmed appends the object without managedFields, often half of it, to dst. It is how an object is kept beyond the next event.
func (o *Object) AppendTrimmed(dst []byte) []byte {
	dst = append(dst, o.Raw[:o.managed.start]...)
	return append(dst, o.Raw[o.managed.end:]...)
}

// Trim appends an object that has not been skimmed to dst, without managedFields. A text that is not an object is appended as it is.
func Trim(dst, raw []byte) []byte {
	o, err := bare.Object(raw)
	if err != nil {
		return append(dst, raw...)
	}
	return o.AppendTrimmed(dst)
}

var bare = Compile(Config{})
