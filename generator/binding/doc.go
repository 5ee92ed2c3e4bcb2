// Package binding decides where each parameter of an author's function gets its value from, what becomes of its results, and which kind
// of object it is about.
//
// The first rule that applies wins: the receiver is a startup handler's result; old and new are bound by name; then a parameter is bound by
// its type, then by its name and type, then as a struct filled by its tags. Types are compared by identity after resolving aliases.
// What fits nothing is reported with what would fit, nearest first.
//
// Filters (when=), switches (enabled=), and functions that yield a number or a time are bound by the same rules; they differ in what they are
// offered. Package binding stands between package schema, which knows the kinds, and package generator, which puts operators together.
package binding
