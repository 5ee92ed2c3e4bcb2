package schema

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// check type-checks a source without imports.
func check(t *testing.T, name string, src any) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{}).Check("example.com/schema", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

func TestFieldsAreThoseOfEncodingJSON(t *testing.T) {
	pkg := check(t, "shapes_test.go", nil)
	values := map[string]any{
		"plainShape": plainShape{E: 1, private: 1}, "embeddingShape": embeddingShape{}, "namedShape": namedShape{}, "ambiguousShape": ambiguousShape{},
		"taggedWinsShape": taggedWinsShape{}, "PointerShape": PointerShape{BaseTwo: &BaseTwo{}, Next: &PointerShape{}},
		"deepShape": deepShape{PointerShape{BaseTwo: &BaseTwo{}, Next: &PointerShape{}}}, "ownNameShape": ownNameShape{}, "definedShape": definedShape{},
	}
	for name, value := range values {
		data, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		var object map[string]any
		if err := json.Unmarshal(data, &object); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range Fields(pkg.Scope().Lookup(name).Type()) {
			got = append(got, f.JSON)
		}
		slices.Sort(got)
		if diff := cmp.Diff(slices.Sorted(maps.Keys(object)), got); diff != "" {
			t.Errorf("%s (-encoding/json +Fields):\n%s", name, diff)
		}
	}
}

const pathTypes = `package p

type Root struct {
	Spec   *Spec  ` + "`json:\"spec,omitempty\"`" + `
	Status Status ` + "`json:\"status\"`" + `
}

type Base struct { Colour string ` + "`json:\"colour\"`" + ` }

type Spec struct {
	Base
	Size   int32             ` + "`json:\"size,string\"`" + `
	Words  map[string]*Word  ` + "`json:\"words\"`" + `
	List   []Word            ` + "`json:\"list\"`" + `
	Any    any               ` + "`json:\"any\"`" + `
	Own    Own               ` + "`json:\"own\"`" + `
	Number map[int]string    ` + "`json:\"number\"`" + `
}

type Word struct { Text string ` + "`json:\"text\"`" + ` }

type Own struct{ Inside int }

func (*Own) UnmarshalJSON([]byte) error { return nil }

type Status struct { Phase string ` + "`json:\"phase\"`" + ` }
`

func TestResolve(t *testing.T) {
	root := check(t, "p.go", pathTypes).Scope().Lookup("Root").Type()
	tests := []struct {
		path     []string
		typ      string // or the error
		steps    string
		optional bool
	}{
		{nil, "p.Root", "", false},
		{[]string{"spec"}, "*p.Spec", "Spec*", true},
		{[]string{"spec", "size"}, "int32", "Spec* Size", true},
		{[]string{"spec", "colour"}, "string", "Spec* Base Colour", true},
		{[]string{"spec", "words", "a.b", "text"}, "string", "Spec* Words [a.b]* Text", true},
		{[]string{"status", "phase"}, "string", "Status Phase", false},
		{[]string{"spec", "list"}, "[]p.Word", "Spec* List", true},
		{[]string{"spec", "list", "0"}, "KG046 spec.list is a list, and lists are watched as a whole", "", false},
		{[]string{"spec", "any", "x"}, "KG046 spec.any is of an interface type: what is inside is not known", "", false},
		{[]string{"spec", "own", "Inside"}, "KG046 spec.own is of type p.Own, which decodes itself: what is inside is not known", "", false},
		{[]string{"spec", "number", "1"}, "KG046 spec.number is a map whose keys are not strings", "", false},
		{[]string{"status", "phase", "x"}, "KG045 status.phase is of type string and has no fields", "", false},
		{[]string{"stats"}, `KG045 the object has no field "stats"`, "", false},
		{[]string{"status", "Phase"}, `KG045 status has no field "Phase"`, "", false},
	}
	for _, tt := range tests {
		place, err := Resolve(root, tt.path)
		if e, ok := err.(*PathError); ok {
			if got := e.Code + " " + e.Message; got != tt.typ {
				t.Errorf("%v: %s, want %s", tt.path, got, tt.typ)
			}
			continue
		}
		steps := ""
		for i, s := range place.Steps {
			if i > 0 {
				steps += " "
			}
			if s.Kind == 1 {
				steps += "[" + s.Name + "]"
			} else {
				steps += s.Name
			}
			if s.Pointer {
				steps += "*"
			}
		}
		got := types.TypeString(place.Type, (*types.Package).Name)
		if got != tt.typ || steps != tt.steps || place.Optional != tt.optional {
			t.Errorf("%v: %s by %q, optional %v; want %s by %q, %v", tt.path, got, steps, place.Optional, tt.typ, tt.steps, tt.optional)
		}
	}
	if place, _ := Resolve(root, []string{"spec", "size"}); !place.String {
		t.Error("the option string was lost")
	}
	if place, err := Resolve(nil, []string{"anything"}); err != nil || place.Type != nil || !place.Optional {
		t.Errorf("without a type: %+v, %v", place, err)
	}
}
