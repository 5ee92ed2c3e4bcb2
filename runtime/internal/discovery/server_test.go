package discovery_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kopfgen/kopfgen/internal/controlplane"
	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/discovery"
)

func TestOnServer(t *testing.T) {
	server := controlplane.Start(t, controlplane.WithUser("stranger"))
	client, err := api.New(server.Config())
	if err != nil {
		t.Fatal(err)
	}
	v1 := api.Resource{Group: "discovery.kopf.dev", Version: "v1", Plural: "greeters", Kind: "Greeter"}
	v2, v3 := v1, v1
	v2.Version, v3.Version = "v2", "v3"

	var absent *discovery.AbsentError
	if _, err := discovery.Find(t.Context(), client, v1); !errors.As(err, &absent) || absent.Served != nil {
		t.Errorf("before the CRD is there: %v", err)
	}
	server.ApplyFile(t, "testdata/greeters.yaml")
	if _, err := discovery.Find(t.Context(), client, v3); !errors.As(err, &absent) || !cmp.Equal(absent.Served, []string{"v2", "v1"}) {
		t.Errorf("a version that is not there: %v", err)
	}
	for _, declared := range []api.Resource{v1, v2} {
		found, err := discovery.Find(t.Context(), client, declared)
		want := declared
		want.HasStatus = declared.Version == "v1"
		if err != nil || found.Resource != want || len(found.Lacks("list", "watch", "patch")) > 0 {
			t.Errorf("%+v, %v", found, err)
		}
		d, known, err := discovery.Define(t.Context(), client, found.Resource)
		old := declared.Version == "v2"
		if err != nil || !known || d.Stored != "v1" || d.Converted || d.KeepsStatus != old || (d.Warning() != "") != old {
			t.Errorf("%+v, %v, %v", d, known, err)
		}
	}
	pods, err := discovery.Find(t.Context(), client, api.Resource{Version: "v1", Plural: "pods"})
	if want := (api.Resource{Version: "v1", Plural: "pods", Kind: "Pod", Namespaced: true, HasStatus: true}); err != nil || pods.Resource != want {
		t.Errorf("%+v, %v", pods, err)
	}

	// What the warning warns of.
	object := []byte(`{"apiVersion":"discovery.kopf.dev/v1","kind":"Greeter","metadata":{"name":"a"},"spec":{"size":1,"color":"red"}}`)
	if _, err := client.Post(t.Context(), v1.Path("", "", ""), object, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Patch(t.Context(), v2.Path("", "a", ""), types.MergePatchType, []byte(`{"metadata":{"annotations":{"note":"1"}}}`), nil); err != nil {
		t.Fatal(err)
	}
	if after, err := client.Get(t.Context(), v1.Path("", "a", ""), nil); err != nil || strings.Contains(string(after), "red") {
		t.Errorf("the field is still there: %s, %v", after, err)
	}

	// Whoever may not read CRDs still finds the resource.
	cfg, err := server.User("stranger")
	if err != nil {
		t.Fatal(err)
	}
	stranger, err := api.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := discovery.Find(t.Context(), stranger, v1); err != nil {
		t.Error(err)
	}
	if _, known, err := discovery.Define(t.Context(), stranger, v1); known || err != nil {
		t.Errorf("known: %v, %v", known, err)
	}
}
