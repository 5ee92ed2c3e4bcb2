package api

import "strings"

// Resource is one kind of objects as the API serves it.
type Resource struct {
	Group   string // "" is the core group
	Version string
	Plural  string // the name in paths
	Kind    string

	Namespaced bool
	HasStatus  bool // there is a status sub-resource
}

// Path returns the path of an object, of its sub-resource, or, without a name, of the collection. No namespace means all of them, which
// only collections can have; objects of a cluster-wide resource have none anyway.
func (r Resource) Path(namespace, name, subresource string) string {
	parts := []string{r.Root()}
	if r.Namespaced && namespace != "" {
		parts = append(parts, "namespaces", namespace)
	}
	for _, part := range []string{r.Plural, name, subresource} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "/")
}

// Root returns the path of the group and version.
func (r Resource) Root() string {
	if r.Group == "" {
		return "/api/" + r.Version
	}
	return "/apis/" + r.Group + "/" + r.Version
}

// APIVersion returns what objects of the resource have as apiVersion.
func (r Resource) APIVersion() string {
	if r.Group == "" {
		return r.Version
	}
	return r.Group + "/" + r.Version
}

// String names the resource as Kopf does and as kubectl accepts it: plural.version.group.
func (r Resource) String() string {
	return strings.TrimSuffix(r.Plural+"."+r.Version+"."+r.Group, ".")
}
