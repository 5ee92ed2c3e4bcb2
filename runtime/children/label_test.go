package children

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

type words = map[string]string

func TestLabel(t *testing.T) {
	given := words{"app": "greet", "tier": "web"}
	for name, test := range map[string]struct {
		have, want         words
		template, wantThen words
		labels             words
		opts               []LabelOption
	}{
		"none yet":                      {labels: given, want: given},
		"others stay":                   {have: words{"a": "b"}, labels: given, want: words{"a": "b", "app": "greet", "tier": "web"}},
		"the same key stays":            {have: words{"app": "mine"}, labels: given, want: words{"app": "mine", "tier": "web"}},
		"an empty value is a value":     {have: words{"app": ""}, labels: given, want: words{"app": "", "tier": "web"}},
		"the same key, forced":          {have: words{"app": "mine", "a": "b"}, labels: given, opts: []LabelOption{Forced}, want: words{"app": "greet", "tier": "web", "a": "b"}},
		"nothing":                       {have: words{"a": "b"}, want: words{"a": "b"}},
		"nothing, forced":               {have: words{"a": "b"}, labels: words{}, opts: []LabelOption{Forced}, want: words{"a": "b"}},
		"templates are left alone":      {template: words{"a": "b"}, labels: given, want: given, wantThen: words{"a": "b"}},
		"templates, too":                {labels: given, opts: []LabelOption{Nested("spec.template")}, want: given, wantThen: given},
		"templates keep what they have": {template: words{"app": "mine"}, labels: given, opts: []LabelOption{Nested("spec.template")}, want: given, wantThen: words{"app": "mine", "tier": "web"}},
		"templates, forced":             {template: words{"app": "mine"}, labels: given, opts: []LabelOption{Nested("spec.template"), Forced}, want: given, wantThen: given},
		"a path twice":                  {labels: given, opts: []LabelOption{Nested("spec.template"), Nested("spec.template")}, want: given, wantThen: given},
	} {
		t.Run(name, func(t *testing.T) {
			onBothForms(t,
				deployment(metav1.ObjectMeta{Labels: test.have}, test.template),
				deployment(metav1.ObjectMeta{Labels: test.want}, test.wantThen),
				func(child Object) error { return Label(child, test.labels, test.opts...) })
		})
	}
}

func TestLabelsAreNotShared(t *testing.T) {
	given := words{"app": "greet"}
	child := deployment(metav1.ObjectMeta{}, nil)
	if err := Label(child, given, Nested("spec.template")); err != nil {
		t.Fatal(err)
	}
	child.Labels["more"], child.Spec.Template.Labels["tier"] = "one", "two"
	if len(given) != 1 || len(child.Labels) != 2 || len(child.Spec.Template.Labels) != 2 {
		t.Errorf("given %v, on the child %v, on the template %v", given, child.Labels, child.Spec.Template.Labels)
	}
}

// holder is a kind with what templates can hide behind.
type holder struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	*hidden           `json:",inline"`

	Pointer *corev1.PodTemplateSpec           `json:"pointer,omitempty"`
	List    []corev1.PodTemplateSpec          `json:"list,omitempty"`
	ByName  map[string]corev1.PodTemplateSpec `json:"byName,omitempty"`
	Free    map[string]any                    `json:"free,omitempty"`
	Own     struct {
		Metadata *struct {
			Labels words `json:"labels"`
		} `json:"metadata"`
	} `json:"own"`
	Text     string `json:"text"`
	Untagged corev1.PodTemplateSpec
	Local    corev1.PodTemplateSpec `json:"-"`
}

type hidden struct {
	Embedded corev1.PodTemplateSpec `json:"embedded"`
}

func (h *holder) DeepCopyObject() runtime.Object { panic("nobody needs a copy") }

