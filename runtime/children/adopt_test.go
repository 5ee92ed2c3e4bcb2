package children

import (
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestAdopt(t *testing.T) {
	yes := true
	refs := []metav1.OwnerReference{refTo("world", &yes, &yes)}
	labels := words{"app": "greet", "tier": "web"}
	own := metav1.ObjectMeta{Name: "mine", Namespace: "ns", Labels: words{"app": "mine"}}

	for name, test := range map[string]struct {
		owner              string // its namespace
		have, want         metav1.ObjectMeta
		template, wantThen words
		opts               []AdoptOption
	}{
		"what has nothing": {
			owner: "ns", want: metav1.ObjectMeta{GenerateName: "world-", Namespace: "ns", Labels: labels, OwnerReferences: refs},
		},
		"what has all": {
			owner: "ns", have: own,
			want: metav1.ObjectMeta{Name: "mine", Namespace: "ns", Labels: words{"app": "mine", "tier": "web"}, OwnerReferences: refs},
		},
		"strictly": {
			owner: "ns", opts: []AdoptOption{Strict},
			want: metav1.ObjectMeta{Name: "world", Namespace: "ns", Labels: labels, OwnerReferences: refs},
		},
		"what has all, strictly": {
			owner: "ns", have: own, opts: []AdoptOption{Strict},
			want: metav1.ObjectMeta{Name: "mine", Namespace: "ns", Labels: words{"app": "mine", "tier": "web"}, OwnerReferences: refs},
		},
		"forced": {
			owner: "ns", have: own, opts: []AdoptOption{Forced},
			want: metav1.ObjectMeta{GenerateName: "world-", Namespace: "ns", Labels: labels, OwnerReferences: refs},
		},
		"forced, strictly": {
			owner: "ns", have: own, opts: []AdoptOption{Forced, Strict},
			want: metav1.ObjectMeta{Name: "world", Namespace: "ns", Labels: labels, OwnerReferences: refs},
		},
		"forced out of another namespace": {
			owner: "ns", have: metav1.ObjectMeta{Name: "mine", Namespace: "elsewhere"}, opts: []AdoptOption{Forced, Strict},
			want: metav1.ObjectMeta{Name: "world", Namespace: "ns", Labels: labels, OwnerReferences: refs},
		},
		"templates are left alone": {
			owner: "ns", template: words{"a": "b"},
			want: metav1.ObjectMeta{GenerateName: "world-", Namespace: "ns", Labels: labels, OwnerReferences: refs}, wantThen: words{"a": "b"},
		},
		"with templates": {
			owner: "ns", template: words{"app": "mine"}, opts: []AdoptOption{Nested("spec.template")},
			want:     metav1.ObjectMeta{GenerateName: "world-", Namespace: "ns", Labels: labels, OwnerReferences: refs},
			wantThen: words{"app": "mine", "tier": "web"},
		},
		"with templates, forced": {
			owner: "ns", template: words{"app": "mine"}, opts: []AdoptOption{Nested("spec.template"), Forced},
			want:     metav1.ObjectMeta{GenerateName: "world-", Namespace: "ns", Labels: labels, OwnerReferences: refs},
			wantThen: labels,
		},
		"with other labels": {
			owner: "ns", opts: []AdoptOption{WithLabels(words{"x": "y"})},
			want: metav1.ObjectMeta{GenerateName: "world-", Namespace: "ns", Labels: words{"x": "y"}, OwnerReferences: refs},
		},
		"with no labels": {
			owner: "ns", opts: []AdoptOption{WithLabels(nil)},
			want: metav1.ObjectMeta{GenerateName: "world-", Namespace: "ns", OwnerReferences: refs},
		},
		"by one owner of several": {
			owner: "ns", have: metav1.ObjectMeta{Name: "mine", OwnerReferences: []metav1.OwnerReference{refTo("other", &yes, nil)}},
			opts: []AdoptOption{NotController, NotBlocking, WithLabels(nil)},
			want: metav1.ObjectMeta{Name: "mine", Namespace: "ns", OwnerReferences: []metav1.OwnerReference{refTo("other", &yes, nil), refTo("world", nil, nil)}},
		},
		"by a cluster-scoped owner": {
			have: own,
			want: metav1.ObjectMeta{Name: "mine", Namespace: "ns", Labels: words{"app": "mine", "tier": "web"}, OwnerReferences: refs},
		},
		"forced by a cluster-scoped owner": {
			have: own, opts: []AdoptOption{Forced},
			want: metav1.ObjectMeta{GenerateName: "world-", Labels: labels, OwnerReferences: refs},
		},
	} {
		t.Run(name, func(t *testing.T) {
			onBothForms(t, deployment(test.have, test.template), deployment(test.want, test.wantThen), func(child Object) error {
				// Once more changes nothing.
				if err := Adopt(parent(test.owner), child, test.opts...); err != nil {
					return err
				}
				return Adopt(parent(test.owner), child, test.opts...)
			})
		})
	}
	if err := Adopt(parent("ns"), deployment(metav1.ObjectMeta{}, nil), Nested("spec.tempalte")); err == nil || !strings.Contains(err.Error(), "tempalte") {
		t.Errorf("a misspelled path: %v", err)
	}
}
