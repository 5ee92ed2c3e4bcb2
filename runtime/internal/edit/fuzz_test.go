package edit

import (
	"testing"

	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// FuzzDiff checks that no three documents, however little they fit each other, make it panic or write anything it was not asked to.
func FuzzDiff(f *testing.F) {
	f.Add(`{"spec":{"ports":[{"name":"a","x":1}]}}`, `{"spec":{"ports":[{"name":"a"}]}}`, `{"spec":{"ports":[{"name":"b"}],"a":{}}}`)
	f.Add(`{"spec":[]}`, `{"spec":{"ports":null}}`, `{"spec":{"ports":[null,1,[2]]}}`)
	f.Add(`null`, `{"metadata":{"finalizers":[1,"a"]}}`, `{"metadata":null,"status":{"conditions":[{}]}}`)
	f.Add(`{}`, `{"metadata":{"annotations":{"kopf.dev/a":""}}}`, `{"metadata":{"annotations":[]}}`)
	f.Fuzz(func(t *testing.T, raw, before, after string) {
		change, err := Diff([]byte(raw), Edit{Before: []byte(before), After: []byte(after), Keys: widgetKeys, Prefix: "kopf.dev"})
		if err != nil {
			if !change.Empty() {
				t.Errorf("something is to be written in spite of %v", err)
			}
			return
		}
		was, err := tree.DecodeObject([]byte(before))
		if err != nil {
			return // equal bytes
		}
		is, err := tree.DecodeObject([]byte(after))
		if err != nil {
			t.Fatal(err)
		}
		for name := range was {
			if tree.Equal(was[name], is[name]) && (mentions(change.Object, name) || mentions(change.Status, name)) {
				t.Errorf("%q is in the patch and did not change", name)
			}
		}
		newest, _ := tree.Decode([]byte(raw))
		for _, l := range change.Lists {
			current, _ := tree.Get(newest, l.Path...)
			l.Apply(current)
			l.Apply(is)
		}
	})
}

func mentions(patch map[string]any, name string) bool {
	_, ok := patch[name]
	return ok
}
