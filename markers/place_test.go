package markers_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// wrongPlaces are whole files with markers where they mean nothing.
var wrongPlaces = map[string]mistake{
	"type":            {"package p\n\n//‸+kopf:on=create\ntype Greeter struct{}\n", []string{"KG003 +kopf:on stands on type Greeter | it belongs on the function that handles the event"}},
	"type in a group": {"package p\n\ntype (\n\t//‸+kopf:on=create\n\tGreeter struct{}\n)\n", []string{"KG003 +kopf:on stands on type Greeter"}},
	"group of types":  {"package p\n\n//‸+kopf:on=create\ntype (\n\tA int\n\tB int\n)\n", []string{"KG003 +kopf:on stands on a group of types"}},
	"struct field":    {"package p\n\ntype Greeter struct {\n\t// ‸+kopf:on=create\n\tSize int\n}\n", []string{"KG003 +kopf:on stands on a field of type Greeter"}},
	"behind a field":  {"package p\n\ntype Greeter struct {\n\tSize int //‸+kopf:on=create\n}\n", []string{"KG003 +kopf:on stands on a field of type Greeter"}},
	"inside a struct": {"package p\n\ntype Greeter struct {\n\tSize int\n\n\t//‸+kopf:on=create\n}\n", []string{"KG003 +kopf:on stands inside type Greeter"}},
	"variable":        {"package p\n\n//‸+kopf:on=create\nvar f = func() {}\n", []string{"KG003 +kopf:on stands on variable f"}},
	"function literal": {
		"package p\n\nvar f = func() {\n\t//‸+kopf:on=create\n\t_ = 0\n}\n", []string{"KG003 +kopf:on stands inside variable f"},
	},
	"constant": {"package p\n\nconst (\n\ta = 1 //‸+kopf:on=create\n)\n", []string{"KG003 +kopf:on stands on constant a"}},
	"import":   {"package p\n\nimport (\n\t//‸+kopf:on=create\n\t_ \"embed\"\n)\n", []string{"KG003 +kopf:on stands inside an import"}},
	"body":     {"package p\n\nfunc F() {\n\t//‸+kopf:on=create\n}\n", []string{"KG003 +kopf:on stands inside function F"}},
	"signature": {
		"package p\n\nfunc F(\n\t//‸+kopf:on=create\n\ta int,\n) {\n}\n", []string{"KG003 +kopf:on stands inside function F"},
	},
	"behind a function":           {"package p\n\nfunc F() {} //‸+kopf:on=create\n", []string{"KG003 +kopf:on stands after code on the same line"}},
	"behind the function before":  {"package p\n\nfunc E() {} //‸+kopf:on=create\n\nfunc F() {}\n", []string{"KG003 +kopf:on stands after code on the same line"}},
	"behind the package clause":   {"package p //‸+kopf:operator=x\n", []string{"KG003 +kopf:operator stands after code on the same line | it belongs above the package clause"}},
	"misspelled in a wrong place": {"package p\n\n//‸+Kopf:on=create\ntype T int\n", []string{"KG003 +kopf:on stands on type T"}},
	"unknown in a wrong place":    {"package p\n\n//+kopf:‸handler=x\ntype T int\n", []string{"KG002 unknown marker +kopf:handler"}},

	"operator on a function":   {"package p\n\n//‸+kopf:operator=x\nfunc F() {}\n", []string{"KG003 +kopf:operator stands on function F | it belongs above the package clause"}},
	"operator on a type":       {"package p\n\n//‸+kopf:operator=x\ntype T int\n", []string{"KG003 +kopf:operator stands on type T"}},
	"operator far from all":    {"//‸+kopf:operator=x\n\n\npackage p\n", []string{"KG003 +kopf:operator stands far from the package clause"}},
	"handler on the package":   {"// Package p\n//\n//‸+kopf:on=create\npackage p\n", []string{"KG003 +kopf:on stands above the package clause"}},
	"handler above package":    {"//‸+kopf:on=create\n\n// Package p\npackage p\n", []string{"KG003 +kopf:on stands above the package clause"}},
	"two blank lines":          {"package p\n\n//‸+kopf:on=create\n\n\nfunc F() {}\n", []string{"KG004 +kopf:on belongs to no function | move it into the comment of F, or leave exactly one blank line above that"}},
	"nothing follows":          {"package p\n\nfunc F() {}\n\n//‸+kopf:on=create\n", []string{"KG004 +kopf:on belongs to no function | move it into the comment of the function that handles the event"}},
	"a type follows":           {"package p\n\n//‸+kopf:on=create\n\ntype T int\n\nfunc F() {}\n", []string{"KG004 +kopf:on belongs to no function | move it into the comment of the function that handles the event"}},
	"second group above":       {"package p\n\n//‸+kopf:on=create\n\n//+kopf:on=update\n\nfunc F() {}\n", []string{"KG004 +kopf:on belongs to no function"}},
	"another comment between":  {"package p\n\n//‸+kopf:on=create\n\n// Other.\n\n// F does.\nfunc F() {}\n", []string{"KG004 +kopf:on belongs to no function"}},
	"block comment":            {"package p\n\n/* ‸+kopf:on=create */\nfunc F() {}\n", []string{"KG005 a marker in a block comment | write it in a line comment: //+kopf:…"}},
	"lines of a block comment": {"package p\n\n/*\n‸+kopf:on=create\n * ‸+Kopf:on=update\n x +kopf:on=delete\n*/\nfunc F() {}\n", []string{"KG005 a marker in a block comment", "KG005 a marker in a block comment"}},
	"package's block comment":  {"/*\nPackage p\n\n\t‸+kopf:operator=x\n*/\npackage p\n", []string{"KG005 a marker in a block comment"}},
}

