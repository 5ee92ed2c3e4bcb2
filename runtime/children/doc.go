// Package children helps an operator to keep objects that belong to the object it handles: Pods of a job, the Secret of a database.
//
// The first half needs no cluster. [Adopt] makes an object a child of another one, as Kopf's adopt does: with a reference to its owner, so that it
// is deleted with it, named after it, in its namespace, with its labels. [AppendOwnerReference], [HarmonizeNaming], [AdjustNamespace] and
// [Label] do one of these each. They change an object that has yet to be sent.
//
// The second half sends it. [Apply] brings a child to what it should be, with server-side apply, so that defaults and what others have set
// are left alone, and doing it again changes nothing; [Create] makes it once; [Delete] and [Prune] remove what is no longer wanted. All of
// them may be repeated after a crash, which is what happens to handlers. They go through a [Client], which a startup handler makes for all others:
//
//	// +kopf:on=startup
//	func Connect(cfg *rest.Config) (*children.Client, error) { return children.NewForConfig(cfg, "greeters") }
//
// An owner in another namespace is an error everywhere: the garbage collector of Kubernetes takes such an owner for a missing one, and deletes
// the child. There is no implicit owner, as Kopf has one, and no list of children: Go has a parameter for the one and a loop for the other.
package children
