package apitest

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// list answers a list, or a page of it. Items of kinds without a definition leave it to the list to say what they are, as built-in kinds do.
func (s *Server) list(r request, resource served) (any, error) {
	selected, err := newSelection(resource, r.query)
	if err != nil {
		return nil, err
	}
	version, objects, after := s.version, s.objects, ""
	if v, _ := strconv.Atoi(r.query.Get("resourceVersion")); v > version {
		return nil, refuse(504, metav1.StatusReasonTimeout, "", "Too large resource version: %d, current: %d", v, version)
	}
	if token := r.query.Get("continue"); token != "" {
		if version, after, err = s.resume(token); err != nil {
			return nil, err
		}
		objects = s.at(version)
	}
	limit, _ := strconv.Atoi(r.query.Get("limit"))
	metadata := map[string]any{"resourceVersion": s.named(version)}
	items := []any{}
	last := ""
	for _, key := range slices.Sorted(maps.Keys(objects)) {
		object := resource.view(objects[key])
		if key <= after || !resource.within(key, r.path) || !selected.has(object) {
			continue
		}
		if limit > 0 && len(items) == limit {
			metadata["continue"] = base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d %s", version, last))
			break
		}
		item := maps.Clone(shown(object, r.accept))
		if resource.schema == nil {
			delete(item, "apiVersion")
			delete(item, "kind")
		}
		items, last = append(items, item), key
	}
	kind, apiVersion := resource.Kind+"List", resource.APIVersion()
	if strings.Contains(r.accept, "as=PartialObjectMetadataList") {
		kind, apiVersion = "PartialObjectMetadataList", "meta.k8s.io/v1"
	}
	return map[string]any{"apiVersion": apiVersion, "kind": kind, "items": items, "metadata": metadata}, nil
}

// resume tells where the next page of a list begins, and of which version it is.
func (s *Server) resume(token string) (version int, after string, err error) {
	text, err := base64.RawURLEncoding.DecodeString(token)
	if err == nil {
		_, err = fmt.Sscanf(string(text), "%d %s", &version, &after)
	}
	if err != nil {
		return 0, "", refuse(400, metav1.StatusReasonBadRequest, "", "continue key is not valid: %v", err)
	}
	if version < s.oldest {
		return 0, "", refuse(410, metav1.StatusReasonExpired, "", "The provided continue parameter is too old")
	}
	return version, after, nil
}

// selection says which objects a list or a watch is about.
type selection struct {
	labels     labels.Selector
	fields     fields.Selector
	selectable [][]string
}

func newSelection(resource served, query map[string][]string) (selection, error) {
	s := selection{selectable: append([][]string{{"metadata", "name"}, {"metadata", "namespace"}}, resource.selectable...)}
	get := func(name string) string { return strings.Join(query[name], ",") }
	var err error
	if s.labels, err = labels.Parse(get("labelSelector")); err != nil {
		return s, refuse(400, metav1.StatusReasonBadRequest, "", "%v", err)
	}
	if s.fields, err = fields.ParseSelector(get("fieldSelector")); err != nil {
		return s, refuse(400, metav1.StatusReasonBadRequest, "", "%v", err)
	}
	for _, r := range s.fields.Requirements() {
		if !slices.ContainsFunc(s.selectable, func(path []string) bool { return strings.Join(path, ".") == r.Field }) {
			return s, refuse(400, metav1.StatusReasonBadRequest, "", "field label not supported: %s", r.Field)
		}
	}
	return s, nil
}

// has tells whether an object is selected; nil never is.
func (s selection) has(object map[string]any) bool {
	if object == nil {
		return false
	}
	have := labels.Set{}
	for key, value := range tree.Object(object, "metadata", "labels") {
		have[key], _ = value.(string)
	}
	if !s.labels.Matches(have) {
		return false
	}
	values := fields.Set{}
	for _, path := range s.selectable {
		if value, ok := tree.Get(object, path...); ok && value != nil {
			values[strings.Join(path, ".")] = fmt.Sprint(value)
		}
	}
	return s.fields.Matches(values)
}

// sees tells how an event looks to somebody who watches the selection, if at all: what leaves it is deleted, with its previous content.
func (s selection) sees(e Event, resource served) (typ string, object map[string]any, ok bool) {
	now := resource.view(e.object)
	before, after := e.previous != nil && s.has(resource.view(e.previous)), e.Type != Deleted && s.has(now)
	switch {
	case before && after:
		return Modified, now, true
	case after:
		return Added, now, true
	case before:
		gone := tree.Copy(resource.view(e.previous)).(map[string]any)
		tree.Set(gone, tree.String(e.object, "metadata", "resourceVersion"), "metadata", "resourceVersion")
		return Deleted, gone, true
	}
	return "", nil, false
}
