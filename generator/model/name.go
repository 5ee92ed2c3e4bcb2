package model

import (
	"go/types"
	"strings"
)

// CanName reports whether code of the package from can name a package-level object: it must be in the same package, or exported from one
// that from may import.
func CanName(obj types.Object, from *types.Package) bool {
	pkg := obj.Pkg()
	return pkg == nil || pkg.Path() == from.Path() || obj.Exported() && CanImport(pkg.Path(), from.Path())
}

// CanImport reports whether the package from may import path. Packages in a directory "internal" can only be imported from below its parent.
func CanImport(path, from string) bool {
	parent := ""
	switch i := strings.LastIndex(path, "/internal/"); {
	case i >= 0:
		parent = path[:i]
	case strings.HasSuffix(path, "/internal"):
		parent = strings.TrimSuffix(path, "/internal")
	case path == "internal" || strings.HasPrefix(path, "internal/"):
		return false // the standard library's
	default:
		return true
	}
	return from == parent || strings.HasPrefix(from, parent+"/")
}
