package schema

import (
	"context"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/generator/source"
	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// builtin loads a package that imports some API groups of Kubernetes.
func builtin(t *testing.T) (*Catalog, map[string]*types.Package) {
	t.Helper()
	dir, err := filepath.Abs("testdata/builtin")
	if err != nil {
		t.Fatal(err)
	}
	var diags diagnostic.List
	program, err := source.Load(context.Background(), source.Config{Dir: dir, Patterns: []string{"."}}, &diags)
	if err != nil || diags.Err() != nil {
		t.Fatal(err, diags.Err())
	}
	imports := map[string]*types.Package{}
	for _, p := range program.Packages[0].Types.Imports() {
		imports[p.Path()] = p
	}
	return NewCatalog(program), imports
}

// TestBuiltinKinds compares what is read from export data and sources with what every cluster serves.
func TestBuiltinKinds(t *testing.T) {
	catalog, imports := builtin(t)
	want := map[string][]string{
		"k8s.io/api/core/v1": {
			"componentstatuses cluster", "configmaps", "endpoints", "events", "limitranges", "namespaces cluster", "nodes cluster", "persistentvolumeclaims",
			"persistentvolumes cluster", "pods", "podtemplates", "replicationcontrollers", "resourcequotas", "secrets", "serviceaccounts", "services",
		},
		"k8s.io/api/apps/v1":       {"controllerrevisions", "daemonsets", "deployments", "replicasets", "statefulsets"},
		"k8s.io/api/networking/v1": {"ingressclasses cluster", "ingresses", "ipaddresses cluster", "networkpolicies", "servicecidrs cluster"},
		"k8s.io/api/rbac/v1":       {"clusterrolebindings cluster", "clusterroles cluster", "rolebindings", "roles"},
		"k8s.io/api/storage/v1": {
			"csidrivers cluster", "csinodes cluster", "csistoragecapacities", "storageclasses cluster", "volumeattachments cluster", "volumeattributesclasses cluster",
		},
		"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1": {"customresourcedefinitions cluster"},
	}
	groups := map[string]string{
		"k8s.io/api/core/v1": "", "k8s.io/api/apps/v1": "apps", "k8s.io/api/networking/v1": "networking.k8s.io", "k8s.io/api/rbac/v1": "rbac.authorization.k8s.io",
		"k8s.io/api/storage/v1": "storage.k8s.io", "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1": "apiextensions.k8s.io",
	}
	unwatchable := []string{"Binding", "PodStatusResult", "RangeAllocation"}
	for path, resources := range want {
		pkg := imports[path]
		if pkg == nil {
			t.Errorf("%s is not imported", path)
			continue
		}
		var got []string
		for _, k := range catalog.In(pkg) {
			if len(k.problems) > 0 {
				if !slices.Contains(unwatchable, k.Name) {
					t.Errorf("%s: %v", k, k.problems)
				}
				continue
			}
			if k.Group != groups[path] || k.Version != "v1" {
				t.Errorf("%s is of %q %q", k, k.Group, k.Version)
			}
			resource := k.Plural
			if !k.Namespaced {
				resource += " cluster"
			}
			got = append(got, resource)
		}
		slices.Sort(got)
		if diff := cmp.Diff(resources, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

func TestListMapKeysOfBuiltins(t *testing.T) {
	catalog, imports := builtin(t)
	pod, _ := catalog.Of(imports["k8s.io/api/core/v1"].Scope().Lookup("Pod").Type())
	keys := catalog.ListMapKeys(pod, []string{"spec"})
	for path, want := range map[string]string{
		"spec.containers": "name", "spec.containers.ports": "containerPort protocol", "spec.volumes": "name", "spec.tolerations": "", "status.conditions": "",
	} {
		if got := strings.Join(keys[path], " "); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
