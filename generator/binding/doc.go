// Package binding decides where each parameter of an author's function gets its value from, what becomes of its results, and which kind
// of object it is about.
//
// A receiver is a startup handler's result. For a parameter, the first rule that applies wins: old and new are bound by name; others by their
// type, else by name and type, else as a struct filled by its tags. Types are compared by identity after resolving aliases. A parameter
// that nothing fits is reported with what would fit, nearest first.
//
// Filters (when=), switches (enabled=), and functions that yield a number or a time are bound by the same rules; they differ in what they are
// offered. Package binding stands between package schema, which knows the kinds, and package generator, which assembles operators.
package binding
