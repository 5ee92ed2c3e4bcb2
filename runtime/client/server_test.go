package client_test

import (
	"context"
	"os"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kopfgen/kopfgen/internal/controlplane"
	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/client"
)

func TestMain(m *testing.M) { os.Exit(controlplane.Main(m)) }

var known = []client.Kind{
	client.Of[corev1.ConfigMap]("", "v1", "ConfigMap", "configmaps", true),
	client.Of[corev1.Namespace]("", "v1", "Namespace", "namespaces", false),
	client.Of[corev1.Pod]("", "v1", "Pod", "pods", true),
}

func TestClient(t *testing.T) {
	cp := controlplane.Shared(t)
	ns := cp.Namespace(t)
	c, err := client.New(cp.Config(), "tester", known...)
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()

	described := func(data map[string]string) *corev1.ConfigMap {
		return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "one", Labels: map[string]string{"app": "web"}}, Data: data}
	}
	made, err := client.Create(ctx, c, described(map[string]string{"a": "1"}))
	if err != nil || made.UID == "" || made.Data["a"] != "1" {
		t.Fatalf("created %+v, %v", made, err)
	}
	_, err = client.Create(ctx, c, described(nil))
	if !apierrors.IsAlreadyExists(err) || client.IgnoreAlreadyExists(err) != nil {
		t.Errorf("creating it again: %v", err)
	}

	// What is applied is added, changed and removed; what others set is left alone.
	if _, err := client.Patch[corev1.ConfigMap](ctx, c, ns, "one", patchOf(t, "data", "foreign", "x")); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Apply(ctx, c, described(map[string]string{"a": "2", "b": "3"})); err != nil {
		t.Fatal(err)
	}
	applied, err := client.Apply(ctx, c, described(map[string]string{"b": "3"}))
	if err != nil || applied.Data["b"] != "3" || applied.Data["foreign"] != "x" {
		t.Errorf("applied: %v, %v", applied, err)
	}
	if _, err := client.Apply(ctx, c, applied); err == nil || !strings.Contains(err.Error(), "it was read from a cluster") {
		t.Errorf("applying what was read: %v", err)
	}

	got, err := client.Get[corev1.ConfigMap](ctx, c, ns, "one")
	if err != nil || got.ResourceVersion != applied.ResourceVersion {
		t.Errorf("got %v, %v", got, err)
	}
	for selector, want := range map[string]int{"": 1, "app=web": 1, "app!=web": 0} {
		list, err := client.List[corev1.ConfigMap](ctx, c, ns, client.Labels(selector), client.Fields("metadata.name=one"))
		if err != nil || len(list) != want {
			t.Errorf("%q lists %d, %v; want %d", selector, len(list), err, want)
		}
	}
	if namespaces, err := client.List[corev1.Namespace](ctx, c, ""); err != nil || len(namespaces) < 2 {
		t.Errorf("listed %d namespaces, %v", len(namespaces), err)
	}

	if err := client.Delete[corev1.ConfigMap](ctx, c, ns, "one"); err != nil {
		t.Error(err)
	}
	err = client.Delete[corev1.ConfigMap](ctx, c, ns, "one")
	if !apierrors.IsNotFound(err) || client.IgnoreNotFound(err) != nil {
		t.Errorf("deleting it again: %v", err)
	}
}

// The status of a Pod is a sub-resource: a patch of the one part leaves the other as it is.
func TestStatus(t *testing.T) {
	cp := controlplane.Shared(t)
	ns := cp.Namespace(t)
	c, err := client.New(cp.Config(), "tester", known...)
	if err != nil {
		t.Fatal(err)
	}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "web"},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "web"}}},
	}
	if _, err := client.Create(t.Context(), c, pod); err != nil {
		t.Fatal(err)
	}
	patched, err := client.PatchStatus[corev1.Pod](t.Context(), c, ns, "web", patchOf(t, "status", "phase", "Running"))
	if err != nil || patched.Status.Phase != corev1.PodRunning {
		t.Errorf("patched: %v, %v", patched, err)
	}
	running, err := client.List[corev1.Pod](t.Context(), c, ns, client.Fields("status.phase=Running"))
	if err != nil || len(running) != 1 {
		t.Errorf("listed %d, %v", len(running), err)
	}
}

func patchOf(t *testing.T, member, key, value string) *kopf.Patch {
	t.Helper()
	var p kopf.Patch
	p.Set(value, member, key)
	return &p
}

// Mistakes are found before anything is sent.
func TestMistakes(t *testing.T) {
	c, err := client.New(controlplane.Shared(t).Config(), "tester", known...)
	if err != nil {
		t.Fatal(err)
	}
	var withFunc kopf.Patch
	withFunc.Func(func(map[string]any) error { return nil })
	calls := map[string]func(context.Context) error{
		"the client does not know where objects of type v1.Secret are kept": func(ctx context.Context) error {
			_, err := client.Get[corev1.Secret](ctx, c, "default", "a")
			return err
		},
		"the object has no name": func(ctx context.Context) error {
			_, err := client.Get[corev1.Pod](ctx, c, "default", "")
			return err
		},
		"the object has no namespace": func(ctx context.Context) error { return client.Delete[corev1.Pod](ctx, c, "", "a") },
		`the object has the namespace "default", and its kind lives in none`: func(ctx context.Context) error {
			return client.Delete[corev1.Namespace](ctx, c, "default", "a")
		},
		"they live in none": func(ctx context.Context) error {
			_, err := client.List[corev1.Namespace](ctx, c, "default")
			return err
		},
		"functions of a patch": func(ctx context.Context) error {
			_, err := client.Patch[corev1.Pod](ctx, c, "default", "a", &withFunc)
			return err
		},
		"there is no patch": func(ctx context.Context) error {
			_, err := client.Patch[corev1.Pod](ctx, c, "default", "a", nil)
			return err
		},
	}
	for want, call := range calls {
		if err := call(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if _, err := client.New(controlplane.Shared(t).Config(), ""); err == nil {
		t.Error("a client without a manager was made")
	}
}
