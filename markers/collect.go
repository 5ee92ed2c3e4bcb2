package markers

import (
	"go/ast"
	"go/token"

	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// Collect finds and reads all markers of a file that was parsed with comments, and reports every mistake to diags.
// Markers with mistakes are returned as well, with Faulty set, so that what is right about them can be checked further.
func Collect(fset *token.FileSet, file *ast.File, diags *diagnostic.List) File {
	return File{}
}
