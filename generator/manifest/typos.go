package manifest

import (
	"go/ast"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// others lists the groups of kubebuilder's markers that are for other tools.
var others = []string{"rbac", "webhook", "webhookconfiguration", "scaffold", "docs-gen", "ac"}

// warnMarkers warns about unknown markers of kubebuilder. controller-tools ignores them, so a misspelled one would only be noticed when the API
// server behaves differently than intended.
func (w *world) warnMarkers(diags *diagnostic.List) {
	for _, p := range w.roots {
		if !w.owns(p.PkgPath) {
			continue
		}
		p.NeedSyntax()
		for _, file := range p.Syntax {
			for _, group := range file.Comments {
				for _, c := range group.List {
					w.warnMarker(c, diags)
				}
			}
		}
	}
}

func (w *world) warnMarker(c *ast.Comment, diags *diagnostic.List) {
	text, ok := strings.CutPrefix(c.Text, "//")
	text = strings.TrimLeft(text, " ")
	if !ok || !strings.HasPrefix(text, "+kubebuilder:") {
		return
	}
	name, _, _ := strings.Cut(text[1:], "=")
	name = strings.TrimSpace(name)
	if section := strings.Split(name, ":")[1]; slices.Contains(others, section) {
		return
	}
	for _, target := range []markers.TargetType{markers.DescribesPackage, markers.DescribesType, markers.DescribesField} {
		if w.collector.Lookup(text, target) != nil {
			return
		}
	}
	pos := w.at(c)
	pos.Column += len(c.Text) - len(text)
	diags.Add(diagnostic.Diagnostic{
		Pos: pos, Code: codeMarker, Warning: true,
		Message: "unknown marker +" + name, Hint: diagnostic.DidYouMean(name, w.markerNames()),
	})
}

// markerNames lists all known markers, each once.
func (w *world) markerNames() []string {
	var names []string
	for _, def := range w.collector.AllDefinitions() {
		names = append(names, def.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
