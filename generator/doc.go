// Package generator turns the author's packages into files: it is the compiler without its command.
//
// [Generate] goes one way. Package source loads the packages and has package markers read their comments. From that, this package assembles
// a [model.Operator], with the help of package schema for kinds and package binding for functions. Package output has packages emit and
// manifest print it. Mistakes are collected on the way and returned together; files are returned only if there are none. Nothing is written
// to disk here.
package generator
