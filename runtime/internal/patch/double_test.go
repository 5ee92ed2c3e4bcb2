package patch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// double is the part of an API server that patches meet. It applies them with the library that the API server uses. That it behaves alike is
// checked by running the same scenarios on both.
type double struct {
	mu      sync.Mutex
	serves  []api.Resource
	objects map[string]map[string]any // by path
	version int
	uids    int
}

// knownStatus are the members that the schema of the resource with a status sub-resource has in its status; the rest is pruned.
var knownStatus = []string{"phase", "conditions", "create_fn", "count"}

func newDouble(serves ...api.Resource) *double {
	return &double{serves: serves, objects: map[string]map[string]any{}, version: 100}
}

func (d *double) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	answer, err := d.handle(r, body)
	code := http.StatusOK
	var refusal *refusal
	if errors.As(err, &refusal) {
		code = int(refusal.Code)
		answer = refusal.Status
	} else if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(answer)
}

// refusal is an answer that is a Status.
type refusal struct{ metav1.Status }

func (r *refusal) Error() string { return r.Message }

func refuse(code int32, reason metav1.StatusReason, field, format string, args ...any) error {
	s := metav1.Status{Status: metav1.StatusFailure, Code: code, Reason: reason, Message: fmt.Sprintf(format, args...)}
	s.Kind, s.APIVersion = "Status", "v1"
	if field != "" {
		s.Details = &metav1.StatusDetails{Causes: []metav1.StatusCause{{Field: field}}}
	}
	return &refusal{s}
}

func (d *double) handle(r *http.Request, body []byte) (any, error) {
	path, status := strings.CutSuffix(r.URL.Path, "/status")
	at := slices.IndexFunc(d.serves, func(res api.Resource) bool { return strings.Contains(path, "/"+res.Plural) })
	if at < 0 {
		return nil, refuse(404, metav1.StatusReasonNotFound, "", "the server could not find the requested resource")
	}
	resource := d.serves[at]
	if r.Method == http.MethodPost {
		return d.create(path, resource, body)
	}
	current, ok := d.objects[path]
	if !ok || status && !resource.HasStatus {
		return nil, refuse(404, metav1.StatusReasonNotFound, "", "%s not found", path)
	}
	switch r.Method {
	case http.MethodGet:
		return current, nil
	case http.MethodDelete:
		return d.delete(path, current), nil
	case http.MethodPatch:
		return d.patch(path, resource, status, r.Header.Get("Content-Type"), body)
	}
	return nil, refuse(405, metav1.StatusReasonMethodNotAllowed, "", "%s is not allowed", r.Method)
}

func (d *double) create(collection string, resource api.Resource, body []byte) (any, error) {
	object, err := tree.DecodeObject(body)
	if err != nil {
		return nil, refuse(400, metav1.StatusReasonBadRequest, "", "%v", err)
	}
	path := collection + "/" + tree.String(object, "metadata", "name")
	if _, ok := d.objects[path]; ok {
		return nil, refuse(409, metav1.StatusReasonAlreadyExists, "", "%s exists", path)
	}
	d.uids++
	tree.Set(object, "uid-"+strconv.Itoa(d.uids), "metadata", "uid")
	tree.Set(object, "2026-01-01T00:00:00Z", "metadata", "creationTimestamp")
	tree.Set(object, int64(1), "metadata", "generation")
	if resource.HasStatus {
		delete(object, "status")
	}
	d.store(path, object)
	return object, nil
}

func (d *double) store(path string, object map[string]any) {
	d.version++
	tree.Set(object, strconv.Itoa(d.version), "metadata", "resourceVersion")
	d.objects[path] = object
}

func (d *double) delete(path string, current map[string]any) any {
	if len(finalizers(current)) == 0 {
		delete(d.objects, path)
		d.version++
		return current
	}
	object := tree.Copy(current).(map[string]any)
	tree.Set(object, "2026-01-02T00:00:00Z", "metadata", "deletionTimestamp")
	tree.Set(object, int64(0), "metadata", "deletionGracePeriodSeconds")
	d.store(path, object)
	return object
}

func (d *double) patch(path string, resource api.Resource, status bool, kind string, body []byte) (any, error) {
	current := d.objects[path]
	object, err := apply(current, kind, body)
	if err != nil {
		return nil, err
	}
	if v := tree.String(object, "metadata", "resourceVersion"); v != "" && v != tree.String(current, "metadata", "resourceVersion") {
		return nil, refuse(409, metav1.StatusReasonConflict, "", "the object has been modified")
	}
	if status {
		object = with(current, "status", object["status"])
	} else if resource.HasStatus {
		object = with(object, "status", current["status"])
	}
	meta := tree.Object(object, "metadata")
	if uid := tree.Object(current, "metadata")["uid"]; meta["uid"] != uid {
		return nil, refuse(422, metav1.StatusReasonInvalid, "metadata.uid", "metadata.uid: Invalid value: field is immutable")
	}
	for _, name := range []string{"creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation", "resourceVersion"} {
		restore(meta, name, tree.Object(current, "metadata"))
	}
	if list, ok := meta["finalizers"].([]any); ok && len(list) == 0 {
		delete(meta, "finalizers")
	}
	deleting := tree.String(meta, "deletionTimestamp") != ""
	if deleting {
		for _, f := range finalizers(object) {
			if !slices.Contains(finalizers(current), f) {
				return nil, refuse(422, metav1.StatusReasonInvalid, "metadata.finalizers", "no new finalizers can be added")
			}
		}
	}
	if size, ok := tree.Object(object, "spec")["size"]; ok {
		if _, integer := size.(int64); !integer {
			return nil, refuse(422, metav1.StatusReasonInvalid, "spec.size", "spec.size: must be of type integer")
		}
	}
	if known := tree.Object(object, "status"); resource.HasStatus && known != nil {
		object = with(object, "status", prune(known))
	}
	if tree.Equal(object, current) {
		return current, nil
	}
	if !tree.Equal(object["spec"], current["spec"]) {
		meta["generation"] = meta["generation"].(int64) + 1
	}
	if deleting && len(finalizers(object)) == 0 {
		delete(d.objects, path)
		d.version++
		return object, nil
	}
	d.store(path, object)
	return object, nil
}

func apply(current map[string]any, kind string, body []byte) (map[string]any, error) {
	before, err := tree.Encode(current)
	if err != nil {
		return nil, err
	}
	var after []byte
	if strings.HasPrefix(kind, "application/json-patch") {
		ops, err := jsonpatch.DecodePatch(body)
		if err != nil {
			return nil, refuse(400, metav1.StatusReasonBadRequest, "", "%v", err)
		}
		if after, err = ops.Apply(before); err != nil {
			return nil, refuse(422, metav1.StatusReasonInvalid, "", "%v", err)
		}
	} else if after, err = jsonpatch.MergePatch(before, body); err != nil {
		return nil, refuse(400, metav1.StatusReasonBadRequest, "", "%v", err)
	}
	return tree.DecodeObject(after)
}

func with(object map[string]any, name string, value any) map[string]any {
	out := tree.Copy(object).(map[string]any)
	if value == nil {
		delete(out, name)
	} else {
		out[name] = tree.Copy(value)
	}
	return out
}

func restore(meta map[string]any, name string, from map[string]any) {
	delete(meta, name)
	if v, ok := from[name]; ok {
		meta[name] = v
	}
}

func prune(status map[string]any) map[string]any {
	out := map[string]any{}
	for name, v := range status {
		if slices.Contains(knownStatus, name) {
			out[name] = v
		}
	}
	return out
}
