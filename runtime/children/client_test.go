package children

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// A kind that the server did not have is found as soon as it has.
func TestKindsThatComeLater(t *testing.T) {
	s := newStage(t)
	child := s.parse("{apiVersion: later.children.kopf.dev/v1, kind: Late}")
	if _, _, err := Apply(t.Context(), s.Client, s.owner, child); !meta.IsNoMatchError(err) {
		t.Fatalf("before: %v", err)
	}
	s.put(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lates.later.children.kopf.dev}
spec:
  group: later.children.kopf.dev
  scope: Namespaced
  names: {kind: Late, plural: lates, singular: late}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}`)
	s.eventually("the kind is found", func() bool {
		_, _, err := Apply(t.Context(), s.Client, s.owner, child)
		return err == nil
	})
}

// The documented rights are enough.
func TestRights(t *testing.T) {
	s := newStage(t)
	for verbs, do := range map[string]func(c *Client) error{
		"get, create, patch": func(c *Client) error {
			for _, data := range []words{{"a": "b"}, {"a": "c"}} {
				if _, _, err := Apply(t.Context(), c, s.owner, configMap("applied", data)); err != nil {
					return err
				}
			}
			return nil
		},
		"create, get": func(c *Client) error {
			for range 2 {
				if _, _, err := Create(t.Context(), c, s.owner, configMap("created", nil)); err != nil {
					return err
				}
			}
			return nil
		},
		"get, delete": func(c *Client) error {
			apply(s, configMap("deleted", nil))
			_, err := Delete(t.Context(), c, s.owner, configMap("deleted", nil))
			return err
		},
		"list, delete": func(c *Client) error {
			apply(s, configMap("pruned", nil))
			_, err := Prune[Object](t.Context(), c, s.owner, corev1.SchemeGroupVersion.WithKind("ConfigMap"), "", nil)
			return err
		},
	} {
		t.Run(verbs, func(t *testing.T) {
			user := s.namespace + "-" + strings.ReplaceAll(verbs, ", ", "-")
			cfg := s.server.Config()
			cfg.Impersonate = rest.ImpersonationConfig{UserName: user, Groups: []string{"system:authenticated"}}
			client, err := NewForConfig(cfg, "greeters")
			if err != nil {
				t.Fatal(err)
			}
			s.put("{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: " + user + "}, rules: [{apiGroups: [''], resources: [configmaps], verbs: [" + verbs + "]}]}")
			s.put("{apiVersion: rbac.authorization.k8s.io/v1, kind: RoleBinding, metadata: {name: " + user + "}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: " + user + "}, subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: " + user + "}]}")
			s.eventually("the rights are there", func() bool { return !apierrors.IsForbidden(do(client)) })
			if err := do(client); err != nil {
				t.Error(err)
			}
		})
	}
}

// An operator within a larger program brings a client and a mapper along.
func TestClientsOfOthers(t *testing.T) {
	s := newStage(t)
	objects, err := dynamic.NewForConfig(s.server.Config())
	if err != nil {
		t.Fatal(err)
	}
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.Add(configMaps, meta.RESTScopeNamespace)
	mapper.Add(schema.GroupVersionKind{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "ClusterRole"}, meta.RESTScopeRoot)
	if s.Client, err = New(objects, mapper, "greeters"); err != nil {
		t.Fatal(err)
	}
	if is, changed := apply(s, configMap("c", words{"a": "b"})); !changed || is.Data["a"] != "b" || is.ManagedFields[0].Manager != "greeters" {
		t.Errorf("changed %v, %v", changed, is)
	}
	_, _, err = Apply(t.Context(), s.Client, s.owner, s.parse("{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole}"))
	s.wants(err, ErrOtherNamespace, "")
	_, _, err = Apply(t.Context(), s.Client, s.owner, web("x"))
	s.wants(err, nil, "no matches for kind")

	for _, broken := range []func() (*Client, error){
		func() (*Client, error) { return New(objects, mapper, "") },
		func() (*Client, error) { return NewForConfig(s.server.Config(), "") },
		func() (*Client, error) { return NewForConfig(&rest.Config{Host: ":bad:"}, "greeters") },
	} {
		if client, err := broken(); err == nil || client != nil {
			t.Errorf("client %v, error %v", client, err)
		}
	}
}

// A server that does not answer is an error, and not a kind that is missing.
func TestServersThatAreAway(t *testing.T) {
	client, err := NewForConfig(&rest.Config{Host: "127.0.0.1:1"}, "greeters")
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = Apply(t.Context(), client, parent("ns"), configMap("c", nil))
	if err == nil || meta.IsNoMatchError(err) || !strings.Contains(err.Error(), "find the resource of /v1, Kind=ConfigMap") {
		t.Errorf("got error %v", err)
	}
}
