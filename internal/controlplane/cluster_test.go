package controlplane

import (
	"net/http"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

const widgetCRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.controlplane.kopf.dev}
spec:
  group: controlplane.kopf.dev
  scope: Namespaced
  names: {kind: Widget, plural: widgets, singular: widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`

func TestDeletedNamespacesAreEmptiedAndRemoved(t *testing.T) {
	cp := Shared(t)
	cp.Apply(t, "", "{apiVersion: v1, kind: Namespace, metadata: {name: doomed}}")
	cp.Apply(t, "doomed", "{apiVersion: v1, kind: ConfigMap, metadata: {name: content}}")
	remove(t, cp.Config(), namespaceResource, "", "doomed")
	eventually(t, 30*time.Second, "the namespace is gone", func() bool {
		status, _ := get(t, cp.Config(), "/api/v1/namespaces/doomed")
		return status == http.StatusNotFound
	})
}

func TestOwnedObjectsAreCollected(t *testing.T) {
	cp := Shared(t)
	namespace := cp.Namespace(t)
	owner := cp.Apply(t, namespace, widgetCRD+`
---
{apiVersion: controlplane.kopf.dev/v1, kind: Widget, metadata: {name: owner}}`)[1]
	cp.Apply(t, namespace, `
apiVersion: v1
kind: ConfigMap
metadata:
  name: owned
  ownerReferences: [{apiVersion: controlplane.kopf.dev/v1, kind: Widget, name: owner, uid: `+string(owner.GetUID())+`}]`)
	remove(t, cp.Config(), schema.GroupVersionResource{Group: "controlplane.kopf.dev", Version: "v1", Resource: "widgets"}, namespace, "owner")
	eventually(t, 30*time.Second, "the owned object is gone", func() bool {
		status, _ := get(t, cp.Config(), "/api/v1/namespaces/"+namespace+"/configmaps/owned")
		return status == http.StatusNotFound
	})
}

// TestOptions starts one control plane with everything that differs from the shared one.
func TestOptions(t *testing.T) {
	cp := Start(t, WithUser("viewer", "watchers"), WithUser("nobody"), WithFeatureGate("WatchList", false),
		WithAPIServerFlags("--runtime-config=batch/v1=false"))

	t.Run("users may do what RBAC grants", func(t *testing.T) {
		const configMaps = "/api/v1/namespaces/default/configmaps"
		viewer, err := cp.User("viewer")
		if err != nil {
			t.Fatal(err)
		}
		if status, body := get(t, viewer, configMaps); status != http.StatusForbidden {
			t.Errorf("before the grant: got status %d and %s, want %d", status, body, http.StatusForbidden)
		}
		// "view" is an aggregated role: a controller fills it.
		cp.Apply(t, "default", `
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: watchers}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: Group, name: watchers}]`)
		eventually(t, 10*time.Second, "the group may view", func() bool {
			status, _ := get(t, viewer, configMaps)
			return status == http.StatusOK
		})
		if status, _ := get(t, viewer, "/api/v1/namespaces/default/secrets"); status != http.StatusForbidden {
			t.Errorf("secrets: got status %d, want %d", status, http.StatusForbidden)
		}
		nobody, err := cp.User("nobody")
		if err != nil {
			t.Fatal(err)
		}
		if status, _ := get(t, nobody, configMaps); status != http.StatusForbidden {
			t.Errorf("another user: got status %d, want %d", status, http.StatusForbidden)
		}
		if _, err := cp.User("stranger"); err == nil {
			t.Error("a user who was not asked for has a configuration")
		}
	})

	t.Run("feature gates are switched", func(t *testing.T) {
		const streamingList = "/api/v1/namespaces?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1"
		if status, body := get(t, Shared(t).Config(), streamingList); status != http.StatusOK || !strings.Contains(body, "k8s.io/initial-events-end") {
			t.Errorf("with the gate: got status %d and %.200s, want %d and the initial events", status, body, http.StatusOK)
		}
		if status, body := get(t, cp.Config(), streamingList); status != http.StatusUnprocessableEntity {
			t.Errorf("without the gate: got status %d and %.200s, want %d", status, body, http.StatusUnprocessableEntity)
		}
	})

	t.Run("other flags reach the server", func(t *testing.T) {
		if status, body := get(t, cp.Config(), "/apis/batch/v1"); status != http.StatusNotFound {
			t.Errorf("API group that was switched off: got status %d and %.200s", status, body)
		}
	})

	t.Run("a kubeconfig for one user", func(t *testing.T) {
		path, err := cp.UserKubeconfig("nobody")
		if err != nil {
			t.Fatal(err)
		}
		cfg, err := (&ControlPlane{kubeconfig: path}).User("")
		if err != nil {
			t.Fatal(err)
		}
		if _, body := get(t, cfg, "/api/v1/nodes"); !strings.Contains(body, `User \"nobody\" cannot list`) {
			t.Errorf("got %s", body)
		}
		if _, err := cp.UserKubeconfig("stranger"); err == nil {
			t.Error("a user who was not asked for has a kubeconfig")
		}
	})
}

func TestServerSaysItsVersion(t *testing.T) {
	src, err := findSource(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, body := get(t, Shared(t).Config(), "/version"); !strings.Contains(body, `"gitVersion": "`+src.kubernetes+`"`) {
		t.Errorf("got %s, want version %s", body, src.kubernetes)
	}
}

func remove(t *testing.T, cfg *rest.Config, resource schema.GroupVersionResource, namespace, name string) {
	t.Helper()
	client, err := dynamic.NewForConfig(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := client.Resource(resource).Namespace(namespace).Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
}
