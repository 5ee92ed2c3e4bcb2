package markers

import (
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// The checks of names return what is wrong, or "".

// kindName checks the kind of an object. The API server wants a DNS label once it is in lower case.
func kindName(s string) string {
	if wrong := validation.IsDNS1035Label(strings.ToLower(s)); len(wrong) > 0 {
		return "a kind is a word of letters and digits, such as Greeter"
	}
	return ""
}

func version(s string) string {
	if wrong := validation.IsDNS1035Label(s); len(wrong) > 0 {
		return "a version looks like v1 or v1beta1"
	}
	return ""
}

func subdomain(s string) string {
	if wrong := validation.IsDNS1123Subdomain(s); len(wrong) > 0 {
		return "it must be a DNS name, such as demo.kopf.dev"
	}
	return ""
}

// operatorName checks the name of an operator, which becomes a sub-command and part of the names of Kubernetes objects.
func operatorName(s string) string {
	if wrong := validation.IsDNS1035Label(s); len(wrong) > 0 {
		return "use lower case letters, digits and hyphens, as in pet-clinic"
	}
	return ""
}

func finalizerName(s string) string {
	if wrong := validation.IsQualifiedName(s); len(wrong) > 0 {
		return "a finalizer is a domain and a name, such as demo.kopf.dev/greeter"
	}
	return ""
}

var handlerID = regexp.MustCompile(`^[A-Za-z0-9][-A-Za-z0-9_./<>]*$`)

// idName checks an id by the letters that may stand in the name of an annotation; Kopf replaces slashes and angle brackets.
// Whether the whole annotation name is legal depends on the prefix and the field.
func idName(s string) string {
	if !handlerID.MatchString(s) {
		return "an id becomes part of an annotation's name: letters, digits and - _ . /, beginning with a letter or digit"
	}
	return ""
}
