package children

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func TestObjectsThatAreNotOurs(t *testing.T) {
	s := newStage(t)
	s.put("{apiVersion: v1, kind: ConfigMap, metadata: {name: foreign}, data: {mine: x}}")
	child := configMap("foreign", words{"a": "b"})

	_, changed, err := Apply(t.Context(), s.Client, s.owner, child)
	s.wants(err, ErrNotOwned, `apply ConfigMap "foreign" of Greeter "`+s.namespace+`/world": `)
	_, created, err := Create(t.Context(), s.Client, s.owner, child)
	s.wants(err, ErrNotOwned, `create ConfigMap "foreign" of `)
	deleted, err := Delete(t.Context(), s.Client, s.owner, child)
	s.wants(err, ErrNotOwned, `delete ConfigMap "foreign" of `)
	if changed || created || deleted {
		t.Errorf("changed %v, created %v, deleted %v", changed, created, deleted)
	}
	if is := s.get(child); len(is.GetOwnerReferences()) > 0 || is.GetLabels()["app"] != "" {
		t.Errorf("it was touched: %v", is.Object)
	}

	is, changed := apply(s, child, TakeOver)
	if !changed || !metav1.IsControlledBy(is, s.owner) || is.Data["mine"] != "x" || is.Data["a"] != "b" {
		t.Errorf("taken over: changed %v, %v, %v", changed, is.OwnerReferences, is.Data)
	}
	if _, changed := apply(s, child); changed {
		t.Error("it is not ours, once taken over")
	}
}

func TestObjectsThatAreBeingDeleted(t *testing.T) {
	s := newStage(t)
	child := configMap("going", words{"a": "b"})
	apply(s, child)
	s.hold(child)
	_, _, err := Apply(t.Context(), s.Client, s.owner, configMap("going", words{"a": "c"}))
	s.wants(err, ErrTerminating, "")
	if data, _, _ := unstructured.NestedString(s.get(child).Object, "data", "a"); data != "b" {
		t.Errorf("it was written to: %q", data)
	}
	_, _, err = Create(t.Context(), s.Client, s.owner, child)
	s.wants(err, ErrTerminating, "")
	if deleted, err := Delete(t.Context(), s.Client, s.owner, child); deleted || err != nil {
		t.Errorf("deleted %v, error %v", deleted, err)
	}
}

func TestChildrenThatCannotBe(t *testing.T) {
	s := newStage(t)
	choir := s.put("{apiVersion: children.kopf.dev/v1, kind: Choir, metadata: {name: " + s.namespace + "}}")
	elsewhere := configMap("c", nil)
	elsewhere.Namespace = "default"
	generated := configMap("", nil)
	generated.GenerateName = "c-"
	read, _ := apply(s, configMap("read", nil))
	for name, test := range map[string]struct {
		owner, child Object
		is           error
		says         string
	}{
		"in another namespace":                {owner: s.owner, child: elsewhere, is: ErrOtherNamespace},
		"without a namespace":                 {owner: s.owner, child: s.parse("{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole}"), is: ErrOtherNamespace},
		"without a namespace that it needs":   {owner: choir, child: configMap("c", nil), says: "no namespace, and neither has its owner"},
		"of a generated name":                 {owner: s.owner, child: generated, says: "generateName"},
		"read before":                         {owner: s.owner, child: read, says: "read from a cluster"},
		"without a kind":                      {owner: s.owner, child: &corev1.ConfigMap{}, says: "does not say its kind"},
		"of an unknown kind":                  {owner: s.owner, child: s.parse("{apiVersion: children.kopf.dev/v1, kind: Nobody}"), says: "no matches for kind"},
		"of an unknown version":               {owner: s.owner, child: s.parse("{apiVersion: children.kopf.dev/v2, kind: Greeter}"), says: "no matches for kind"},
		"of a sub-resource":                   {owner: s.owner, child: s.parse("{apiVersion: apps/v1, kind: Scale}"), says: "no matches for kind"},
		"invalid":                             {owner: s.owner, child: configMap("No_Name", nil), says: "Invalid value"},
		"of an owner that is not there (yet)": {owner: &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Node"}}, child: configMap("c", nil), says: "no name or no uid"},
	} {
		t.Run(name, func(t *testing.T) {
			s := *s
			s.T = t
			_, changed, err := Apply(t.Context(), s.Client, test.owner, test.child)
			s.wants(err, test.is, test.says)
			_, created, err := Create(t.Context(), s.Client, test.owner, test.child)
			s.wants(err, test.is, test.says)
			if changed || created {
				t.Errorf("changed %v, created %v", changed, created)
			}
		})
	}
	_, _, err := Apply(t.Context(), s.Client, s.owner, s.parse("{apiVersion: children.kopf.dev/v1, kind: Nobody}"))
	if !meta.IsNoMatchError(err) {
		t.Errorf("a kind that is not there is not recognised: %v", err)
	}
}

func TestClusterScopedOwners(t *testing.T) {
	s := newStage(t)
	s.owner = s.put("{apiVersion: children.kopf.dev/v1, kind: Choir, metadata: {name: " + s.namespace + "}}")
	within := configMap("c", nil)
	within.Namespace = s.namespace
	role := s.parse("{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, rules: []}")
	for _, child := range []Object{within, role} {
		is, changed := apply(s, child)
		if !changed || !metav1.IsControlledBy(is, s.owner) {
			t.Errorf("%s: changed %v, %v", describe(child), changed, is.GetOwnerReferences())
		}
		if _, changed := apply(s, child); changed {
			t.Errorf("%s: changed again", describe(child))
		}
		if deleted, err := Delete(t.Context(), s.Client, s.owner, child); !deleted || err != nil {
			t.Errorf("%s: deleted %v, error %v", describe(child), deleted, err)
		}
	}
}

// What was applied goes with its owner.
func TestChildrenGoWithTheirOwner(t *testing.T) {
	s := newStage(t)
	child := configMap("c", nil)
	apply(s, child)
	if err := s.collection(s.owner).Delete(t.Context(), s.owner.GetName(), metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	s.eventually("the child has gone", func() bool {
		_, err := s.collection(child).Get(t.Context(), child.Name, metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
}
