package essence

import (
	"strings"

	"github.com/kopfgen/kopfgen/internal/annotation"
)

// Foreign tells by its name alone whether an annotation holds what a program keeps: that of kubectl, those below Kopf's prefix and its
// subdomains, and those below the prefix of another operator. Such a prefix is marked by an annotation prefix/kopf-managed on the same
// object, as marked tells. The operator's own prefix, which need not be marked, is the business of [Rules].
func Foreign(name string, marked func(prefix string) bool) bool {
	if name == annotation.LastApplied {
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
