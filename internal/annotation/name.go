// Package annotation names the annotations in which an operator keeps its state, by Kopf's rules, so that operators written in either
// language find each other's. The generator checks the names with it, the runtime reads and writes under them.
package annotation

import "strings"

// KopfPrefix is the prefix of operators that do not choose one of their own.
const KopfPrefix = "kopf.zalando.org"

// The keys of annotations that do not belong to one handler.
const (
	// LastHandled holds the essence of the object as it was handled last.
	LastHandled = "last-handled-configuration"
	// Touch is written by Kopf to wake itself up, with any value.
	Touch = "touch-dummy"
	// Managed marks a prefix as that of an operator, so that others do not take what is below it for a change of the object.
	Managed = "kopf-managed"
)

// LastApplied is where kubectl keeps a copy of the object that it applied.
const LastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// OfDeployment is appended to the key of each annotation on a ReplicaSet that a Deployment owns: the Deployment controller copies the
// annotations of the Deployment there, and they must not be taken for those of the ReplicaSet.
const OfDeployment = "-ofDRS"

// PrefixOf returns what stands before the slash in the name of an annotation, and whether there is one.
func PrefixOf(name string) (string, bool) {
	prefix, _, ok := strings.Cut(name, "/")
	return prefix, ok
}
