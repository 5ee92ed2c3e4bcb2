package storage

import (
	"fmt"

	"github.com/kopfgen/kopfgen/internal/annotation"
	"github.com/kopfgen/kopfgen/runtime/internal/record"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// Write is what is to be stored.
type Write struct {
	// Records are the new ones by the ids of their handlers; nil removes the record.
	Records map[string]*record.Record
	// Base is the essence that has been handled; nil leaves the stored one alone.
	Base map[string]any
}

// Patch returns the smallest merge patch that stores the write in the object, or nil if all of it is there. As in Kopf, copies of records in
// older places are removed with them, a prefix that is not Kopf's is marked, and what Kopf wrote to wake itself up is removed when there is
// something else to write.
func (s Storage) Patch(object map[string]any, w Write) map[string]any {
	p := patch{object: object, annotations: map[string]any{}, progress: map[string]any{}}
	// Removals come first: what is stored under the same name wins.
	for id, r := range w.Records {
		if r == nil {
			p.purge(s.names(object, id)...)
			p.purgeLegacy(id)
		}
	}
	for id, r := range w.Records {
		if r != nil {
			p.store(encode(r.MarshalJSON()), func(text string) bool {
				old, err := record.Parse([]byte(text))
				return err == nil && old.Equal(r)
			}, s.names(object, id)...)
		}
	}
	if w.Base != nil {
		p.store(encode(tree.Encode(w.Base))+"\n", func(text string) bool {
			old, err := tree.DecodeObject([]byte(text))
			return err == nil && tree.Equal(old, w.Base)
		}, s.names(object, annotation.LastHandled)...)
	}
	if p.empty() {
		return nil
	}
	s.mark(&p)
	p.purge(s.names(object, annotation.Touch)...)
	return p.tree()
}

// mark tells other operators whose annotations these are; of Kopf's own prefix they know it anyway. Kopf does not mark any prefix that begins
// with "kopf.", so that others take what is below such a prefix for changes of the object.
func (s Storage) mark(p *patch) {
	name := s.prefix() + "/" + annotation.Managed
	if p.stores && s.prefix() != annotation.KopfPrefix && annotations(p.object)[name] == nil {
		p.annotations[name] = "yes"
	}
}

// encode returns the text of an encoded value. The value was decoded before or made by this operator, so encoding it cannot fail.
func encode(data []byte, err error) string {
	if err != nil {
		panic(fmt.Sprintf("storing state: %v", err))
	}
	return string(data)
}

// patch is a merge patch in the making.
type patch struct {
	object      map[string]any
	annotations map[string]any
	progress    map[string]any // at legacyPath
	stores      bool           // something is written, not only removed
}

// store writes a text under the names where nothing is stored that is equal to it.
func (p *patch) store(text string, equal func(stored string) bool, names ...string) {
	for _, name := range names {
		if old, ok := annotations(p.object)[name].(string); ok && (old == text || equal(old)) {
			delete(p.annotations, name)
			continue
		}
		p.annotations[name] = text
		p.stores = true
	}
}

// purge removes the annotations that are there.
func (p *patch) purge(names ...string) {
	for _, name := range names {
		if _, ok := annotations(p.object)[name]; ok {
			p.annotations[name] = nil
		}
	}
}

func (p *patch) purgeLegacy(id string) {
	if _, ok := tree.Object(p.object, legacyPath...)[id]; ok {
		p.progress[id] = nil
	}
}

func (p *patch) empty() bool { return len(p.annotations) == 0 && len(p.progress) == 0 }

func (p *patch) tree() map[string]any {
	out := map[string]any{}
	if len(p.annotations) > 0 {
		tree.Set(out, p.annotations, "metadata", "annotations")
	}
	if len(p.progress) > 0 {
		tree.Set(out, p.progress, legacyPath...)
	}
	return out
}
