package apitest

import (
	"fmt"
	"strings"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// builtIn are kinds of Kubernetes itself that operators make and watch. They are kept as they are sent, without defaults, and nothing but
// what is said here is validated.
var builtIn = []served{
	{Resource: api.Resource{Version: "v1", Plural: "configmaps", Kind: "ConfigMap", Namespaced: true}},
	{Resource: api.Resource{Version: "v1", Plural: "endpoints", Kind: "Endpoints", Namespaced: true}},
	{Resource: events, check: checkEvent, selectable: paths(
		"involvedObject.kind", "involvedObject.namespace", "involvedObject.name", "involvedObject.uid", "reason", "type")},
	{Resource: api.Resource{Group: "events.k8s.io", Version: "v1", Plural: "events", Kind: "Event", Namespaced: true}, stored: events,
		convert: convertEvent, check: checkNewEvent, selectable: paths("regarding.kind", "regarding.namespace", "regarding.name", "regarding.uid", "reason", "type")},
	{Resource: namespaces, selectable: paths("status.phase")},
	{Resource: api.Resource{Version: "v1", Plural: "nodes", Kind: "Node", HasStatus: true}, selectable: paths("spec.unschedulable")},
	{Resource: api.Resource{Version: "v1", Plural: "persistentvolumeclaims", Kind: "PersistentVolumeClaim", Namespaced: true, HasStatus: true}},
	{Resource: api.Resource{Version: "v1", Plural: "persistentvolumes", Kind: "PersistentVolume", HasStatus: true}},
	{Resource: api.Resource{Version: "v1", Plural: "pods", Kind: "Pod", Namespaced: true, HasStatus: true}, selectable: paths(
		"spec.nodeName", "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName", "status.phase", "status.podIP")},
	{Resource: api.Resource{Version: "v1", Plural: "secrets", Kind: "Secret", Namespaced: true}, selectable: paths("type")},
	{Resource: api.Resource{Version: "v1", Plural: "serviceaccounts", Kind: "ServiceAccount", Namespaced: true}},
	{Resource: api.Resource{Version: "v1", Plural: "services", Kind: "Service", Namespaced: true, HasStatus: true}},
	{Resource: api.Resource{Group: "apps", Version: "v1", Plural: "daemonsets", Kind: "DaemonSet", Namespaced: true, HasStatus: true}},
	{Resource: api.Resource{Group: "apps", Version: "v1", Plural: "deployments", Kind: "Deployment", Namespaced: true, HasStatus: true}},
	{Resource: api.Resource{Group: "apps", Version: "v1", Plural: "statefulsets", Kind: "StatefulSet", Namespaced: true, HasStatus: true}},
	{Resource: api.Resource{Group: "batch", Version: "v1", Plural: "cronjobs", Kind: "CronJob", Namespaced: true, HasStatus: true}},
	{Resource: api.Resource{Group: "batch", Version: "v1", Plural: "jobs", Kind: "Job", Namespaced: true, HasStatus: true}},
	{Resource: api.Resource{Group: "coordination.k8s.io", Version: "v1", Plural: "leases", Kind: "Lease", Namespaced: true},
		versioned: true, check: checkLease},
	{Resource: api.Resource{Group: "networking.k8s.io", Version: "v1", Plural: "ingresses", Kind: "Ingress", Namespaced: true, HasStatus: true}},
	{Resource: api.Resource{Group: "networking.k8s.io", Version: "v1", Plural: "networkpolicies", Kind: "NetworkPolicy", Namespaced: true}},
}

// AddBuiltIn has the server serve common kinds of Kubernetes itself.
func (s *Server) AddBuiltIn() {
	for _, r := range builtIn {
		if r.builtIn = true; r.stored.Kind == "" {
			r.stored = r.Resource
		}
		s.serve(r)
	}
}

// BuiltIn returns the resource of a kind of Kubernetes itself, if it is one of those that AddBuiltIn adds.
func (*Server) BuiltIn(kind string) (api.Resource, bool) {
	for _, r := range builtIn {
		if r.Kind == kind {
			return r.Resource, true
		}
	}
	return api.Resource{}, false
}

func paths(fields ...string) [][]string {
	var all [][]string
	for _, field := range fields {
		all = append(all, strings.Split(field, "."))
	}
	return all
}

// checkLease is the validation of leases.
func checkLease(object map[string]any) (field, message string) {
	for _, field := range []string{"leaseDurationSeconds", "leaseTransitions"} {
		value, there := tree.Get(object, "spec", field)
		n, _ := value.(int64)
		if there && (n < 0 || n == 0 && field == "leaseDurationSeconds") {
			return "spec." + field, fmt.Sprintf("Invalid value: %v: must be greater than 0", value)
		}
	}
	return "", ""
}
