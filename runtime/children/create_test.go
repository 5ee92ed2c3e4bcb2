package children

import (
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestCreate(t *testing.T) {
	s := newStage(t)
	child := configMap("", words{"password": "first"})
	is, created, err := Create(t.Context(), s.Client, s.owner, child)
	if err != nil || !created || is.Name != "world" || !metav1.IsControlledBy(is, s.owner) || is.Labels["app"] != "greet" {
		t.Fatalf("created %v, error %v, %v", created, err, is)
	}
	again, created, err := Create(t.Context(), s.Client, s.owner, configMap("", words{"password": "second"}))
	if err != nil || created || again.Data["password"] != "first" || again.ResourceVersion != is.ResourceVersion {
		t.Errorf("again: created %v, error %v, %v", created, err, again)
	}
}

// However many try at once, one makes it, and all get the same.
func TestOneCreates(t *testing.T) {
	s := newStage(t)
	var made, uids sync.Map
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			is, created, err := Create(t.Context(), s.Client, s.owner, configMap("", nil))
			if err != nil {
				t.Error(err)
				return
			}
			uids.Store(is.UID, true)
			if created {
				made.Store(i, true)
			}
		})
	}
	all.Wait()
	count := func(m *sync.Map) (n int) {
		m.Range(func(any, any) bool { n++; return true })
		return n
	}
	if count(&made) != 1 || count(&uids) != 1 {
		t.Errorf("%d made it, %d objects", count(&made), count(&uids))
	}
}
