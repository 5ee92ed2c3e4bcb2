package operator

import (
	"encoding/json"
	"errors"
	"sync"
	"testing"

	"k8s.io/client-go/rest"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

func TestCriteria(t *testing.T) {
	type size string
	big := Where(func(n int, present bool) bool { return present && n > 5 })
	for name, c := range map[string]struct {
		criterion Criterion
		value     string // "" is absence
		want      bool
		fails     bool
	}{
		"present":                  {criterion: Present(), value: `1`, want: true},
		"a null is present":        {criterion: Present(), value: `null`, want: true},
		"nothing is not present":   {criterion: Present()},
		"absent":                   {criterion: Absent(), want: true},
		"a null is not absent":     {criterion: Absent(), value: `null`},
		"equal":                    {criterion: Equal("a"), value: `"a"`, want: true},
		"not equal":                {criterion: Equal("a"), value: `"b"`},
		"nothing equals nothing":   {criterion: Equal("")},
		"a number as an integer":   {criterion: Equal(int64(9007199254740993)), value: `9007199254740993`, want: true},
		"a number that is another": {criterion: Equal(int64(9007199254740993)), value: `9007199254740992`},
		"a number, not a text":     {criterion: Equal(1), value: `"1"`},
		"true is not one":          {criterion: Equal(1), value: `true`},
		"a named type":             {criterion: Equal(size("l")), value: `"l"`, want: true},
		"a function":               {criterion: big, value: `6`, want: true},
		"a function that says no":  {criterion: big, value: `5`},
		"a function without value": {criterion: big},
		"another type":             {criterion: big, value: `"six"`, fails: true},
		"a null for a function":    {criterion: Where(func(n *int, present bool) bool { return present && n == nil }), value: `null`, want: true},
		"a struct":                 {criterion: Where(func(s thingSpec, _ bool) bool { return s.Size == 2 }), value: `{"size":2}`, want: true},
	} {
		t.Run(name, func(t *testing.T) {
			var value any
			if c.value != "" {
				var err error
				if value, err = tree.Decode([]byte(c.value)); err != nil {
					t.Fatal(err)
				}
			}
			got, err := c.criterion.holds(value, c.value != "")
			if got != c.want || (err != nil) != c.fails {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
}

func TestWhen(t *testing.T) {
	large := When(func(c *Call[Spec[thingSpec]]) bool { return c.Object().Spec.Size > 5 })
	for object, want := range map[string]bool{`{"spec":{"size":6}}`: true, `{"spec":{"size":5}}`: false, `{}`: false} {
		if got, err := large.holds(attempt(object)); got != want || err != nil {
			t.Errorf("%s: %v, %v", object, got, err)
		}
	}
	if _, err := large.holds(attempt(`{"spec":{"size":"large"}}`)); err == nil {
		t.Error("an object that does not decode is no error")
	}

	grown := WhenChange(func(_ *Call[None], old, now int64) bool { return now > old }, "spec", "size")
	for _, c := range []struct {
		old, new    string
		want, fails bool
	}{
		{`{"spec":{"size":1}}`, `{"spec":{"size":2}}`, true, false},
		{`{"spec":{"size":2}}`, `{"spec":{"size":1}}`, false, false},
		{``, `{"spec":{"size":1}}`, true, false},
		{`{"spec":{"size":[]}}`, `{"spec":{"size":1}}`, false, true},
		{`{}`, `{"spec":{"size":"x"}}`, false, true},
	} {
		a := attempt(`{}`)
		a.New = kopf.Raw(c.new)
		if c.old != "" {
			a.Old = kopf.Raw(c.old)
		}
		if got, err := grown.holds(a); got != c.want || (err != nil) != c.fails {
			t.Errorf("%s -> %s: %v, %v", c.old, c.new, got, err)
		}
	}
}

func TestClientsetIsMadeOnce(t *testing.T) {
	var made int
	var set Clientset[*json.Decoder]
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			if _, err := set.Get(&rest.Config{}, func(*rest.Config) (*json.Decoder, error) { made++; return nil, nil }); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if made != 1 {
		t.Errorf("made %d times", made)
	}
	var broken Clientset[int]
	for range 2 {
		if _, err := broken.Get(&rest.Config{}, func(*rest.Config) (int, error) { made++; return 0, errors.New("no") }); err == nil || made != 2 {
			t.Errorf("%v, made %d times", err, made-1)
		}
	}
}
