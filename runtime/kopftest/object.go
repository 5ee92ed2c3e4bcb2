package kopftest

import (
	"net/http"
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

// Object is an object on the server, there or not, as people see it. What they do to it never suffers from faults.
type Object struct {
	stage           *Stage
	resource        api.Resource
	namespace, name string
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

// Expect checks that the object has what is wanted, a part of it in YAML: it and its parts may have more, lists have as many
// elements, null says that there is nothing, and all else is equal; [Gone] is that there is no object. Below "progress" are the records of handlers by the names of their annotations,
// without prefix, and below "handled" is the state that was handled last:
//
//	status: {copy: {volume: orders}}
//	progress: null
//	handled: {spec: {volume: orders}}
//
// If not, the test fails and ends. In a scenario of [Explore] it lets time pass until the object has it, an hour at most.
func (o *Object) Expect(want string) {
	o.stage.t.Helper()
	if o.stage.explored != nil {
		o.Within(patience, want)
		return
	}
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
