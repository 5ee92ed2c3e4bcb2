package model

import (
	"go/token"
	"go/types"

	rbacv1 "k8s.io/api/rbac/v1"
)

// Operator is one operator: the package that it is generated into and all that its markers say.
type Operator struct {
	Name string
	// Package is the operator's package, whose scope holds the names that generated code must not take.
	Package *types.Package
	// ImportNames are the names under which the package's files import others, where that is not the package's own name: Go does not
	// allow a declaration of the same name in the package.
	ImportNames []string
	// Dir is the directory of the package, where zz_generated.kopf.go goes.
	Dir string
	// ModuleDir is the root of the main module, which relative output paths start from.
	ModuleDir string
	// HasMain means that a package main has its own func main; otherwise it is generated.
	HasMain bool
	// Pos is the operator's marker, or the first handler of a package main without one.
	Pos token.Position

	Prefix    string // of annotations; empty means the runtime's default
	Finalizer string // the same
	// Policy holds the defaults for all handlers. Values that are only known at run time are not here: they are in the handlers.
	Policy Policy

	// Providers are the results of the startup handlers that other functions may take.
	Providers []*Provider
	// Activities are the handlers of the operator itself.
	Activities []*Activity
	Resources  []*Resource
	// Memos has one element for each T of a *kopf.Memo[T] parameter.
	Memos []*Memo
	// Indexes are in the order of the functions that fill them.
	Indexes []*Index
	// Access is what the code does with objects beside the handled ones, sorted by type; Rules are the rights that markers add.
	Access []*Access
	Rules  []rbacv1.PolicyRule
}

// Main reports whether the package is a main package.
func (o *Operator) Main() bool { return o.Package.Name() == "main" }

// Provider is one result of a startup handler, kept for the functions that take it.
type Provider struct {
	Type types.Type
	// From is the startup handler, and Result the index of the result among those of its function.
	From   *Activity
	Result int
	// Used means that a function takes it.
	Used bool
}

// Memo is one type of memo.
type Memo struct {
	Type types.Type // the T of kopf.Memo[T]
}

// Access is what an operator's code does with the objects of a kind, through the packages client and children.
type Access struct {
	Type                         *types.Named
	Group, Version, Kind, Plural string
	Namespaced                   bool
	// Verbs and StatusVerbs are sorted; the latter are for the status sub-resource.
	Verbs, StatusVerbs []string
	// Client means that the client must know the type, Child that objects of the kind are made children.
	Client, Child bool
}

// Activity is a handler of the operator itself: of its start or end, its credentials, its probe, or work in its background.
type Activity struct {
	ID     string
	On     Kind
	Policy Policy
	// Background is for OnBackground alone.
	Background Background
	Func       Func
	// Provides are the function's results that are providers, in order, without the error.
	Provides []*Provider
	Pos      token.Position
}

// Background says when work of the operator's own runs.
type Background struct {
	InitialDelay, Interval Period
	WhilePaused            bool
}

// Dynamic reports whether some value is only known at run time.
func (b Background) Dynamic() bool { return b.InitialDelay.Eval != nil || b.Interval.Eval != nil }
