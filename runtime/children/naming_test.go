package children

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestHarmonizeNaming(t *testing.T) {
	unnamed := metav1.ObjectMeta{}
	named, generated := metav1.ObjectMeta{Name: "mine"}, metav1.ObjectMeta{GenerateName: "mine-"}
	both := metav1.ObjectMeta{Name: "mine", GenerateName: "mine-"}
	prefix, exact := metav1.ObjectMeta{GenerateName: "world-"}, metav1.ObjectMeta{Name: "world"}

	for name, test := range map[string]struct {
		have, want metav1.ObjectMeta
		opts       []NamingOption
	}{
		"unnamed":                     {have: unnamed, want: prefix},
		"named":                       {have: named, want: named},
		"with a prefix":               {have: generated, want: generated},
		"with both":                   {have: both, want: both},
		"unnamed, strictly":           {have: unnamed, opts: []NamingOption{Strict}, want: exact},
		"named, strictly":             {have: named, opts: []NamingOption{Strict}, want: named},
		"with a prefix, strictly":     {have: generated, opts: []NamingOption{Strict}, want: generated},
		"unnamed, forced":             {have: unnamed, opts: []NamingOption{Forced}, want: prefix},
		"named, forced":               {have: named, opts: []NamingOption{Forced}, want: prefix},
		"with both, forced":           {have: both, opts: []NamingOption{Forced}, want: prefix},
		"named, forced, strictly":     {have: named, opts: []NamingOption{Forced, Strict}, want: exact},
		"with both, strictly, forced": {have: both, opts: []NamingOption{Strict, Forced}, want: exact},
	} {
		t.Run(name, func(t *testing.T) {
			onBothForms(t, deployment(test.have, nil), deployment(test.want, nil),
				func(child Object) error { return HarmonizeNaming(child, "world", test.opts...) })
		})
	}
	if err := HarmonizeNaming(deployment(unnamed, nil), ""); err == nil {
		t.Error("no name is no error")
	}
	if err := HarmonizeNaming(deployment(named, nil), ""); err == nil {
		t.Error("no name is no error for an object that has one")
	}
}

func TestAdjustNamespace(t *testing.T) {
	for name, test := range map[string]struct {
		have, given, want string
		opts              []NamespaceOption
	}{
		"none":                         {given: "ns", want: "ns"},
		"its own":                      {have: "mine", given: "ns", want: "mine"},
		"its own, forced":              {have: "mine", given: "ns", opts: []NamespaceOption{Forced}, want: "ns"},
		"none of nothing":              {},
		"its own of nothing":           {have: "mine", want: "mine"},
		"its own of nothing, forced":   {have: "mine", opts: []NamespaceOption{Forced}},
		"none of nothing, even forced": {opts: []NamespaceOption{Forced}},
	} {
		t.Run(name, func(t *testing.T) {
			onBothForms(t,
				deployment(metav1.ObjectMeta{Namespace: test.have}, nil),
				deployment(metav1.ObjectMeta{Namespace: test.want}, nil),
				func(child Object) error {
					AdjustNamespace(child, test.given, test.opts...)
					return nil
				})
		})
	}
}
