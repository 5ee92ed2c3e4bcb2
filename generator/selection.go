package generator

import (
	"go/constant"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/schema"
)

// kindOf returns the kind of a resource.
func (a *assembly) kindOf(r *model.Resource) *schema.Kind {
	for _, e := range a.entries {
		if k := e.kind; k != nil && k.Group == r.Group && k.Version == r.Version && k.Name == r.Kind {
			return k
		}
	}
	return nil
}

// selection is the part of the filters that every handler of the resource demands, so that other objects need not be watched.
//
// An object that leaves the selection looks deleted, and one that enters it looks new, so nothing may be selected by that a handler has to
// see change: a resume handler may want objects that begin to match later, update and field handlers wait for changes of selectable
// fields, a handler of events would be told of a deletion that was none, and what runs beside an object has to be ended. Names and
// namespaces never change, no handler of changes is called because labels stop matching, and an index only loses a row that it should lose.
func selection(r *model.Resource, kind *schema.Kind) (labelSelector, fieldSelector string) {
	var byLabels, byFields []string
	onlyCreation := true
	for i, h := range r.Handlers {
		if h.On.Has(model.OnResume) {
			return "", ""
		}
		onlyCreation = onlyCreation && !h.On.Has(model.OnUpdate|model.OnField|staying)
		demanded := labelDemands(h)
		if h.On.Has(staying) {
			demanded = nil
		}
		byLabels = both(byLabels, demanded, i == 0)
		byFields = both(byFields, fieldDemands(h, kind), i == 0)
	}
	if !onlyCreation {
		byFields = slices.DeleteFunc(byFields, func(f string) bool { return !strings.HasPrefix(f, "metadata.") })
	}
	return strings.Join(byLabels, ","), strings.Join(byFields, ",")
}

// staying are the kinds of handlers that have to see an object although it does not match any more.
const staying = model.OnEvent | model.OnDaemon | model.OnTimer

// both keeps what all handlers so far and one more demand.
func both(common, more []string, first bool) []string {
	if first {
		return more
	}
	return slices.DeleteFunc(common, func(s string) bool { return !slices.Contains(more, s) })
}

// labelDemands splits the label selector of a handler into its requirements.
func labelDemands(h *model.Handler) []string {
	if h.Labels == "" {
		return nil
	}
	selector, err := labels.Parse(h.Labels)
	if err != nil {
		return nil // the marker was checked, so this cannot happen; without a selection nothing is lost
	}
	requirements, _ := selector.Requirements()
	var all []string
	for _, r := range requirements {
		all = append(all, r.String())
	}
	return all
}

// fieldDemands lists what a handler demands of fields, as far as a field selector can express it.
func fieldDemands(h *model.Handler, kind *schema.Kind) []string {
	var all []string
	if h.Name != "" && !glob(h.Name) {
		all = append(all, "metadata.name="+h.Name)
	}
	if h.Namespace != "" && !glob(h.Namespace) {
		all = append(all, "metadata.namespace="+h.Namespace)
	}
	path := strings.Join(h.Field, ".")
	if kind == nil || !slices.Contains(kind.Selectable, path) {
		return all
	}
	if h.Value != nil && h.Value.Test == model.Equal {
		if value, ok := selectorValue(h.Value.Literal); ok {
			all = append(all, path+"="+value)
		}
	}
	return all
}

func glob(s string) bool { return strings.ContainsAny(s, `*?[\`) }

// selectorValue writes a literal as a field selector has it.
func selectorValue(v constant.Value) (string, bool) {
	switch v.Kind() {
	case constant.String:
		s := constant.StringVal(v)
		return strings.NewReplacer(`\`, `\\`, `,`, `\,`, `=`, `\=`).Replace(s), s != ""
	case constant.Bool, constant.Int:
		return v.ExactString(), true
	}
	return "", false
}