func TestNestedPaths(t *testing.T) {
	given := words{"app": "greet"}
	template := func() corev1.PodTemplateSpec { return corev1.PodTemplateSpec{} }
	filled := func() *holder {
		return &holder{
			hidden: &hidden{}, Pointer: new(corev1.PodTemplateSpec), List: []corev1.PodTemplateSpec{template(), template()},
			ByName: map[string]corev1.PodTemplateSpec{"a": template(), "b": template()},
			Free:   map[string]any{"template": map[string]any{}, "list": []any{map[string]any{}, map[string]any{}}, "null": nil, "text": "x"},
		}
	}
	for path, found := range map[string]func(h *holder) []words{
		"pointer":       func(h *holder) []words { return []words{h.Pointer.Labels} },
		"list":          func(h *holder) []words { return []words{h.List[0].Labels, h.List[1].Labels} },
		"byName.a":      func(h *holder) []words { return []words{h.ByName["a"].Labels} },
		"embedded":      func(h *holder) []words { return []words{h.Embedded.Labels} },
		"own":           func(h *holder) []words { return []words{h.Own.Metadata.Labels} },
		"Untagged":      func(h *holder) []words { return []words{h.Untagged.Labels} },
		"free.template": func(h *holder) []words { return []words{free(h.Free["template"])} },
		"free.list": func(h *holder) []words {
			list := h.Free["list"].([]any)
			return []words{free(list[0]), free(list[1])}
		},
		// What is not there is passed over.
		"byName.c":      nil,
		"free.other":    nil,
		"free.other.at": nil,
		"free.null":     nil,
		"free.null.at":  nil,
	} {
		t.Run(path, func(t *testing.T) {
			h := filled()
			if err := Label(h, given, Nested(path)); err != nil {
				t.Fatal(err)
			}
			if found == nil {
				want := filled()
				want.Labels = given
				if diff := cmp.Diff(want, h, cmp.AllowUnexported(holder{})); diff != "" {
					t.Errorf("the rest (-want +got):\n%s", diff)
				}
				return
			}
			for _, got := range found(h) {
				if diff := cmp.Diff(given, got); diff != "" {
					t.Errorf("labels (-want +got):\n%s", diff)
				}
			}
		})
	}
	t.Run("absent", func(t *testing.T) {
		for _, path := range []string{"pointer", "list", "byName.a", "embedded", "free.template", "free"} {
			h := &holder{}
			if err := Label(h, given, Nested(path)); err != nil {
				t.Errorf("%s: %v", path, err)
			}
			if diff := cmp.Diff(&holder{ObjectMeta: metav1.ObjectMeta{Labels: given}}, h, cmp.AllowUnexported(holder{})); diff != "" {
				t.Errorf("%s: the rest (-want +got):\n%s", path, diff)
			}
		}
	})
	for path, want := range map[string]string{
		"pointer.metadat": "has no field",
		"misspelled":      "has no field",
		"Local":           "has no field",
		"list.metadat":    "has no field",
		"text":            "no labels in its metadata",
		"text.more":       `there is no "more"`,
		"byName":          "no labels in its metadata",
		"":                "has no field",
		"free.text":       "no labels in its metadata",
		"free.text.more":  `there is no "more"`,
	} {
		t.Run("wrong: "+path, func(t *testing.T) {
			if err := Label(filled(), given, Nested(path)); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got error %v, want %q", err, want)
			}
		})
	}
}

// free returns the labels of a template without a type.
func free(template any) words {
	got, _, _ := unstructured.NestedStringMap(template.(map[string]any), "metadata", "labels")
	return got
}

func TestNestedPathsOfUnstructuredObjects(t *testing.T) {
	for name, test := range map[string]struct {
		object map[string]any
		want   string
	}{
		"nothing at all":       {},
		"no such path":         {object: map[string]any{"spec": map[string]any{}}},
		"null":                 {object: map[string]any{"spec": nil}},
		"a number":             {object: map[string]any{"spec": int64(1)}, want: `there is no "template"`},
		"metadata is a text":   {object: template(map[string]any{"metadata": "x"}), want: "its metadata is of type string"},
		"labels are a list":    {object: template(map[string]any{"metadata": map[string]any{"labels": []any{}}}), want: "its labels are of type"},
		"a label is no text":   {object: template(map[string]any{"metadata": map[string]any{"labels": map[string]any{"a": true}}}), want: `its label "a" is of type bool`},
		"metadata is null":     {object: template(map[string]any{"metadata": nil})},
		"labels are null":      {object: template(map[string]any{"metadata": map[string]any{"labels": nil}})},
		"the template is text": {object: map[string]any{"spec": map[string]any{"template": "x"}}, want: "no labels in its metadata"},
	} {
		t.Run(name, func(t *testing.T) {
			err := Label(&unstructured.Unstructured{Object: test.object}, words{"app": "greet"}, Nested("spec.template"))
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want %q", err, test.want)
			}
		})
	}
}

func template(content map[string]any) map[string]any {
	return map[string]any{"spec": map[string]any{"template": content}}
}

// The paths that people use.
func TestNestedPathsOfBuiltInKinds(t *testing.T) {
	given := words{"app": "greet"}
	job, set := &batchv1.CronJob{}, &appsv1.StatefulSet{}
	set.Spec.VolumeClaimTemplates = make([]corev1.PersistentVolumeClaim, 1)
	for path, test := range map[string]struct {
		child Object
		got   func() words
	}{
		"spec.jobTemplate":               {job, func() words { return job.Spec.JobTemplate.Labels }},
		"spec.jobTemplate.spec.template": {job, func() words { return job.Spec.JobTemplate.Spec.Template.Labels }},
		"spec.template":                  {set, func() words { return set.Spec.Template.Labels }},
		"spec.volumeClaimTemplates":      {set, func() words { return set.Spec.VolumeClaimTemplates[0].Labels }},
	} {
		if err := Label(test.child, given, Nested(path)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if diff := cmp.Diff(given, test.got()); diff != "" {
			t.Errorf("%s: labels (-want +got):\n%s", path, diff)
		}
	}
}
