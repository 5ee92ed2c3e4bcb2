package annotation

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

// The names were computed by Kopf itself.
func TestNamesAreKopfs(t *testing.T) {
	const (
		own   = "my-operator.example.com"
		demo  = "a_very_long_handler_function_name_for_demo/spec.template.metadata.labels"
		fifty = "create_very_long_handler_name_that_is_over_46c/spec.field"
	)
	x := func(n int) string { return strings.Repeat("x", n) }
	sixty := strings.Repeat("p", 60)
	for _, c := range []struct{ prefix, key, v2, v1 string }{
		{KopfPrefix, "create_fn", "create_fn", ""},
		{KopfPrefix, "create_fn/item1", "create_fn.item1", ""},
		{KopfPrefix, "create_fn/spec.field", "create_fn.spec.field", ""},
		{KopfPrefix, "outer.<locals>.create_fn", "outer._locals_.create_fn", ""},
		{KopfPrefix, "lambda:/src/handlers.py:42", "lambda:.src.handlers.py:42", ""},
		{KopfPrefix, x(46), x(46), ""},
		{KopfPrefix, x(47), x(47), x(39) + "-xRCOAQ"},
		{KopfPrefix, x(63), x(63), x(39) + "-" + hashOf(x(63))},
		{KopfPrefix, x(64), x(56) + "-SItAqA", x(39) + "-SItAqA"},
		{KopfPrefix, fifty, "create_very_long_handler_name_that_is_over_46c.spec.field", "create_very_long_handler_name_that_is_o-gyP9.g"},
		{KopfPrefix, demo, "a_very_long_handler_function_name_for_demo.spec.template-vOUUdw", "a_very_long_handler_function_name_for_d-xnE2xQ"},
		{own, demo, "a_very_long_handler_function_name_for_demo.spec.template-vOUUdw", "a_very_long_handler_function_nam-xnE2xQ"},
		{own, x(40), x(40), x(32) + "-tEokcg"},
		{own, strings.Repeat("fn", 323), strings.Repeat("fn", 28) + "-Az-r.g", strings.Repeat("fn", 16) + "-Az-r.g"},
		{KopfPrefix, "create_fn" + OfDeployment, "create_fn-ofDRS", ""},
		{KopfPrefix, LastHandled + OfDeployment, "last-handled-configuration-ofDRS", ""},
		{sixty, "create_fn/spec.field", "create_fn.spec.field", "create_fn.spec.-D6h79Q"},
	} {
		if c.v1 == "" {
			c.v1 = c.v2
		}
		if got, want := V2(c.prefix, c.key), c.prefix+"/"+c.v2; got != want {
			t.Errorf("V2(%q, %q) = %q, want %q", c.prefix, c.key, got, want)
		}
		if got, want := V1(c.prefix, c.key), c.prefix+"/"+c.v1; got != want {
			t.Errorf("V1(%q, %q) = %q, want %q", c.prefix, c.key, got, want)
		}
	}
}

func hashOf(key string) string { return suffix(key)[1:] }

func TestNamesAreCutByCharacters(t *testing.T) {
	key := strings.Repeat("ü", 70)
	if got, want := V2("p", key), "p/"+strings.Repeat("ü", 56)+suffix(key); got != want {
		t.Errorf("V2 = %q, want %q", got, want)
	}
	if got, want := V1("p", key), "p/"+strings.Repeat("ü", 54)+suffix(key); got != want {
		t.Errorf("V1 = %q, want %q", got, want)
	}
}

func TestLegalID(t *testing.T) {
	for id, legal := range map[string]bool{
		"greet":                         true,
		"Greet":                         true,
		"greet/spec.field":              true,
		"outer.<locals>.fn":             true,
		strings.Repeat("x/", 100) + "x": true,
		"lambda:/src/handlers.py:42":    false,
		"grüße":                         false,
		"a b":                           false,
		"":                              false,
		"_greet":                        false,
		"greet.":                        false,
		"greet/":                        false,
		"touch-dummy":                   false,
		"last-handled-configuration":    false,
		"kopf-managed":                  false,
		"touch-dummy-ofDRS":             false,
	} {
		if err := LegalID(KopfPrefix, id); (err == nil) != legal {
			t.Errorf("LegalID(%q) = %v, want legal %v", id, err, legal)
		}
	}
	if LegalID("not a prefix", "greet") == nil {
		t.Error("an illegal prefix is accepted")
	}
}

// Whatever the id, its name keeps within Kubernetes' limit, no character is cut in two, and a name that is a legal id by itself is
// mapped to itself.
func FuzzNames(f *testing.F) {
	f.Add(KopfPrefix, "create_fn/spec.field")
	f.Add(strings.Repeat("p", 100), strings.Repeat("fn", 323))
	f.Add("", "ü<>")
	f.Fuzz(func(t *testing.T, prefix, key string) {
		if !utf8.ValidString(prefix) || !utf8.ValidString(key) {
			return
		}
		v1, v2 := V1(prefix, key), V2(prefix, key)
		name, ok := strings.CutPrefix(v2, prefix+"/")
		if !ok || utf8.RuneCountInString(name) > nameLimit || !utf8.ValidString(v2) {
			t.Fatalf("V2(%q, %q) = %q", prefix, key, v2)
		}
		if again := V2(prefix, name); again != v2 {
			t.Errorf("V2(%q, %q) = %q, not itself", prefix, name, again)
		}
		if !strings.HasPrefix(v1, prefix+"/") || !utf8.ValidString(v1) {
			t.Errorf("V1(%q, %q) = %q", prefix, key, v1)
		}
		if n := utf8.RuneCountInString(prefix); n <= 55 && utf8.RuneCountInString(v1) > nameLimit {
			t.Errorf("V1(%q, %q) = %q is too long", prefix, key, v1)
		}
	})
}

// Random keys, and the names that Kopf 1.45.2 gave them.
func TestRandomNamesAreKopfs(t *testing.T) {
	data, err := os.ReadFile("testdata/kopf-names.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for line := range strings.Lines(string(data)) {
		count++
		var c struct{ Prefix, Key, V1, V2 string }
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		if v1, v2 := V1(c.Prefix, c.Key), V2(c.Prefix, c.Key); v1 != c.V1 || v2 != c.V2 {
			t.Errorf("%sgot %s and %s", line, v1, v2)
		}
	}
	if count != 100 {
		t.Errorf("%d cases", count)
	}
}
