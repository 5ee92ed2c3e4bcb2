package children

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

func TestWhatIsSent(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Status: corev1.PodStatus{Phase: corev1.PodRunning}}
	for name, test := range map[string]struct {
		object Object
		want   map[string]any
	}{
		"a Go type, without the nulls that it cannot leave out": {
			object: pod, want: map[string]any{"metadata": map[string]any{"name": "a"}, "spec": map[string]any{}},
		},
		"a null in a list of a Go type": {
			object: &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Resources: corev1.ResourceRequirements{}}}}},
			want: map[string]any{"metadata": map[string]any{}, "spec": map[string]any{
				"containers": []any{map[string]any{"name": "c", "resources": map[string]any{}}},
			}},
		},
		"what was written down, as it stands": {
			object: &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"a": nil}, "status": map[string]any{"b": "c"}}},
			want:   map[string]any{"spec": map[string]any{"a": nil}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := toUnstructured(test.object)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got.Object); diff != "" {
				t.Errorf("sent (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDiffer(t *testing.T) {
	const before = `{"metadata":{"resourceVersion":"1","generation":1,"managedFields":[{"manager":"a"}]},"spec":{"a":1},"status":{"b":1}}`
	for name, test := range map[string]struct {
		after string
		want  bool
	}{
		"nothing":        {after: before},
		"the status":     {after: `{"metadata":{"resourceVersion":"2","generation":1,"managedFields":[{"manager":"a"}]},"spec":{"a":1},"status":{"b":2}}`},
		"who owns what":  {after: `{"metadata":{"resourceVersion":"2","generation":1,"managedFields":[{"manager":"b"}]},"spec":{"a":1},"status":{"b":1}}`},
		"the spec":       {after: `{"metadata":{"resourceVersion":"2","generation":2,"managedFields":[{"manager":"a"}]},"spec":{"a":2},"status":{"b":1}}`, want: true},
		"a label":        {after: `{"metadata":{"resourceVersion":"2","generation":1,"labels":{"c":"d"}},"spec":{"a":1},"status":{"b":1}}`, want: true},
		"something more": {after: `{"metadata":{"resourceVersion":"2","generation":1},"spec":{"a":1},"data":{},"status":{"b":1}}`, want: true},
	} {
		if got := differ(parsed(t, before), parsed(t, test.after)); got != test.want {
			t.Errorf("%s: differ %v", name, got)
		}
	}
}

// parsed reads an object as it is written down.
func parsed(t *testing.T, text string) *unstructured.Unstructured {
	t.Helper()
	u := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &u.Object); err != nil {
		t.Fatal(err)
	}
	return u
}
