package manifest

import (
	"go/ast"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// others are the beginnings of kubebuilder's markers that tools other than ours read.
var others = []string{"rbac", "webhook", "webhookconfiguration", "scaffold", "docs-gen", "ac"}

// warnMarkers points out markers of kubebuilder that nobody knows. controller-tools passes over them, so that a misspelled one is missed only
// when the API server does something else than what was meant.
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

// markerNames lists the markers that there are, once each.
func (w *world) markerNames() []string {
	var names []string
	for _, def := range w.collector.AllDefinitions() {
		names = append(names, def.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
