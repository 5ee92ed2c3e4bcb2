package source

import "github.com/kopfgen/kopfgen/internal/diagnostic"

// The codes of this package.
const (
	codeCompile  = "KG040"
	codeLoad     = "KG041"
	codeTestFile = "KG042"
	codePackages = "KG043"
	codeNotBuilt = "KG044"
)

// Codes explains what this package reports.
var Codes = diagnostic.Table{
	{ID: codeCompile, Title: "code that does not compile", Explanation: "The Go compiler reports this error, and kopfgen cannot tell what a function takes until it is fixed. What only " +
		"the generated files declare, such as `Operator` and the methods `DeepCopy…`, may be missing."},
	{ID: codeLoad, Title: "package that cannot be loaded", Explanation: "The go command finds no package there, or none that it can build: the directory is wrong, `go.mod` is missing, or a module is not " +
		"required. `go build` in the same directory reports the same."},
	{ID: codeTestFile, Title: "marker in a test file", Explanation: "Files named `…_test.go` are not part of the program, so a function in one cannot be a handler. Move it to another file."},
	{ID: codePackages, Title: "packages that the operator cannot take", Explanation: "`packages=` names packages of the operator's own module, as the go command spells them: " +
		"`./handlers/...` below the operator's directory, or an import path. A pattern must match a package, and a package with handlers must be importable: neither a " +
		"`package main` nor another operator."},
	{ID: codeNotBuilt, Title: "markers in a file that is not built", Explanation: "A build constraint or the file's name excludes the file here, so its handlers are not part of the operator that is generated here. " +
		"Generate with the tags and the platform that the operator is built with."},
}
