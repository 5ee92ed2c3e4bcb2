package children

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"github.com/kopfgen/kopfgen/internal/controlplane"
)

func TestMain(m *testing.M) { os.Exit(controlplane.Main(m)) }

// stage is a namespace of the real API server with an owner in it.
type stage struct {
	*testing.T
	*Client
	server    *controlplane.ControlPlane
	namespace string
	owner     *unstructured.Unstructured
}

func newStage(t *testing.T) *stage {
	t.Helper()
	s := &stage{T: t, server: controlplane.Shared(t)}
	s.server.ApplyFile(t, "testdata/crds.yaml")
	s.namespace = s.server.Namespace(t)
	s.owner = s.put("{apiVersion: children.kopf.dev/v1, kind: Greeter, metadata: {name: world, labels: {app: greet}}, spec: {who: world}}")
	client, err := NewForConfig(s.server.Config(), "greeters")
	if err != nil {
		t.Fatal(err)
	}
	s.Client = client
	return s
}

// put has somebody else apply an object.
func (s *stage) put(manifest string) *unstructured.Unstructured {
	s.Helper()
	return s.server.Apply(s.T, s.namespace, manifest)[0]
}

// parse reads an object as it is written down.
func (s *stage) parse(manifest string) *unstructured.Unstructured {
	s.Helper()
	return parsed(s.T, manifest)
}

// collection is where objects of the kind of this one are kept.
func (s *stage) collection(of Object) dynamic.ResourceInterface {
	s.Helper()
	kind, err := kindOf(of, s.Scheme)
	if err != nil {
		s.Fatal(err)
	}
	at, err := s.kinds.find(s.Context(), kind)
	if err != nil {
		s.Fatal(err)
	}
	return s.in(at, s.namespace)
}

// get reads an object as the server has it.
func (s *stage) get(of Object) *unstructured.Unstructured {
	s.Helper()
	is, err := s.collection(of).Get(s.Context(), of.GetName(), metav1.GetOptions{})
	if err != nil {
		s.Fatal(err)
	}
	return is
}

// apply applies a child of the owner that must be possible.
func apply[T Object](s *stage, child T, opts ...ApplyOption) (T, bool) {
	s.Helper()
	live, changed, err := Apply(s.Context(), s.Client, s.owner, child, opts...)
	if err != nil {
		s.Fatal(err)
	}
	return live, changed
}

// configMap is a child that says its kind.
func configMap(name string, data words) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}, ObjectMeta: metav1.ObjectMeta{Name: name}, Data: data,
	}
}

// hold puts a finalizer on an object and deletes it, so that it stays in between.
func (s *stage) hold(child Object) {
	s.Helper()
	is := s.get(child)
	is.SetFinalizers([]string{"children.kopf.dev/hold"})
	is, err := s.collection(child).Update(s.Context(), is, metav1.UpdateOptions{})
	if err == nil {
		err = s.collection(child).Delete(s.Context(), child.GetName(), metav1.DeleteOptions{})
	}
	if err != nil {
		s.Fatal(err)
	}
	collection := s.collection(child)
	s.Cleanup(func() {
		is.SetFinalizers(nil)
		is.SetResourceVersion("")
		// The context of the test has ended by now.
		if _, err := collection.Update(context.Background(), is, metav1.UpdateOptions{}); err != nil {
			s.Logf("release %s: %v", describe(child), err)
		}
	})
}

// wants fails unless an error wraps one and says another thing.
func (s *stage) wants(err, is error, says string) {
	s.Helper()
	if err == nil || is != nil && !errors.Is(err, is) || !strings.Contains(err.Error(), says) {
		s.Errorf("got error %v, want %v, and %q in it", err, is, says)
	}
}

func (s *stage) eventually(what string, ok func() bool) {
	s.Helper()
	for deadline := time.Now().Add(time.Minute); !ok(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			s.Fatalf("waited in vain until %s", what)
		}
	}
}
