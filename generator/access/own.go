package access

// own are the rights that the runtime needs for itself, whatever the handlers are.
func own() []Right {
	peerings := []string{"kopf.dev", "zalando.org"} // the group of today, and the one of Kopf's first years
	return []Right{
		{
			Rule: rule("apiextensions.k8s.io", "customresourcedefinitions", "get", "list", "watch"), Cluster: true,
			Why: "To see kinds come, go and change while the operator runs.",
		},
		{
			Rule: rule("", "namespaces", "list", "watch"), Cluster: true,
			Why: "To serve namespaces by patterns.",
		},
		{
			Rule: groups(peerings, "clusterkopfpeerings", "list", "patch", "watch"), Cluster: true,
			Why: "To pause for other operators, and to let them pause.",
		},
		{
			Rule: groups(peerings, "kopfpeerings", "list", "patch", "watch"),
			Why:  "To pause for other operators of the namespace, and to let them pause.",
		},
		{
			Rule: rule("coordination.k8s.io", "leases", "create", "delete", "get", "list", "patch", "update", "watch"),
			Why:  "For --leader-elect and --shards.",
		},
		{
			Rule: rule("", "events", "create", "patch"),
			Why:  "To tell of what happens to an object.",
		},
	}
}
