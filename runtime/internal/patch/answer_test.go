package patch

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
)

func TestReleased(t *testing.T) {
	pods := api.Resource{Version: "v1", Plural: "pods", Kind: "Pod", Namespaced: true, HasStatus: true}
	namespaces := api.Resource{Version: "v1", Plural: "namespaces", Kind: "Namespace", HasStatus: true}
	for _, c := range []struct {
		name     string
		resource api.Resource
		answer   string
		want     bool
	}{
		{"not being deleted", widgets, `{"metadata":{"annotations":{"a":"deletionTimestamp"}}}`, false},
		{"the last one taken", widgets, `{"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z","deletionGracePeriodSeconds":0}}`, true},
		{"without a grace period", widgets, `{"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z","finalizers":[]}}`, true},
		{"others hold it", widgets, `{"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z","finalizers":["a/b"]}}`, false},
		{"a pod that is stopping", pods, `{"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z","deletionGracePeriodSeconds":30}}`, false},
		{"a namespace that is being emptied", namespaces,
			`{"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z"},"spec":{"finalizers":["kubernetes"]}}`, false},
		{"an empty namespace", namespaces, `{"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z"},"spec":{}}`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := released([]byte(c.answer), Target{Resource: c.resource}); got != c.want {
				t.Errorf("released(%s) = %v", c.answer, got)
			}
		})
	}
}

func TestLacking(t *testing.T) {
	for _, c := range []struct {
		name, sent, got string
		want            []string
	}{
		{"all there", `{"a":{"b":[1,{"c":2}]}}`, `{"a":{"b":[1,{"c":2}],"x":1}}`, nil},
		{"changed by others", `{"a":{"b":1},"c":[1]}`, `{"a":"x","c":[1,2]}`, nil},
		{"removals", `{"a":null,"b":{"c":null}}`, `{"b":{}}`, nil},
		{"members", `{"a":{"b":1,"c":2},"d":{"e":1}}`, `{"a":{"c":2}}`, []string{"status.a.b", "status.d"}},
		{"members of elements", `{"a":[{"b":1},{"b":2}]}`, `{"a":[{},{"b":2}]}`, []string{"status.a[0].b"}},
		{"an empty object", `{"a":{}}`, `{}`, []string{"status.a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, lacking("status", parse(t, c.sent), parse(t, c.got))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
