package manifest

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/types"
	"reflect"
	"slices"

	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// warnDefaults warns about fields of edited parts whose zero value cannot be written: it is left out of the JSON, and the API server puts the
// default back.
func (w *world) warnDefaults(k Kind, diags *diagnostic.List) {
	for _, part := range k.Edits {
		t := k.Type.Type()
		if part != "" {
			var ok bool
			if t, ok = memberType(t, part); !ok {
				continue
			}
		}
		w.eachField(t, map[*types.Named]bool{}, func(f markers.FieldInfo) {
			name, options := parseTag(f.Tag.Get("json"))
			value, ok := defaultOf(f)
			if !ok || zero(value) || nilAST(f.RawField.Type) || !slices.Contains(options, "omitempty") {
				return
			}
			diags.Add(diagnostic.Diagnostic{
				Pos: w.at(f.RawField), Code: codeDefault, Warning: true,
				Message: fmt.Sprintf("handlers that edit %s cannot set its zero value: the API server puts the default back", name),
				Hint:    "make the field a pointer, or remove omitempty",
			})
		})
	}
}

// eachField calls fn for each field of the author's types that a type reaches.
func (w *world) eachField(t types.Type, done map[*types.Named]bool, fn func(markers.FieldInfo)) {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if done[t] || t.Obj().Pkg() == nil || !w.owns(t.Obj().Pkg().Path()) {
			return
		}
		done[t] = true
		if info := w.info(t.Obj().Pkg().Path(), t.Obj().Name()); info != nil {
			for _, f := range info.Fields {
				fn(f)
			}
		}
		w.eachField(t.Underlying(), done, fn)
	case *types.Struct:
		for f := range t.Fields() {
			w.eachField(f.Type(), done, fn)
		}
	case interface{ Elem() types.Type }:
		w.eachField(t.Elem(), done, fn)
	}
}

// defaultOf returns the default that a field's markers name, as JSON.
func defaultOf(f markers.FieldInfo) ([]byte, bool) {
	for _, values := range f.Markers {
		for _, v := range values {
			switch d := v.(type) {
			case crdmarkers.Default:
				data, err := json.Marshal(d.Value)
				return data, err == nil
			case crdmarkers.KubernetesDefault:
				data, err := json.Marshal(d.Value)
				return data, err == nil
			}
		}
	}
	return nil, false
}

// zero reports whether a JSON value is what encoding/json leaves out for omitempty.
func zero(data []byte) bool {
	var v any
	if json.Unmarshal(data, &v) != nil || v == nil {
		return true
	}
	r := reflect.ValueOf(v)
	return r.IsZero() || (r.Kind() == reflect.Map || r.Kind() == reflect.Slice) && r.Len() == 0
}

// nilAST reports whether a field of the type can be absent as opposed to zero.
func nilAST(t ast.Expr) bool {
	_, ok := t.(*ast.StarExpr)
	return ok
}
