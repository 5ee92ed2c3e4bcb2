// Package storage keeps the state of an operator in the objects that it handles: a progress record for each handler of a change that is being handled, and
// the essence of the object as it was handled last. Both are annotations under the operator's prefix, in the places and forms of Kopf's
// default storage.
//
// Package reactor reads it before each round and has it composed into the patch after it. This package only reads decoded objects and makes
// merge patches; package patch sends them.
package storage

import (
	"github.com/kopfgen/kopfgen/internal/annotation"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// Storage knows where the state of one operator is. The zero value is right for an operator that keeps Kopf's prefix.
type Storage struct {
	// Prefix is that of the annotations; empty stands for Kopf's.
	Prefix string
}

// Key returns the name of the annotation that holds the record of a handler, for all objects but ReplicaSets of Deployments.
func (s Storage) Key(id string) string { return annotation.V2(s.prefix(), id) }

// Legal tells why the record of a handler with this id could not be stored, or nil.
func (s Storage) Legal(id string) error { return annotation.LegalID(s.prefix(), id) }

func (s Storage) prefix() string {
	if s.Prefix == "" {
		return annotation.KopfPrefix
	}
	return s.Prefix
}

// names returns the annotations for a key, which is an id or a constant of package annotation: first the one that is read first, then, if it
// differs, the one under which Kopf has kept a copy since its rule changed. With a long prefix, Kopf's old rule makes names that the API
// server refuses; there is no copy then.
func (s Storage) names(object map[string]any, key string) []string {
	if ofDeployment(object) {
		key += annotation.OfDeployment
	}
	v2, v1 := annotation.V2(s.prefix(), key), annotation.V1(s.prefix(), key)
	if v1 == v2 || annotation.Legal(v1) != nil {
		return []string{v2}
	}
	return []string{v2, v1}
}

// ofDeployment tells whether the object is a ReplicaSet of a Deployment, whose annotations are copied into it.
func ofDeployment(object map[string]any) bool {
	if object["kind"] != "ReplicaSet" {
		return false
	}
	owners, _ := tree.Get(object, "metadata", "ownerReferences")
	list, _ := owners.([]any)
	for _, owner := range list {
		if tree.String(owner, "kind") == "Deployment" {
			return true
		}
	}
	return false
}

func annotations(object map[string]any) map[string]any {
	return tree.Object(object, "metadata", "annotations")
}

// legacyPath is where very old versions of Kopf kept the records, as objects under the plain ids. They are read and removed there, never
// written.
var legacyPath = []string{"status", "kopf", "progress"}
