package emit

import (
	"strings"
	"testing"

	"github.com/dave/jennifer/jen"

	"github.com/kopfgen/kopfgen/generator/model"
)

func TestTypes(t *testing.T) {
	other := author(t, `package other
		type T struct{}
		type G[K comparable, V any] map[K]V
		type hidden struct{}
		type Alias = hidden`)
	p := author(t, `package demo
		import "example.com/other"
		type T struct{}
		type Short = map[string]other.T
		var (
			a int
			b []*T
			c [3]other.T
			d other.G[string, *T]
			e Short
			f func(int, ...string) (T, error)
			g chan<- T
			h <-chan T
			i interface{ Do(int) error }
			j any
			k struct {
				Size int `+"`kopf:\"spec.size\"`"+`
				T
			}
			l map[[2]byte]rune
		)`, other)
	for name, want := range map[string]string{
		"a": "int",
		"b": "[]*T",
		"c": "[3]other.T",
		"d": "other.G[string, *T]",
		"e": "Short",
		"f": "func(int, ...string) (T, error)",
		"g": "chan<- T",
		"h": "<-chan T",
		"i": "interface {\n\tDo(int) error\n}",
		"j": "any",
		"k": "struct {\n\tSize int `kopf:\"spec.size\"`\n\tT\n}",
		"l": "map[[2]byte]rune",
	} {
		pr := newTestPrinter(&model.Operator{Package: p})
		same(t, source(t, pr, jen.Var().Id("x").Add(pr.typ(declared(t, p, name)))), "var x "+want)
	}
}

func TestTypeThatCannotBeNamed(t *testing.T) {
	other := author(t, `package other
		type hidden struct{}
		func New() hidden { return hidden{} }`)
	p := author(t, `package demo
		import "example.com/other"
		var x = other.New()`, other)
	pr := newTestPrinter(&model.Operator{Package: p})
	pr.typ(declared(t, p, "x"))
	if pr.err == nil || !strings.Contains(pr.err.Error(), "cannot name") {
		t.Errorf("got %v", pr.err)
	}
}
