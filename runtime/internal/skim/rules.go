package skim

import "strings"

// Config says what is essential for an operator on one resource, and what else it decides by.
type Config struct {
	// Finalizer is the operator's own.
	Finalizer string

	// Prefixes are those of the annotations in which the operator keeps its state: they are never part of the essence, always of the state.
	Prefixes []string

	// Extra fields belong to the essence although they lie outside of it: status.phase, metadata.name.
	Extra [][]string

	// Reads are the fields that filters and handlers look at beside the essence. An empty path stands for the whole object, less what
	// changes with every change: managedFields, resourceVersion and generation.
	Reads [][]string
}

// Rules are a Config made ready. They are immutable and may be shared.
type Rules struct {
	root      node
	finalizer string
	prefixes  []string
}

// use is what a part of an object counts for; what is essential is in the state, too.
type use uint8

const (
	forNothing use = iota
	forState
	forEssence
)

// part names the members that a skim reports or treats in a way of their own.
type part uint8

const (
	noPart part = iota
	partAPIVersion
	partKind
	partMetadata
	partSpec
	partStatus
	partUID
	partName
	partNamespace
	partResourceVersion
	partCreated
	partGeneration
	partDeletion
	partManaged
	partLabels
	partAnnotations
	partFinalizers
	partOwners
)

// node says how to read one member and, if it is an object, those below.
type node struct {
	name string
	path string // for messages
	part part
	use  use  // what the value counts for; in an object that is entered, the members without a node of their own
	deep use  // the highest use here or below
	own  bool // the use is not raised together with that of the parent
	open bool // the object is entered even though no node lies below, so that the order of its members makes no difference
	salt uint64
	kids []node
}

// Compile makes a configuration ready. It accepts every configuration: paths that lead nowhere count for nothing.
func Compile(c Config) *Rules {
	r := &Rules{finalizer: c.Finalizer, prefixes: c.Prefixes}
	r.root = node{use: forEssence, kids: []node{
		{name: "apiVersion", part: partAPIVersion},
		{name: "kind", part: partKind},
		{name: "metadata", part: partMetadata, kids: []node{
			{name: "uid", part: partUID},
			{name: "name", part: partName},
			{name: "namespace", part: partNamespace},
			{name: "resourceVersion", part: partResourceVersion, own: true},
			{name: "generation", part: partGeneration, own: true},
			{name: "creationTimestamp", part: partCreated},
			{name: "deletionTimestamp", part: partDeletion},
			{name: "managedFields", part: partManaged, own: true},
			{name: "labels", part: partLabels, use: forEssence, open: true},
			{name: "annotations", part: partAnnotations, open: true},
			{name: "finalizers", part: partFinalizers},
			{name: "ownerReferences", part: partOwners},
		}},
		{name: "spec", part: partSpec, use: forEssence},
		// Old versions of Kopf, and some operators by configuration, keep their progress here.
		{name: "status", part: partStatus, kids: []node{{name: "kopf", use: forState}}},
	}}
	for _, path := range c.Extra {
		r.root.add(path, forEssence)
	}
	for _, path := range c.Reads {
		r.root.add(path, forState)
	}
	r.root.finish("", 0)
	return r
}

// add makes the field at path count for u.
func (n *node) add(path []string, u use) {
	if len(path) == 0 {
		n.raise(u)
		return
	}
	kid := n.kid([]byte(path[0]))
	if kid == nil {
		// Which annotations are essential depends on the object, so these need nodes of their own.
		if n.use >= u && n.part != partAnnotations {
			return
		}
		n.kids = append(n.kids, node{name: path[0], use: n.use})
		kid = &n.kids[len(n.kids)-1]
	}
	kid.add(path[1:], u)
}

// raise makes the value count for u at least.
func (n *node) raise(u use) {
	n.use = max(n.use, u)
	for i := range n.kids {
		if kid := &n.kids[i]; !kid.own {
			kid.raise(u)
		}
	}
}

// finish works out what depends on the complete tree.
func (n *node) finish(parent string, salt uint64) {
	n.path = strings.TrimPrefix(parent+"."+n.name, ".")
	n.salt = mix(salt ^ hashString(n.name))
	n.deep = n.use
	for i := range n.kids {
		n.kids[i].finish(n.path, n.salt)
		n.deep = max(n.deep, n.kids[i].deep)
	}
	n.open = n.open || len(n.kids) > 0
}

// kid returns the node of a member, or nil. There are few of them: comparing is faster than hashing.
func (n *node) kid(name []byte) *node {
	for i := range n.kids {
		if string(name) == n.kids[i].name {
			return &n.kids[i]
		}
	}
	return nil
}
