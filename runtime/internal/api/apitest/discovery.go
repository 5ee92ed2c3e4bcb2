package apitest

import "slices"

// discover answers what clients ask to find out which groups, versions and resources there are. It reports false for any other path.
func (s *Server) discover(path string) (any, bool) {
	var groups []any
	var names []string
	for _, r := range s.all() {
		switch {
		case path == r.Root():
			return s.resourceList(path, r.APIVersion()), true
		case r.Group == "" || slices.Contains(names, r.Group):
		case path == "/apis/"+r.Group:
			return s.group(r.Group), true
		default:
			names = append(names, r.Group)
			groups = append(groups, s.group(r.Group))
		}
	}
	switch path {
	case "/api":
		return map[string]any{"kind": "APIVersions", "versions": []any{"v1"}}, true
	case "/apis":
		return map[string]any{"kind": "APIGroupList", "apiVersion": "v1", "groups": groups}, true
	}
	return nil, false
}

func (s *Server) group(name string) any {
	versions := []any{}
	var known []string
	for _, r := range s.all() {
		if r.Group == name && !slices.Contains(known, r.Version) {
			known = append(known, r.Version)
			versions = append(versions, map[string]any{"groupVersion": r.APIVersion(), "version": r.Version})
		}
	}
	return map[string]any{"kind": "APIGroup", "apiVersion": "v1", "name": name, "versions": versions, "preferredVersion": versions[0]}
}

// resourceList lists the resources of a group and version.
func (s *Server) resourceList(root, apiVersion string) any {
	list := []any{}
	for _, r := range s.all() {
		if r.Root() != root {
			continue
		}
		verbs := []any{"create", "delete", "get", "list", "patch", "update", "watch"}
		list = append(list, map[string]any{"name": r.Plural, "kind": r.Kind, "namespaced": r.Namespaced, "verbs": verbs})
		if r.HasStatus {
			list = append(list, map[string]any{
				"name": r.Plural + "/status", "kind": r.Kind, "namespaced": r.Namespaced, "verbs": []any{"get", "patch", "update"},
			})
		}
	}
	return map[string]any{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": apiVersion, "resources": list}
}
