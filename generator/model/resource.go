package model

import (
	"go/token"
	"go/types"
)

// Resource is one kind of object, with its handlers.
type Resource struct {
	Group, Version, Kind, Plural string
	Namespaced                   bool
	// Type is the kind's Go type; for handlers of unstructured objects it is nil.
	Type *types.Named
	// Declared means that the kind is declared in one of the operator's packages: its CRD and its deepcopy methods are generated.
	Declared bool
	// Dir is the directory of the declaring package, if Declared.
	Dir string
	// StatusSubresource means, for a declared kind, that its status is a sub-resource.
	StatusSubresource bool
	Watch             Watch
	// ListMapKeys names the members that identify the elements of a list, by the dotted JSON path of the list. It is filled for the parts that
	// some handler edits.
	ListMapKeys map[string][]string
	// Results are what handlers write below the status, for the schema of a declared kind.
	Results []Result
	// FreeStatus means that some handler writes below the status something of unknown shape: a result of an interface type, or the results of
	// sub-handlers.
	FreeStatus bool
	Handlers   []*Handler
	Pos        token.Position
}

// Result is a value below the status.
type Result struct {
	Key  string
	Type types.Type
	Pos  token.Position // of the handler
}

// Watch is what the handlers of a resource need of its objects.
type Watch struct {
	// Labels and Fields are the selectors that all handlers have in common, in Kubernetes' syntax; empty means all objects.
	Labels, Fields string
	// Finalizer means that some handler may need objects to wait for it.
	Finalizer bool
	// Base means that the state handled last must be stored.
	Base bool
	// Extra are the fields outside of the essence that handlers watch.
	Extra [][]string
	// Reads are the fields outside of the essence that filters read; a nil path stands for the whole object.
	Reads [][]string
}
