package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

const (
	prefix      = "kopf.zalando.org/"
	lastHandled = prefix + "last-handled-configuration"
)

// view is a state of the object, as the demo looks at it.
type view struct{ *unstructured.Unstructured }

// greeting is what the operator has written to the status.
func (v view) greeting() string {
	text, _, _ := unstructured.NestedString(v.Object, "status", "greet", "text")
	return text
}

// handled tells whether the state is stored as handled, with nothing open.
func (v view) handled() bool {
	annotations := v.kopf()
	return len(annotations) == 1 && annotations[lastHandled] != ""
}

// kopf returns the annotations of the operator.
func (v view) kopf() map[string]string {
	ours := map[string]string{}
	for name, value := range v.GetAnnotations() {
		if strings.HasPrefix(name, prefix) {
			ours[name] = strings.TrimSpace(value)
		}
	}
	return ours
}

// status returns the status in YAML.
func (v view) status() string {
	text, err := yaml.Marshal(v.Object["status"])
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// show shows what the operator keeps in the object.
func (d *demo) show(v view) {
	d.command("kubectl get greeter " + v.GetName() + " -o yaml")
	d.quote("status: what the handler returned", v.status())
	d.quote("finalizers: the object stays until the handler of the deletion has run", strings.Join(v.GetFinalizers(), "\n"))
	annotations := v.kopf()
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(annotations)) {
		lines = append(lines, fmt.Sprintf("%s: %s", name, annotations[name]))
	}
	d.quote("annotations: the state that was handled; whatever differs from it is a change, also after a restart", strings.Join(lines, "\n"))
}
