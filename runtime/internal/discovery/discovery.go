// Package discovery asks the API server what it knows of the resources that an operator declares: whether they are served, in which scope,
// with which verbs, and, for custom resources, what happens to fields on their way into the store. It runs before the streams of a resource
// are started.
package discovery

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
)

// Found is a resource as the server describes it.
type Found struct {
	// Resource has all fields set, whatever was declared of scope and status.
	api.Resource
	// Verbs are those that the server knows for the resource, allowed or not.
	Verbs []string
	// StatusVerbs are those of the status sub-resource.
	StatusVerbs []string
}

// Lacks returns those of the verbs that the server does not know for the resource. What cannot be listed and watched, such as a
// token review, cannot be served.
func (f Found) Lacks(verbs ...string) []string {
	return slices.DeleteFunc(slices.Clone(verbs), func(verb string) bool { return slices.Contains(f.Verbs, verb) })
}

// AbsentError says that the server does not serve a resource. It may come later, when somebody applies a CRD or when an aggregated API
// starts, so callers wait.
type AbsentError struct {
	Resource api.Resource
	// Served are the versions of the group in which the resource might be found instead; none if the group is unknown as well.
	Served []string
}

func (e *AbsentError) Error() string {
	text := "resource " + e.Resource.String() + " is not there"
	if len(e.Served) > 0 {
		text += fmt.Sprintf(": the server has %s in version %s", e.Resource.Group, strings.Join(e.Served, ", "))
	}
	return text
}

// Find looks a declared resource up, by its plural name, or by its kind if there is none. The error is an *AbsentError if it is not
// served; others are those of the request.
func Find(ctx context.Context, client *api.Client, declared api.Resource) (Found, error) {
	body, err := client.Get(ctx, declared.Root(), nil)
	if apierrors.IsNotFound(err) {
		return Found{}, &AbsentError{Resource: declared, Served: served(ctx, client, declared)}
	}
	if err != nil {
		return Found{}, fmt.Errorf("looking for resource %s: %w", declared, err)
	}
	var list resourceList
	if err := json.Unmarshal(body, &list); err != nil {
		return Found{}, fmt.Errorf("looking for resource %s: %w", declared, err)
	}
	return list.find(declared)
}

// resourceList is what matters of a metav1.APIResourceList.
type resourceList struct {
	Resources []struct {
		Name       string   `json:"name"`
		Kind       string   `json:"kind"`
		Namespaced bool     `json:"namespaced"`
		Verbs      []string `json:"verbs"`
	} `json:"resources"`
}

func (l resourceList) find(declared api.Resource) (Found, error) {
	found := Found{Resource: declared}
	found.HasStatus = false
	there := false
	for _, r := range l.Resources {
		named := r.Name == declared.Plural
		if declared.Plural == "" {
			named = r.Kind == declared.Kind && !strings.Contains(r.Name, "/")
		}
		if named && !there {
			if declared.Kind != "" && r.Kind != declared.Kind {
				return Found{}, fmt.Errorf("resource %s is of kind %s, not %s", declared, r.Kind, declared.Kind)
			}
			there = true
			found.Plural, found.Kind, found.Namespaced, found.Verbs = r.Name, r.Kind, r.Namespaced, r.Verbs
		}
	}
	if !there {
		return Found{}, &AbsentError{Resource: declared}
	}
	for _, r := range l.Resources {
		if r.Name == found.Plural+"/status" {
			found.HasStatus, found.StatusVerbs = true, r.Verbs
		}
	}
	return found, nil
}

// served returns the versions of the group, if it can be asked for them.
func served(ctx context.Context, client *api.Client, declared api.Resource) []string {
	if declared.Group == "" {
		return nil
	}
	body, err := client.Get(ctx, "/apis/"+declared.Group, nil)
	if err != nil {
		return nil
	}
	var group struct {
		Versions []struct {
			Version string `json:"version"`
		} `json:"versions"`
	}
	if json.Unmarshal(body, &group) != nil {
		return nil
	}
	var versions []string
	for _, v := range group.Versions {
		versions = append(versions, v.Version)
	}
	return versions
}