func TestPlaces(t *testing.T) {
	tests := []struct {
		name, source string
		want         []string // function, kind
	}{
		{"doc comment", "package p\n\n//+kopf:on=create\nfunc F() {}\n", []string{"F create"}},
		{"as the formatter spells it", "package p\n\n// F does.\n//\n// +kopf:on=create\nfunc F() {}\n", []string{"F create"}},
		{"group above", "package p\n\n//+kopf:on=create\n\nfunc F() {}\n", []string{"F create"}},
		{"group above the doc comment", "package p\n\n//+kopf:on=create\n\n// F does.\nfunc F() {}\n", []string{"F create"}},
		{"both", "package p\n\n//+kopf:on=create\n\n// F does.\n//+kopf:on=update\nfunc F() {}\n", []string{"F create", "F update"}},
		{"method", "package p\n\ntype T int\n\n//+kopf:on=create\nfunc (T) F() {}\n", []string{"F create"}},
		{"function without a body", "package p\n\n//+kopf:on=create\nfunc F()\n\n//+kopf:on=update\nfunc G()\n", []string{"F create", "G update"}},
		{"several", "package p\n\n//+kopf:on=create\n//+kopf:on=delete\nfunc F() {}\n\n//+kopf:on=update\nfunc G() {}\n", []string{"F create", "F delete", "G update"}},
		{"after a trailing comment", "package p\n\nvar x = 1 // one\n//+kopf:on=create\n\nfunc F() {}\n", []string{"F create"}},
		{"last line of a declaration", "package p\n\nvar x = []int{\n}\n//+kopf:on=create\nfunc F() {}\n", []string{"F create"}},
		{"first in the file", "package p\n//+kopf:on=create\nfunc F() {}\n", []string{"F create"}},
		{"operator", "//+kopf:operator=greeter\npackage p\n", []string{"operator greeter"}},
		{"operator in the doc comment", "// Package p\n//\n// +kopf:operator=greeter\npackage p\n", []string{"operator greeter"}},
		{"operator above the doc comment", "//+kopf:operator=greeter\n\n// Package p\npackage p\n", []string{"operator greeter"}},
		{"with line directives", "package p\n\n//line other.go:100\n\n//+kopf:on=create\n\nfunc F() {}\n", []string{"F create"}},
		{"windows lines", "package p\r\n\r\n//+kopf:on=create\r\nfunc F() {}\r\n", []string{"F create"}},

		{"prose", "package p\n\n// F is marked by +kopf:on=create, see kopf: the docs.\nfunc F() {}\n", nil},
		{"examples", "package p\n\n// F is like\n//\n//\t//+kopf:on=create\n//\t// +kopf:on=create\n//\tfunc G() {}\nfunc F() {}\n", nil},
		{"commented out", "package p\n\n////+kopf:on=create\n// //+kopf:on=create\nfunc F() {}\n", nil},
		{"other markers", "package p\n\n// +kubebuilder:object:root=true\n// +groupName=x\n// +koff:gen=true\n// +1\n// + a list\ntype T int\n", nil},
		{"other directives", "package p\n\n//go:noinline\n//kopfer:on\n// kopf: a note\nfunc F() {}\n", nil},
		{"in a string", "package p\n\nvar s = `\n//+kopf:on=create\n`\n", nil},
		{"block comment that mentions it", "package p\n\n/* see +kopf:on=create */\nfunc F() {}\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			found, diags := collect(t, tt.source)
			for _, d := range diags {
				t.Errorf("unexpected: %v", d)
			}
			var got []string
			for _, o := range found.Operators {
				got = append(got, "operator "+o.Name.Value)
			}
			for _, f := range found.Functions {
				for _, h := range f.Handlers {
					got = append(got, f.Decl.Name.Name+" "+string(h.On[0].Value))
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
