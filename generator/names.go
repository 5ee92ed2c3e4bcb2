package generator

import (
	"cmp"
	"go/types"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var notInNames = regexp.MustCompile(`[^a-z0-9]+`)

// defaultName is the name of an operator that does not choose one: that of the package or, for a package main, of its directory; at the
// root of a module, that of the module.
func (a *assembly) defaultName() string {
	name := a.own.Name
	if name == "main" {
		name = filepath.Base(a.own.Dir)
		if a.own.Dir == a.program.ModuleDir {
			path, last := a.program.ModulePath, ""
			for _, part := range strings.Split(path, "/") {
				if !versionSuffix.MatchString(part) {
					last = part
				}
			}
			name = cmp.Or(last, name)
		}
	}
	name = strings.Trim(notInNames.ReplaceAllString(strings.ToLower(name), "-"), "-")
	return cmp.Or(name[:min(len(name), 63)], "operator")
}

var versionSuffix = regexp.MustCompile(`^v[0-9]+$`)

// unused are the predeclared names that generated code never uses, so that authors may redeclare them.
var unused = []string{
	"append", "cap", "clear", "close", "comparable", "complex", "delete", "imag", "iota", "max", "min", "panic", "print", "println", "real", "recover",
}

// checkPredeclared reports the predeclared names that a package redeclares although code generated into it needs them.
func (a *assembly) checkPredeclared(pkg *types.Package) {
	for _, name := range types.Universe.Names() {
		if obj := pkg.Scope().Lookup(name); obj != nil && !slices.Contains(unused, name) {
			a.errorf(a.program.Position(obj.Pos()), codeNameTaken, "rename it", "the package redeclares %s, which generated code needs", name)
		}
	}
}
