// Package access finds out what an operator may have to do on the API server: what the runtime does with the objects that it handles, what
// the author's code does with others through the packages client and children, and what +kubebuilder:rbac markers add. From that come
// the roles that let the operator run, and the table of kinds for its client.
//
// It stands beside package binding: it reads the loaded packages and fills the model; package output asks it for the manifests.
package access
