package annotation

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// Legal returns why the API server would refuse an annotation of this name, or nil.
func Legal(name string) error {
	// The server checks the name in lower case, too.
	if problems := validation.IsQualifiedName(strings.ToLower(name)); len(problems) > 0 {
		return fmt.Errorf("%q cannot be the name of an annotation: %s", name, strings.Join(problems, "; "))
	}
	return nil
}

// LegalID returns why the progress of a handler with this id cannot be stored, or nil: the name of its annotation would be illegal, or
// has another meaning.
func LegalID(prefix, id string) error {
	name := V2(prefix, id)
	for _, key := range []string{LastHandled, Touch, Managed} {
		if name == V2(prefix, key) || name == V2(prefix, key+OfDeployment) {
			return fmt.Errorf("the id %q is reserved: the annotation %s has another meaning", id, name)
		}
	}
	if err := Legal(name); err != nil {
		return fmt.Errorf("the id %q: %w", id, err)
	}
	return nil
}
