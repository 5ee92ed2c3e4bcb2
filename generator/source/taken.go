package source

import (
	"slices"
	"strings"

	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// Taken lists the packages that an operator takes handlers from: its own first, then the others by import path. Mistakes in packages= are
// added to diags.
func (p *Program) Taken(of *Package, diags *diagnostic.List) []*Package {
	taken := []*Package{of}
	s := scan{moduleDir: p.ModuleDir, modulePath: p.ModulePath}
	for _, op := range of.Operators() {
		for _, item := range op.Packages.Value {
			pat, wrong := s.newPattern(of.Dir, item.Value)
			if wrong != "" {
				diags.Addf(p.Position(item.Pos), codePackages, "name packages below the operator as ./handlers/..., others by import path",
					"%s is %s", item.Value, wrong)
				continue
			}
			found := false
			for _, pkg := range p.Packages {
				if pkg == of || !pat.matches(pkg) {
					found = found || pkg == of && pat.matches(pkg)
					continue
				}
				found = true
				if pkg.IsOperator() {
					if !pat.wild() {
						diags.Addf(p.Position(item.Pos), codePackages, "move the handlers into a package of their own",
							"%s is an operator itself", item.Value)
					}
					continue
				}
				if !slices.Contains(taken, pkg) {
					taken = append(taken, pkg)
				}
			}
			if !found {
				diags.Addf(p.Position(item.Pos), codePackages, "", "%s matches no package", item.Value)
			}
		}
	}
	slices.SortFunc(taken[1:], func(a, b *Package) int { return strings.Compare(a.Path, b.Path) })
	return taken
}
