package children

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestReference(t *testing.T) {
	yes := true
	for name, test := range map[string]struct {
		opts []ReferenceOption
		want metav1.OwnerReference
	}{
		"by default":             {want: refTo("world", &yes, &yes)},
		"not the controller":     {opts: []ReferenceOption{NotController}, want: refTo("world", nil, &yes)},
		"not blocking":           {opts: []ReferenceOption{NotBlocking}, want: refTo("world", &yes, nil)},
		"neither":                {opts: []ReferenceOption{NotBlocking, NotController}, want: refTo("world", nil, nil)},
		"neither, the other way": {opts: []ReferenceOption{NotController, NotBlocking}, want: refTo("world", nil, nil)},
	} {
		t.Run(name, func(t *testing.T) {
			for _, owner := range []Object{parent("ns"), parent(""), untyped(t, parent("ns"))} {
				got, err := Reference(owner, test.opts...)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("reference (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestOwnersThatCannotBeReferredTo(t *testing.T) {
	for name, test := range map[string]struct {
		spoil func(*metav1.PartialObjectMetadata)
		want  string
	}{
		"no apiVersion": {func(o *metav1.PartialObjectMetadata) { o.APIVersion = "" }, "does not say its kind"},
		"no kind":       {func(o *metav1.PartialObjectMetadata) { o.Kind = "" }, "does not say its kind"},
		"no name":       {func(o *metav1.PartialObjectMetadata) { o.Name = "" }, "no name or no uid"},
		"no uid":        {func(o *metav1.PartialObjectMetadata) { o.UID = "" }, "no name or no uid"},
	} {
		t.Run(name, func(t *testing.T) {
			owner := parent("ns")
			test.spoil(owner)
			child := deployment(metav1.ObjectMeta{}, nil)
			for operation, err := range map[string]error{"append": AppendOwnerReference(owner, child), "adopt": Adopt(owner, child)} {
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("%s: got error %v, want %q", operation, err, test.want)
				}
			}
			if len(child.OwnerReferences) > 0 {
				t.Errorf("references: %v", child.OwnerReferences)
			}
		})
	}
}

func TestAppendOwnerReference(t *testing.T) {
	yes := true
	full, bare := refTo("world", &yes, &yes), refTo("world", nil, nil)
	other, controlling := refTo("other", nil, nil), refTo("other", &yes, nil)
	renamed := bare
	renamed.Name, renamed.Kind = "moon", "Other"

	for name, test := range map[string]struct {
		have, want []metav1.OwnerReference
		opts       []ReferenceOption
	}{
		"to none":                        {want: []metav1.OwnerReference{full}},
		"to another":                     {have: []metav1.OwnerReference{other}, want: []metav1.OwnerReference{other, full}},
		"one with the same uid stays":    {have: []metav1.OwnerReference{renamed}, want: []metav1.OwnerReference{renamed}},
		"among others, too":              {have: []metav1.OwnerReference{bare, other}, want: []metav1.OwnerReference{bare, other}},
		"to a controller, as another":    {have: []metav1.OwnerReference{controlling}, opts: []ReferenceOption{NotController}, want: []metav1.OwnerReference{controlling, refTo("world", nil, &yes)}},
		"a controller that is not added": {have: []metav1.OwnerReference{controlling, bare}, want: []metav1.OwnerReference{controlling, bare}},
	} {
		t.Run(name, func(t *testing.T) {
			onBothForms(t,
				deployment(metav1.ObjectMeta{OwnerReferences: test.have}, nil),
				deployment(metav1.ObjectMeta{OwnerReferences: test.want}, nil),
				func(child Object) error { return AppendOwnerReference(parent("ns"), child, test.opts...) })
		})
	}

	t.Run("a second controller", func(t *testing.T) {
		child := deployment(metav1.ObjectMeta{Name: "c", OwnerReferences: []metav1.OwnerReference{controlling}}, nil)
		err := AppendOwnerReference(parent("ns"), child)
		const want = `let Greeter "ns/world" own Deployment "c": Greeter "other" is its controller already`
		if err == nil || err.Error() != want {
			t.Errorf("got error %v, want %s", err, want)
		}
		if diff := cmp.Diff([]metav1.OwnerReference{controlling}, child.OwnerReferences); diff != "" {
			t.Errorf("references (-want +got):\n%s", diff)
		}
	})
}

func TestOwnersOfOtherNamespaces(t *testing.T) {
	for _, test := range []struct {
		owner, child string
		refused      bool
	}{
		{owner: "a", child: "a"},
		{owner: "a", child: ""}, // it gets that of its owner
		{owner: "", child: ""},
		{owner: "", child: "a"}, // cluster-scoped owners may own anything
		{owner: "a", child: "b", refused: true},
	} {
		for operation, do := range map[string]func(owner, child Object) error{
			"append": func(owner, child Object) error { return AppendOwnerReference(owner, child) },
			"adopt":  func(owner, child Object) error { return Adopt(owner, child) },
		} {
			child := deployment(metav1.ObjectMeta{Namespace: test.child}, nil)
			err := do(parent(test.owner), child)
			if errors.Is(err, ErrOtherNamespace) != test.refused || len(child.OwnerReferences) > 0 == test.refused {
				t.Errorf("%s: owner in %q, child in %q: error %v, references %v", operation, test.owner, test.child, err, child.OwnerReferences)
			}
		}
	}
}

func TestRemoveOwnerReference(t *testing.T) {
	yes := true
	full, bare, other := refTo("world", &yes, &yes), refTo("world", nil, nil), refTo("other", &yes, nil)
	for name, test := range map[string]struct{ have, want []metav1.OwnerReference }{
		"none":                      {},
		"the only one":              {have: []metav1.OwnerReference{full}},
		"one of several":            {have: []metav1.OwnerReference{full, other}, want: []metav1.OwnerReference{other}},
		"several with the same uid": {have: []metav1.OwnerReference{full, other, bare}, want: []metav1.OwnerReference{other}},
		"those of others only":      {have: []metav1.OwnerReference{other}, want: []metav1.OwnerReference{other}},
	} {
		t.Run(name, func(t *testing.T) {
			onBothForms(t,
				deployment(metav1.ObjectMeta{OwnerReferences: test.have}, nil),
				deployment(metav1.ObjectMeta{OwnerReferences: test.want}, nil),
				func(child Object) error { return RemoveOwnerReference(parent("ns"), child) })
		})
	}
	// Only the uid counts: the owner may have been renamed in a backup, or be known by nothing else.
	child := deployment(metav1.ObjectMeta{OwnerReferences: []metav1.OwnerReference{full}}, nil)
	if err := RemoveOwnerReference(&metav1.ObjectMeta{UID: full.UID}, child); err != nil || child.OwnerReferences != nil {
		t.Errorf("by uid: error %v, references %v", err, child.OwnerReferences)
	}
	if err := RemoveOwnerReference(&metav1.ObjectMeta{Name: "world"}, child); err == nil {
		t.Error("an owner without a uid is no error")
	}
}
