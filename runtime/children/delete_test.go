package children

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var configMaps = corev1.SchemeGroupVersion.WithKind("ConfigMap")

func TestDelete(t *testing.T) {
	s := newStage(t)
	child := configMap("", nil) // under the name of its owner
	apply(s, child)
	for _, want := range []bool{true, false} {
		deleted, err := Delete(t.Context(), s.Client, s.owner, child)
		if deleted != want || err != nil {
			t.Errorf("deleted %v, want %v, error %v", deleted, want, err)
		}
	}
	if _, err := s.collection(child).Get(t.Context(), "world", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("it is still there: %v", err)
	}
	_, err := Delete(t.Context(), s.Client, s.owner, s.parse("{apiVersion: children.kopf.dev/v1, kind: Nobody}"))
	s.wants(err, nil, "no matches for kind")
}

// An object that has taken the name of the one that was read is another one.
func TestTheObjectThatWasReadIsDeleted(t *testing.T) {
	s := newStage(t)
	child := configMap("c", nil)
	apply(s, child)
	before := s.get(child)
	if _, err := Delete(t.Context(), s.Client, s.owner, child); err != nil {
		t.Fatal(err)
	}
	after, _ := apply(s, child)
	if deleted, err := remove(t.Context(), s.collection(child), before); deleted || err != nil {
		t.Errorf("deleted %v, error %v", deleted, err)
	}
	if s.get(child).GetUID() != after.UID {
		t.Error("the new one has gone")
	}
}

// A Job is deleted with its Pods, which is not what the API server does by default.
func TestGrandchildrenGo(t *testing.T) {
	s := newStage(t)
	const spec = "spec: {restartPolicy: Never, containers: [{name: a, image: b}]}"
	job, _ := apply(s, s.parse("{apiVersion: batch/v1, kind: Job, spec: {template: {"+spec+"}}}"))
	pod := s.parse("{apiVersion: v1, kind: Pod, metadata: {name: pod}, " + spec + "}")
	if _, _, err := Apply(t.Context(), s.Client, job, pod); err != nil {
		t.Fatal(err)
	}
	if deleted, err := Delete(t.Context(), s.Client, s.owner, job); !deleted || err != nil {
		t.Fatalf("deleted %v, error %v", deleted, err)
	}
	s.eventually("the Pod has gone", func() bool {
		_, err := s.collection(pod).Get(t.Context(), "pod", metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
}

func TestPrune(t *testing.T) {
	s := newStage(t)
	labelled := func(name string, labels words) *corev1.ConfigMap {
		child := configMap(name, nil)
		child.Labels = labels
		return child
	}
	users := []*corev1.ConfigMap{
		labelled("ann", words{"user": "ann"}), labelled("bob", words{"user": "bob"}), labelled("cid", words{"user": "cid"}), labelled("", words{"user": "own"}),
	}
	for _, child := range append(users, labelled("settings", nil)) {
		apply(s, child)
	}
	s.put("{apiVersion: v1, kind: ConfigMap, metadata: {name: foreign, labels: {user: foreign}}}")
	apply(s, s.parse("{apiVersion: v1, kind: Secret, metadata: {name: other, labels: {user: other}}}"))

	prune := func(selector string, keep []*corev1.ConfigMap, want ...string) {
		t.Helper()
		got, err := Prune(t.Context(), s.Client, s.owner, configMaps, selector, keep)
		if err != nil {
			t.Error(err)
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("pruned by %q (-want +got):\n%s", selector, diff)
		}
	}
	prune("user", users)
	prune("user", append(users[:1:1], users[3]), "bob", "cid")
	prune("user", append(users[:1:1], users[3]))
	prune("user in (ann,foreign)", nil, "ann")
	prune("", users[3:], "settings")
	prune("", nil, "world")

	for _, stays := range []Object{configMap("foreign", nil), s.parse("{apiVersion: v1, kind: Secret, metadata: {name: other}}")} {
		s.get(stays)
	}

	for want, do := range map[string]func() ([]string, error){
		"unable to parse": func() ([]string, error) {
			return Prune(t.Context(), s.Client, s.owner, configMaps, "user in ann", users)
		},
		"no uid": func() ([]string, error) {
			return Prune(t.Context(), s.Client, &unstructured.Unstructured{}, configMaps, "", users)
		},
		"no matches for kind": func() ([]string, error) {
			return Prune(t.Context(), s.Client, s.owner, schema.GroupVersionKind{Version: "v1", Kind: "Nobody"}, "", users)
		},
	} {
		if pruned, err := do(); err == nil || !strings.Contains(err.Error(), want) || len(pruned) > 0 {
			t.Errorf("pruned %v, error %v, want %q", pruned, err, want)
		}
	}
}

// A child that is being deleted is not pruned a second time.
func TestPruneWithFinalizers(t *testing.T) {
	s := newStage(t)
	child := configMap("going", nil)
	apply(s, child)
	s.hold(child)
	if got, err := Prune[Object](t.Context(), s.Client, s.owner, configMaps, "", nil); len(got) > 0 || err != nil {
		t.Errorf("pruned %v, error %v", got, err)
	}
}
