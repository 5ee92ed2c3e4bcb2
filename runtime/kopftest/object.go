package kopftest

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/types"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"github.com/kopfgen/kopfgen/internal/seen"
	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// Gone, as what is wanted of an object, is that it is not there.
const Gone = "null"

// defaultNamespace is where objects are that do not say otherwise.
const defaultNamespace = "default"

// Object is an object on the server, there or not, as people see it. What they do to it never suffers from faults.
type Object struct {
	stage           *Stage
	resource        api.Resource
	namespace, name string
}

// Create creates an object and returns it. It is given as YAML or JSON text, or as a pointer to a typed object; of a typed object without
// TypeMeta, the kind is the name of the type. Without a namespace it is in "default". A refusal of the server fails the test.
func (s *Stage) Create(object any) *Object {
	s.t.Helper()
	o, content, err := s.toCreate(object)
	if err != nil {
		s.t.Fatalf("creating an object: %v", err)
	}
	s.timeline.add("test", "create %s", o)
	if _, err := s.server.Do(http.MethodPost, o.resource.Path(o.namespace, "", ""), "application/json", content); err != nil {
		s.t.Fatalf("creating %s: %v", o, err)
	}
	synctest.Wait()
	return o
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
	for _, r := range builtIn {
		if r.Kind == kind {
			return r, nil
		}
	}
	return api.Resource{}, fmt.Errorf("the server has no kind %q: say its apiVersion", kind)
}

// String names the object: Backup default/orders.
func (o *Object) String() string {
	return o.resource.Kind + " " + strings.TrimPrefix(o.namespace+"/"+o.name, "/")
}

func (o *Object) path(subresource string) string {
	return o.resource.Path(o.namespace, o.name, subresource)
}

// Patch changes the object by a merge patch in YAML or JSON.
func (o *Object) Patch(patch string) {
	o.stage.t.Helper()
	o.patch(patch, "")
}

// PatchStatus changes the status, as in PatchStatus(`status: {phase: done}`).
func (o *Object) PatchStatus(patch string) {
	o.stage.t.Helper()
	if !o.resource.HasStatus {
		o.patch(patch, "")
		return
	}
	o.patch(patch, "status")
}

func (o *Object) patch(patch, subresource string) {
	o.stage.t.Helper()
	body, err := yaml.YAMLToJSON([]byte(patch))
	if err != nil {
		o.stage.t.Fatalf("reading the patch %q: %v", patch, err)
	}
	o.stage.timeline.add("test", "patch %s", strings.TrimPrefix(subresource+" of "+o.String()+" "+string(body), " of "))
	if _, err := o.stage.server.Do(http.MethodPatch, o.path(subresource), string(types.MergePatchType), body); err != nil {
		o.stage.t.Fatalf("patching %s: %v", o, err)
	}
	synctest.Wait()
}

// Delete asks for the deletion of the object.
func (o *Object) Delete() {
	o.stage.t.Helper()
	o.stage.timeline.add("test", "delete %s", o)
	if _, err := o.stage.server.Do(http.MethodDelete, o.path(""), "", nil); err != nil {
		o.stage.t.Fatalf("deleting %s: %v", o, err)
	}
	synctest.Wait()
}

// Expect checks that the object has what is wanted, a part of it in YAML: it may have more, null says that there is nothing, and all
// else is equal; [Gone] is that there is no object. Below "progress" are the records of handlers by the names of their annotations,
// without prefix, and below "handled" is the state that was handled last:
//
//	status: {copy: {volume: orders}}
//	progress: null
//	handled: {spec: {volume: orders}}
//
// If not, the test fails and ends.
func (o *Object) Expect(want string) {
	o.stage.t.Helper()
	if lack := o.Lacks(want); lack != "" {
		o.stage.t.Fatalf("%v: %s: %s\n%s", o.stage.Elapsed(), o, lack, o.State())
	}
}

// Within lets time pass until the object has what is wanted, in the language of Expect, and returns how long that took. If it does not come
// within the time, the test fails and ends. A state counts however quickly it passes.
func (o *Object) Within(limit time.Duration, want string) time.Duration {
	o.stage.t.Helper()
	synctest.Wait()
	began := time.Now()
	over := time.NewTimer(limit)
	defer over.Stop()
	server, path := o.stage.server, o.path("")
	_, version := server.Snapshot(path)
	lack := o.lacks(want, server.Object(path))
	for expired := false; lack != ""; {
		events, changed, known := server.Since(&version)
		if !known { // the past is forgotten; there is only the present
			_, version = server.Snapshot(path)
			lack = o.lacks(want, server.Object(path))
			continue
		}
		for _, e := range events {
			if lack != "" && e.Path() == server.Key(path) {
				lack = o.lacks(want, e.Now())
			}
		}
		if lack == "" {
			break
		}
		if expired {
			o.stage.t.Fatalf("%v: %s: after %v, %s\n%s", o.stage.Elapsed(), o, limit, lack, o.State())
		}
		select {
		case <-changed:
		case <-over.C:
			expired = true
			synctest.Wait() // for what is due at the end
		}
	}
	took := time.Since(began)
	synctest.Wait()
	return took
}

// lacks says what of what is wanted a state does not have, or nothing.
func (o *Object) lacks(want string, object map[string]any) string {
	o.stage.t.Helper()
	wanted, err := seen.Parse(want)
	if err != nil {
		o.stage.t.Fatal(err)
	}
	if object == nil {
		if wanted == nil {
			return ""
		}
		return "it is not there"
	}
	if wanted == nil {
		return "it is there"
	}
	now, err := seen.Look(object, o.stage.prefix)
	if err != nil {
		o.stage.t.Fatalf("%s: %v", o, err)
	}
	return seen.Missing(wanted, now)
}

// Lacks says what the object does not have of what is wanted, in the language of Expect; "" is that it has all of it.
func (o *Object) Lacks(want string) string {
	o.stage.t.Helper()
	synctest.Wait()
	return o.lacks(want, o.stage.server.Object(o.path("")))
}

// State returns the object in YAML, as Expect sees it, or a sentence if it is not there.
func (o *Object) State() string {
	object := o.stage.server.Object(o.path(""))
	if object == nil {
		return o.String() + " is not there"
	}
	now, err := seen.Look(object, o.stage.prefix)
	if err != nil {
		return err.Error()
	}
	text, err := yaml.Marshal(now)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// Into decodes the object into a pointer to its type. It fails the test if the object is not there.
func (o *Object) Into(typed any) {
	o.stage.t.Helper()
	synctest.Wait()
	object := o.stage.server.Object(o.path(""))
	if object == nil {
		o.stage.t.Fatalf("%s is not there", o)
	}
	text, err := tree.Encode(object)
	if err == nil {
		err = kjson.UnmarshalCaseSensitivePreserveInts(text, typed)
	}
	if err != nil {
		o.stage.t.Fatalf("decoding %s: %v", o, err)
	}
}
