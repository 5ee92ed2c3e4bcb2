package essence

import (
	"strings"

	"github.com/kopfgen/kopfgen/internal/annotation"
)

// lastApplied is where kubectl keeps a copy of the object that it applied.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// Foreign tells whether an annotation holds what a program keeps, by its name alone: that of kubectl, those below Kopf's prefix and its
// subdomains, and those below the prefix of another operator. Such a prefix is marked by an annotation prefix/kopf-managed on the same
// object, which marked tells. The own prefix of an operator is not looked at: it need not be marked.
func Foreign(name string, marked func(prefix string) bool) bool {
	if name == lastApplied {
		return true
	}
	prefix, ok := annotation.PrefixOf(name)
	return ok && (prefix == annotation.KopfPrefix || strings.HasSuffix(prefix, "."+annotation.KopfPrefix) || marked(prefix))
}

// Marked returns the check for prefixes of operators that keep their state in these annotations.
func Marked(annotations map[string]any) func(prefix string) bool {
	return func(prefix string) bool {
		_, ok := annotations[prefix+"/"+annotation.Managed]
		return ok
	}
}
