// Package generator turns the author's packages into files: it is the compiler without its command.
//
// [Generate] goes one way: package source loads the packages and has package markers read their comments; this package puts operators together
// from what they say, with package schema for kinds and package binding for functions, into a [model.Operator]; packages emit and manifest
// print it. Mistakes are collected on the way and returned together; files are returned only if there are none. Nothing is written here.
package generator
