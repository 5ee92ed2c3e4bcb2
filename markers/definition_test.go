package markers

import (
	"flag"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

var update = flag.Bool("update", false, "write docs/markers.md")

func TestReferenceIsFresh(t *testing.T) {
	const page = "../docs/markers.md"
	if *update {
		if err := os.WriteFile(page, []byte(Reference()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Reference(), string(got)); diff != "" {
		t.Errorf("docs/markers.md is stale, run go generate ./markers (-want +got):\n%s", diff)
	}
}

// TestDefinitionsAgree: the definitions, their help, the table of kinds and the forms of values speak of the same arguments.
func TestDefinitionsAgree(t *testing.T) {
	for _, d := range []struct {
		definition
		help ctmarkers.DefinitionHelp
	}{{handlers, handlerHelp}, {operators, operatorHelp}} {
		for _, arg := range d.names() {
			if d.help.FieldHelp[d.FieldNames[arg]].Summary == "" {
				t.Errorf("%q has no help", arg)
			}
			if !slices.ContainsFunc(valueForms, func(f valueForm) bool { return f.form == d.form(arg) }) {
				t.Errorf("%q is a %s, which is not explained", arg, d.form(arg))
			}
		}
		if len(d.help.FieldHelp) != len(d.names()) {
			t.Errorf("help for %d of %d arguments", len(d.help.FieldHelp), len(d.names()))
		}
	}
	for _, arg := range handlers.names() {
		if len(kindsWith(arg)) == 0 {
			t.Errorf("%q applies to nothing", arg)
		}
	}
	for _, k := range kindTable {
		for _, arg := range k.args {
			if !handlers.has(arg) {
				t.Errorf("%s takes %q, which is not defined", k.kind, arg)
			}
		}
	}
	for arg := range later {
		if !handlers.has(arg) && !operators.has(arg) {
			t.Errorf("%q is not defined", arg)
		}
	}
}

// TestEveryDocumentedArgumentWorks reads each argument, for each kind that takes it, with the example of its form.
func TestEveryDocumentedArgumentWorks(t *testing.T) {
	example := func(d definition, arg string) string {
		i := slices.IndexFunc(valueForms, func(f valueForm) bool { return f.form == d.form(arg) })
		if (arg == "version" || arg == "operator") && valueForms[i].form == "string" {
			return "v1"
		}
		if arg == "group" || arg == "prefix" || arg == "finalizer" {
			return "demo.kopf.dev"
		}
		return valueForms[i].example
	}
	for _, k := range kindTable {
		for _, arg := range k.args {
			if k.later || later[arg] || arg == "on" {
				continue
			}
			marker := "//+kopf:on=" + string(k.kind) + "," + arg + "=" + example(handlers, arg)
			if arg != "field" && (k.kind == Field || arg == "value" || arg == "old" || arg == "new") {
				marker += ",field=spec.size"
			}
			if arg == "sharp" {
				marker += ",interval=1m"
			}
			h := readOne(t, "package p\n"+marker+"\nfunc F() {}\n").Functions[0].Handlers[0]
			if !isSet(h, handlers.FieldNames[arg]) {
				t.Errorf("%s: %q is not set", marker, arg)
			}
		}
	}
	for _, arg := range operators.names() {
		if later[arg] || arg == "operator" {
			continue
		}
		marker := "//+kopf:operator=x," + arg + "=" + example(operators, arg)
		if o := readOne(t, marker+"\npackage p\n").Operators[0]; !isSet(o, operators.FieldNames[arg]) {
			t.Errorf("%s: %q is not set", marker, arg)
		}
	}
}

func isSet(marker any, field string) bool {
	return reflect.ValueOf(marker).Elem().FieldByName(field).FieldByName("Set").Bool()
}

func readOne(t *testing.T, source string) File {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "h.go", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var diags diagnostic.List
	found := Collect(fset, file, &diags)
	if err := diags.Err(); err != nil {
		t.Errorf("%s%v", source, err)
	}
	return found
}

func TestRegistry(t *testing.T) {
	registry, err := Registry()
	if err != nil {
		t.Fatal(err)
	}
	for marker, want := range map[ctmarkers.TargetType]string{ctmarkers.DescribesType: "on", ctmarkers.DescribesPackage: "operator"} {
		def := registry.Lookup("+kopf:"+want+"=x", marker)
		if def == nil {
			t.Fatalf("no definition for +kopf:%s", want)
		}
		field := def.FieldNames[want]
		if help := registry.HelpFor(def).FieldHelp[field].Summary; help == "" {
			t.Errorf("no help for %q", want)
		}
		if def.Fields[want].Optional {
			t.Errorf("%q is optional", want)
		}
		for arg, a := range def.Fields {
			if arg != want && !a.Optional {
				t.Errorf("%q is not optional", arg)
			}
		}
	}
}

// TestReferenceNamesEverything: no kind and no argument is missing from the page.
func TestReferenceNamesEverything(t *testing.T) {
	page := Reference()
	for _, k := range kindNames() {
		if !strings.Contains(page, "`"+k+"`") && !strings.Contains(page, "`on="+k+"`") {
			t.Errorf("kind %s is missing", k)
		}
	}
	for _, arg := range slices.Concat(handlers.names(), operators.names()) {
		if !strings.Contains(page, "`"+arg+"`") {
			t.Errorf("argument %s is missing", arg)
		}
	}
}
