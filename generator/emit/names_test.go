package emit

import (
	"testing"

	"github.com/dave/jennifer/jen"

	"github.com/kopfgen/kopfgen/generator/model"
)

func TestNamesOfTheAuthorAreFree(t *testing.T) {
	imported := author(t, `package handlers; type T int`)
	p := author(t, `package demo
		import "example.com/handlers"
		type operator struct{ handlers.T }
		func kopf() {}
		var Operator, metav1, c int`, imported)
	pr := newTestPrinter(&model.Operator{Package: p, ImportNames: []string{"handlers2"}})
	if pr.function != "Operator2" || pr.holder != "handlers3" {
		t.Errorf("got %s and %s", pr.function, pr.holder)
	}
	got := source(t, pr, jen.Var().Id("_").Op("=").Index().Any().Values(
		pr.operator("A"), pr.kopf("B"), pr.names.qualified("k8s.io/apimachinery/pkg/apis/meta/v1", "v1", "C"),
		pr.names.qualified("example.com/handlers", "handlers", "D"), pr.names.qualified("example.com/x/c", "c", "E"),
	))
	same(t, got, "var _ = []any{operator2.A, kopf2.B, metav12.C, handlers.D, c2.E}")
	l := pr.names.locals()
	for wanted, want := range map[string]string{"c": "c3", "size": "size", "range": "range2", "kopf2": "kopf22"} {
		if got := l.name(wanted); got != want {
			t.Errorf("%s: got %s, want %s", wanted, got, want)
		}
	}
}

func TestLowerFirst(t *testing.T) {
	for in, want := range map[string]string{"Greet": "greet", "HTTPProxy": "httpProxy", "ID": "id", "greet": "greet", "A": "a", "Äther": "äther", "": ""} {
		if got := lowerFirst(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestGroupImports(t *testing.T) {
	same(t, groupImports("package x\n\nimport (\n\tb \"k8s.io/b\"\n\t\"time\"\n\t\"a.io/z\"\n\t\"context\"\n)\n\nvar x int"),
		"package x\n\nimport (\n\"context\"\n\"time\"\n\n\"a.io/z\"\nb \"k8s.io/b\"\n)\n\nvar x int")
	same(t, groupImports("package x\n\nimport (\n\t\"time\"\n)\n"), "package x\n\nimport (\n\"time\"\n)")
	same(t, groupImports("package x\n"), "package x")
}
