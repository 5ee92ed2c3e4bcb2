package kopftest

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing/synctest"

	"sigs.k8s.io/yaml"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// defaultNamespace is where objects are that do not say otherwise.
const defaultNamespace = "default"

// Create creates an object and returns it. It is given as YAML or JSON text, or as a pointer to a typed object; of a typed object without
// TypeMeta, the kind is the name of the type. Without a namespace it is in "default". A refusal of the server fails the test.
func (s *Stage) Create(object any) *Object {
	s.t.Helper()
	o, content, err := s.toCreate(object)
	if err != nil {
		s.t.Fatalf("creating an object: %v", err)
	}
	s.makeNamespace(o.namespace)
	s.timeline.add("test", "create %s", o)
	if _, err := s.server.Do(http.MethodPost, o.resource.Path(o.namespace, "", ""), "application/json", content); err != nil {
		s.t.Fatalf("creating %s: %v", o, err)
	}
	synctest.Wait()
	return o
}

// makeNamespace creates a namespace that is not there yet: in a test, to name it is to want it.
func (s *Stage) makeNamespace(name string) {
	r, _ := s.server.BuiltIn("Namespace")
	if name == "" || s.server.Object(r.Path("", name, "")) != nil {
		return
	}
	if _, err := s.server.Do(http.MethodPost, r.Path("", "", ""), "application/json", fmt.Appendf(nil, `{"metadata":{"name":%q}}`, name)); err != nil {
		s.t.Fatalf("creating namespace %s: %v", name, err)
	}
}

// Object returns the object of a kind with a name, in the namespace "default" unless that is given before a slash. It need not be there.
func (s *Stage) Object(kind, name string) *Object {
	s.t.Helper()
	resource, err := s.resource("", kind)
	if err != nil {
		s.t.Fatal(err)
	}
	o := &Object{stage: s, resource: resource, namespace: defaultNamespace, name: name}
	if namespace, rest, ok := strings.Cut(name, "/"); ok {
		o.namespace, o.name = namespace, rest
	}
	if !resource.Namespaced {
		o.namespace = ""
	}
	return o
}

// toCreate reads what is to be created.
func (s *Stage) toCreate(object any) (*Object, []byte, error) {
	text, isText := object.(string)
	content := []byte(text)
	if !isText {
		value, err := tree.Of(object)
		if err != nil {
			return nil, nil, err
		}
		if content, err = tree.Encode(value); err != nil {
			return nil, nil, err
		}
	}
	content, err := yaml.YAMLToJSON(content)
	if err != nil {
		return nil, nil, err
	}
	decoded, err := tree.DecodeObject(content)
	if err != nil {
		return nil, nil, err
	}
	kind := tree.String(decoded, "kind")
	if kind == "" && !isText {
		kind = reflect.Indirect(reflect.ValueOf(object)).Type().Name()
	}
	resource, err := s.resource(tree.String(decoded, "apiVersion"), kind)
	if err != nil {
		return nil, nil, err
	}
	o := &Object{stage: s, resource: resource, name: tree.String(decoded, "metadata", "name")}
	if o.name == "" {
		return nil, nil, errors.New("it has no name")
	}
	if resource.Namespaced {
		if o.namespace = tree.String(decoded, "metadata", "namespace"); o.namespace == "" {
			o.namespace = defaultNamespace
		}
	}
	// A type cannot leave out what it has no omitempty for.
	if meta := tree.Object(decoded, "metadata"); meta["creationTimestamp"] == nil {
		delete(meta, "creationTimestamp")
	}
	content, err = tree.Encode(decoded)
	return o, content, err
}

// resource finds the resource of a kind; without an apiVersion, among those that the operator declares first.
func (s *Stage) resource(apiVersion, kind string) (api.Resource, error) {
	if apiVersion != "" {
		group, version, grouped := strings.Cut(apiVersion, "/")
		if !grouped {
			group, version = "", apiVersion
		}
		if r, ok := s.server.Resource(group, version, kind); ok {
			return r, nil
		}
		return api.Resource{}, fmt.Errorf("the server has no kind %s in %s", kind, apiVersion)
	}
	for _, declared := range s.declared {
		if r, ok := s.server.Resource(declared.Group, declared.Version, kind); ok {
			return r, nil
		}
	}
	if r, ok := s.server.BuiltIn(kind); ok {
		return r, nil
	}
	return api.Resource{}, fmt.Errorf("the server has no kind %q: say its apiVersion", kind)
}
