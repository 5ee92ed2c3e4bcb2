// Package emit prints the Go code of an operator: the table of its resources and handlers, and for each handler the method that calls the
// author's function.
//
// It is the last stage of the generator, beside package manifest. Everything has been decided before: emit takes a [model.Operator] without
// mistakes and returns the text of one file. Each construct has a file of its own here. The package is the only one that uses jennifer, and
// the only one that knows how the runtime spells its words; the generator depends on the runtime by import path and by these names.
//
// What is printed is read by people, in reviews and in stack traces: it is short, its order is the source's, and the same model gives the
// same bytes on any machine.
package emit
