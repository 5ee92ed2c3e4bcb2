package access

import (
	"fmt"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kopfgen/kopfgen/generator/model"
)

// Right is a rule of a role, with what it is for.
type Right struct {
	Rule rbacv1.PolicyRule
	// Cluster means that it is about something outside of namespaces, so that a Role cannot give it.
	Cluster bool
	// Why is a sentence.
	Why string
}

// Rights lists what an operator needs: for the objects that it handles, for those that its code uses, what its markers add, and for itself.
func Rights(op *model.Operator) []Right {
	var all []Right
	for _, r := range op.Resources {
		all = append(all, handled(r)...)
		if slices.ContainsFunc(op.Access, func(a *model.Access) bool { return a.Child }) {
			all = append(all, Right{
				Rule: rule(r.Group, r.Plural+"/finalizers", "update"), Cluster: !r.Namespaced,
				Why: "For children that keep their owner from going first, where the cluster asks for it, as OpenShift does.",
			})
		}
	}
	for _, a := range op.Access {
		all = append(all, used(a)...)
	}
	for _, rule := range op.Rules {
		all = append(all, Right{Rule: rule, Cluster: len(rule.NonResourceURLs) > 0, Why: "A +kubebuilder:rbac marker asks for it."})
	}
	return append(all, own()...)
}

// handled is what the runtime does with the objects of a resource.
func handled(r *model.Resource) []Right {
	verbs := []string{"list", "watch"}
	if writes(r) {
		verbs = append(verbs, "patch")
	}
	why := fmt.Sprintf("Handled: %s.", functions(r))
	all := []Right{{Rule: rule(r.Group, r.Plural, verbs...), Cluster: !r.Namespaced, Why: why}}
	if writesStatus(r) {
		all = append(all, Right{
			Rule: rule(r.Group, r.Plural+"/status", "patch"), Cluster: !r.Namespaced, Why: "What handlers return, or write to the status.",
		})
	}
	return all
}

// writes tells whether the runtime writes to objects of the resource: progress, a finalizer, or what handlers ask for. An operator that writes
// also reads the newest state by a patch that changes nothing.
func writes(r *model.Resource) bool {
	const changing = model.OnCreate | model.OnUpdate | model.OnDelete | model.OnResume | model.OnField | model.OnDaemon | model.OnTimer
	return writesStatus(r) || slices.ContainsFunc(r.Handlers, func(h *model.Handler) bool {
		return h.On.Has(changing) || h.Func.Edits() || patches(&h.Func)
	})
}

func writesStatus(r *model.Resource) bool {
	if r.Declared && !r.StatusSubresource {
		return false
	}
	return r.FreeStatus || slices.ContainsFunc(r.Handlers, func(h *model.Handler) bool {
		return h.Func.Result != nil && !h.ResultNone && !h.On.Has(model.OnIndex) || patches(&h.Func) || editsStatus(&h.Func)
	})
}

func patches(f *model.Func) bool {
	return slices.ContainsFunc(f.Params, func(p *model.Param) bool { return p.Kind == model.ParamPatch })
}

// editsStatus tells whether a function gets the status, or the object as a whole, for editing.
func editsStatus(f *model.Func) bool {
	return slices.ContainsFunc(f.Params, func(p *model.Param) bool {
		return p.Kind == model.ParamEdit && (len(p.Part.Path) == 0 || p.Part.Path[0] == "status")
	})
}

// used is what the author's code does with objects of a kind.
func used(a *model.Access) []Right {
	why := fmt.Sprintf("The operator's code uses %s.", a.Kind)
	var all []Right
	if len(a.Verbs) > 0 {
		all = append(all, Right{Rule: rule(a.Group, a.Plural, a.Verbs...), Cluster: !a.Namespaced, Why: why})
	}
	if len(a.StatusVerbs) > 0 {
		all = append(all, Right{Rule: rule(a.Group, a.Plural+"/status", a.StatusVerbs...), Cluster: !a.Namespaced, Why: why})
	}
	return all
}

// functions names the handlers of a resource.
func functions(r *model.Resource) string {
	var names []string
	for _, h := range r.Handlers {
		if !slices.Contains(names, h.Func.Name) {
			names = append(names, h.Func.Name)
		}
	}
	return strings.Join(names, ", ")
}

func rule(group, resource string, verbs ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{APIGroups: []string{group}, Resources: []string{resource}, Verbs: verbs}
}
