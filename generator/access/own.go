package access

// own are the rights that the runtime needs for itself, whatever the handlers are. It does without those that a role does not give.
func own() []Right {
	return []Right{{
		Rule: rule("apiextensions.k8s.io", "customresourcedefinitions", "get"), Cluster: true,
		Why: "To warn of definitions with which objects would lose what is written to them. Not needed to run.",
	}}
}
