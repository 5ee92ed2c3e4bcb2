package schema

import (
	"go/token"
	"go/types"
)

const (
	metaPath         = "k8s.io/apimachinery/pkg/apis/meta/v1"
	unstructuredPath = "k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Kind is a kind of object.
type Kind struct {
	Name, Group, Version, Plural string
	Namespaced                   bool
	// Type is nil for kinds that have no Go type.
	Type *types.Named
	// Declared means that the kind belongs to a loaded package of the author's.
	Declared          bool
	Dir               string // of the package, if Declared
	StatusSubresource bool
	// Selectable are the fields that the API server can select by, as dotted JSON paths.
	Selectable []string
	// Spec and Status are the types below the pointers, if any, of the fields of these names; nil where there is no such field.
	Spec, Status types.Type
	Pos          token.Pos

	scope    string // as its marker says
	problems []problem
}

// problem is why a kind cannot be handled. It is reported when a handler wants the kind.
type problem struct {
	pos           token.Pos // NoPos means the place where the kind is wanted
	message, hint string
}

// IsKind reports whether a type is a kind: a defined, non-generic struct that embeds TypeMeta and ObjectMeta.
func IsKind(t types.Type) (*types.Named, bool) {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.TypeParams().Len() > 0 || n.TypeArgs().Len() > 0 || n.Obj().Pkg() == nil {
		return nil, false
	}
	st, ok := n.Underlying().(*types.Struct)
	if !ok {
		return nil, false
	}
	return n, embeds(st, "TypeMeta") >= 0 && embeds(st, "ObjectMeta") >= 0
}

// AlmostKind says why a type that has the metadata of an object is not a kind; it returns "" for kinds and for types without metadata.
func AlmostKind(t types.Type) string {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return ""
	}
	st, ok := n.Underlying().(*types.Struct)
	if _, kind := IsKind(n); !ok || kind || !hasMetadata(st, 0) {
		return ""
	}
	if n.TypeArgs().Len() > 0 || n.TypeParams().Len() > 0 {
		return "is generic"
	}
	for _, name := range []string{"TypeMeta", "ObjectMeta"} {
		if embeds(st, name) < 0 {
			return "does not embed metav1." + name + " directly and by value"
		}
	}
	return ""
}

// hasMetadata reports whether a struct has ObjectMeta in some way: embedded or not, by value or pointer, or in an embedded struct.
func hasMetadata(st *types.Struct, depth int) bool {
	for f := range st.Fields() {
		elem, _ := Deref(f.Type())
		if ObjectMeta(elem) {
			return true
		}
		if inner, ok := elem.Underlying().(*types.Struct); ok && f.Embedded() && depth < 3 && hasMetadata(inner, depth+1) {
			return true
		}
	}
	return false
}

// embeds returns the index of the embedded field of that type of package meta/v1, or -1.
func embeds(st *types.Struct, name string) int {
	for i := range st.NumFields() {
		if f := st.Field(i); f.Embedded() && Is(f.Type(), metaPath, name) {
			return i
		}
	}
	return -1
}

// ObjectMeta reports whether t is metav1.ObjectMeta.
func ObjectMeta(t types.Type) bool { return Is(t, metaPath, "ObjectMeta") }

// Unstructured reports whether t is unstructured.Unstructured.
func Unstructured(t types.Type) bool { return Is(t, unstructuredPath, "Unstructured") }

// SpecOf reports whether t is the spec type of the kind.
func (k *Kind) SpecOf(t types.Type) bool {
	return k.Spec != nil && types.Identical(k.Spec, types.Unalias(t))
}

// StatusOf reports whether t is the status type of the kind.
func (k *Kind) StatusOf(t types.Type) bool {
	return k.Status != nil && types.Identical(k.Status, types.Unalias(t))
}

// Is reports whether t is the kind's Go type.
func (k *Kind) Is(t types.Type) bool {
	return k.Type != nil && types.Identical(k.Type, types.Unalias(t))
}

// Complete reports whether all is known of the kind that a request for its objects needs.
func (k *Kind) Complete() bool { return len(k.problems) == 0 }

// String is "Greeter" or, outside of the author's packages, "v1.Pod".
func (k *Kind) String() string {
	if k.Type == nil || k.Declared {
		return k.Name
	}
	return k.Type.Obj().Pkg().Name() + "." + k.Name
}

// GroupVersion is "group/version".
func (k *Kind) GroupVersion() string {
	if k.Group == "" {
		return k.Version
	}
	return k.Group + "/" + k.Version
}
