// Package emit prints the Go code of an operator: the table of its resources and handlers, and for each handler the method that calls the
// author's function.
//
// With package manifest, it is the last stage of the generator. Everything has been decided before: emit takes a [model.Operator] without
// mistakes and returns the text of one file. Each construct has a file of its own here. No other package uses jennifer, and no other knows
// the names of what generated code calls in the runtime, which this package does not import.
//
// People read generated code, in reviews and in stack traces: it is short, it follows the order of the source, and the same model gives the
// same bytes on any machine.
package emit
