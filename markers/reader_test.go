package markers_test

import (
	"go/constant"
	"go/token"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kopfgen/kopfgen/internal/diagnostic"
	"github.com/kopfgen/kopfgen/markers"
)

// handlerOf reads one marker that has no mistakes.
func handlerOf(t *testing.T, marker string) *markers.Handler {
	t.Helper()
	found, diags := collect(t, "package p\n\n"+marker+"\nfunc F() {}\n")
	for _, d := range diags {
		t.Errorf("unexpected: %v", d)
	}
	if t.Failed() {
		t.FailNow()
	}
	return found.Functions[0].Handlers[0]
}

// arg is an argument as it is expected, positions aside.
func arg[T any](text string, value T) markers.Arg[T] {
	return markers.Arg[T]{Set: true, Text: text, Value: value}
}

func equal(text string, quoted bool, value constant.Value) markers.Arg[markers.Criterion] {
	return arg(text, markers.Criterion{Test: markers.Equal, Literal: markers.Literal{Quoted: quoted, Value: value}})
}

func path(names ...string) markers.Path {
	var p markers.Path
	for _, n := range names {
		p = append(p, markers.Segment{Name: n})
	}
	return p
}

var ignorePositions = cmp.Options{
	cmp.Comparer(func(a, b constant.Value) bool {
		return a == nil && b == nil || a != nil && b != nil && a.Kind() == b.Kind() && constant.Compare(a, token.EQL, b)
	}),
	cmp.Comparer(func(a, b markers.Selector) bool {
		return a.Selector == nil && b.Selector == nil || a.Selector != nil && b.Selector != nil && a.String() == b.String()
	}),
	cmp.Transformer("positionless", func(token.Pos) int { return 0 }),
	cmpopts.IgnoreFields(markers.Handler{}, "Text", "On"),
	cmpopts.IgnoreFields(markers.Operator{}, "Text"),
}

func TestHandlerArguments(t *testing.T) {
	tests := []struct {
		args string
		want markers.Handler
	}{
		{"kind=Greeter,group=demo.kopf.dev,version=v1", markers.Handler{
			Kind: arg("Greeter", "Greeter"), Group: arg("demo.kopf.dev", "demo.kopf.dev"), Version: arg("v1", "v1"),
		}},
		{`group="",kind="Pod"`, markers.Handler{Group: arg(`""`, ""), Kind: arg(`"Pod"`, "Pod")}},
		{`name=web-*,namespace="team-?"`, markers.Handler{Name: arg("web-*", "web-*"), Namespace: arg(`"team-?"`, "team-?")}},
		{"field=spec.size,value=*", markers.Handler{
			Field: arg("spec.size", path("spec", "size")), Value: arg("*", markers.Criterion{Test: markers.Present}),
		}},
		{`field=metadata.annotations["demo.kopf.dev/owner"],value=!`, markers.Handler{
			Field: arg(`metadata.annotations["demo.kopf.dev/owner"]`, path("metadata", "annotations", "demo.kopf.dev/owner")),
			Value: arg("!", markers.Criterion{Test: markers.Absent}),
		}},
		{"field=`spec[\"a,b\"][\"c\"].d`", markers.Handler{Field: arg("`spec[\"a,b\"][\"c\"].d`", path("spec", "a,b", "c", "d"))}},
		{`field=spec["a,b"]`, markers.Handler{Field: arg(`spec["a,b"]`, path("spec", "a,b"))}},
		{`field="spec[\"a\\\"b\"]"`, markers.Handler{Field: arg(`"spec[\"a\\\"b\"]"`, path("spec", `a"b`))}},
		{"field=a,value=\"x,\\ty\"", markers.Handler{Field: arg("a", path("a")), Value: equal("\"x,\\ty\"", true, constant.MakeString("x,\ty"))}},
		{`field=a,value=""`, markers.Handler{Field: arg("a", path("a")), Value: equal(`""`, true, constant.MakeString(""))}},
		{`field=a,value="3"`, markers.Handler{Field: arg("a", path("a")), Value: equal(`"3"`, true, constant.MakeString("3"))}},
		{"field=a,value=-9007199254740993", markers.Handler{Field: arg("a", path("a")), Value: equal("-9007199254740993", false, constant.MakeInt64(-9007199254740993))}},
		{"field=a,value=1.5e3", markers.Handler{Field: arg("a", path("a")), Value: equal("1.5e3", false, constant.MakeFromLiteral("1.5e3", token.FLOAT, 0))}},
		{"field=a,value=true", markers.Handler{Field: arg("a", path("a")), Value: equal("true", false, constant.MakeBool(true))}},
		{"field=a,value=isBig", markers.Handler{Field: arg("a", path("a")), Value: arg("isBig", markers.Criterion{Test: markers.Where, Func: markers.Ident{Name: "isBig"}})}},
		{"field=a,value=is.Big", markers.Handler{Field: arg("a", path("a")), Value: arg("is.Big", markers.Criterion{Test: markers.Where, Func: markers.Ident{Package: "is", Name: "Big"}})}},
		{"when=big,enabled=flags.On", markers.Handler{
			When: arg("big", markers.Ident{Name: "big"}), Enabled: arg("flags.On", markers.Ident{Package: "flags", Name: "On"}),
		}},
		{"retries=3,timeout=1h30m,backoff=500ms", markers.Handler{
			Retries: arg("3", markers.Number{Value: 3}), Timeout: arg("1h30m", markers.Duration{Value: 90 * time.Minute}),
			Backoff: arg("500ms", markers.Backoff{From: 500 * time.Millisecond}),
		}},
		{"retries=none,timeout=none,backoff=0s", markers.Handler{
			Retries: arg("none", markers.Number{None: true}), Timeout: arg("none", markers.Duration{None: true}), Backoff: arg("0s", markers.Backoff{}),
		}},
		{"retries=max,timeout=conf.Limit,backoff=delay", markers.Handler{
			Retries: arg("max", markers.Number{Ident: markers.Ident{Name: "max"}}),
			Timeout: arg("conf.Limit", markers.Duration{Ident: markers.Ident{Package: "conf", Name: "Limit"}}),
			Backoff: arg("delay", markers.Backoff{Ident: markers.Ident{Name: "delay"}}),
		}},
		{"backoff=1s..5m", markers.Handler{Backoff: arg("1s..5m", markers.Backoff{From: time.Second, To: 5 * time.Minute})}},
		{"backoff=1.5s..2.5s", markers.Handler{Backoff: arg("1.5s..2.5s", markers.Backoff{From: 1500 * time.Millisecond, To: 2500 * time.Millisecond})}},
		{"errors=ignored,id=create_fn", markers.Handler{Errors: arg("ignored", "ignored"), ID: arg("create_fn", "create_fn")}},
		{"id=outer.<locals>.fn", markers.Handler{ID: arg("outer.<locals>.fn", "outer.<locals>.fn")}},
		{"param=fast", markers.Handler{Param: arg("fast", markers.Literal{Value: constant.MakeString("fast")})}},
		{"param=5", markers.Handler{Param: arg("5", markers.Literal{Value: constant.MakeInt64(5)})}},
		{"param=5s", markers.Handler{Param: arg("5s", markers.Literal{Value: constant.MakeString("5s")})}},
		{"param=`a\\b`", markers.Handler{Param: arg("`a\\b`", markers.Literal{Quoted: true, Value: constant.MakeString(`a\b`)})}},
		{"result=none", markers.Handler{Result: arg("none", markers.Result{None: true})}},
		{`result="none"`, markers.Handler{Result: arg(`"none"`, markers.Result{Key: "none"})}},
		{"result=greeting", markers.Handler{Result: arg("greeting", markers.Result{Key: "greeting"})}},
		{" kind = Foo\t, retries =3 ", markers.Handler{Kind: arg("Foo", "Foo"), Retries: arg("3", markers.Number{Value: 3})}},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			got := handlerOf(t, "//+kopf:on=create,"+tt.args)
			if diff := cmp.Diff(&tt.want, got, ignorePositions); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSelectors(t *testing.T) {
	tests := []struct{ text, want string }{
		{`"tier in (web, api) , !legacy"`, "!legacy,tier in (api,web)"},
		{"`a=b,c!=d,e,f notin (g)`", "a=b,c!=d,e,f notin (g)"},
		{`"demo.kopf.dev/owner==\u0061nna"`, "demo.kopf.dev/owner==anna"},
		{`"n>5"`, "n>5"},
	}
	for _, tt := range tests {
		h := handlerOf(t, "//+kopf:on=create,labels="+tt.text+",annotations="+tt.text)
		if got := h.Labels.Value.String(); got != tt.want {
			t.Errorf("labels=%s: %q, want %q", tt.text, got, tt.want)
		}
		if got := h.Annotations.Value.String(); got != tt.want {
			t.Errorf("annotations=%s: %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestOn(t *testing.T) {
	h := handlerOf(t, `//+kopf:on=create; update ;"delete",optional=true`)
	var got []markers.Kind
	for _, on := range h.On {
		got = append(got, on.Value)
	}
	if diff := cmp.Diff([]markers.Kind{markers.Create, markers.Update, markers.Delete}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !h.Has(markers.Update) || h.Has(markers.Resume) {
		t.Error("Has is wrong")
	}
	if !h.Optional.Value {
		t.Error("optional is lost")
	}
	if h := handlerOf(t, "//+kopf:on=create;resume,deleted=true"); !h.Deleted.Value {
		t.Error("deleted is lost")
	}
}

func TestOperatorArguments(t *testing.T) {
	const marker = `//+kopf:operator=pet-clinic,prefix=demo.kopf.dev,finalizer=demo.kopf.dev/fin,ids=snake_case,` +
		`retries=5,timeout=limit,backoff=1s..1m,packages="./handlers/...";./more`
	found, diags := collect(t, marker+"\npackage p\n")
	for _, d := range diags {
		t.Errorf("unexpected: %v", d)
	}
	want := []*markers.Operator{{
		Name: arg("pet-clinic", "pet-clinic"), Prefix: arg("demo.kopf.dev", "demo.kopf.dev"), Finalizer: arg("demo.kopf.dev/fin", "demo.kopf.dev/fin"),
		IDs: arg("snake_case", "snake_case"), Retries: arg("5", markers.Number{Value: 5}),
		Timeout:  arg("limit", markers.Duration{Ident: markers.Ident{Name: "limit"}}),
		Backoff:  arg("1s..1m", markers.Backoff{From: time.Second, To: time.Minute}),
		Packages: arg(`"./handlers/...";./more`, []markers.Item[string]{{Value: "./handlers/..."}, {Value: "./more"}}),
	}}
	if diff := cmp.Diff(want, found.Operators, ignorePositions); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestPositions: every position that a marker carries is the one of its token.
func TestPositions(t *testing.T) {
	const source = "package p\n\n" +
		`//+kopf:on=update;field, field=spec["a.b"].c , old="x",new=is.Big,retries=max,id=foo` + "\nfunc F() {}\n"
	fset, file := parse(t, source)
	h := markers.Collect(fset, file, &diagnostic.List{}).Functions[0].Handlers[0]
	at := func(pos token.Pos) string { return source[fset.Position(pos).Offset:] }
	tests := []struct {
		name string
		pos  token.Pos
		want string
	}{
		{"marker", h.Pos, "+kopf:on"},
		{"first kind", h.On[0].Pos, "update;"},
		{"second kind", h.On[1].Pos, "field, "},
		{"field's name", h.Field.Name, "field=spec"},
		{"field", h.Field.Pos, "spec["},
		{"first segment", h.Field.Value[0].Pos, "spec["},
		{"key", h.Field.Value[1].Pos, `"a.b"]`},
		{"last segment", h.Field.Value[2].Pos, "c , old"},
		{"old", h.Old.Pos, `"x",new`},
		{"new", h.New.Value.Func.Pos, "is.Big"},
		{"retries", h.Retries.Value.Ident.Pos, "max,id"},
		{"id", h.ID.Pos, "foo\n"},
	}
	for _, tt := range tests {
		if got := at(tt.pos)[:len(tt.want)]; got != tt.want {
			t.Errorf("%s is at %q, want %q", tt.name, got, tt.want)
		}
	}
	if want := `+kopf:on=update;field, field=spec["a.b"].c , old="x",new=is.Big,retries=max,id=foo`; h.Text != want {
		t.Errorf("text: %q", h.Text)
	}
}

func TestPathNotations(t *testing.T) {
	tests := []struct {
		path           markers.Path
		marker, dotted string
	}{
		{path("spec", "size"), "spec.size", "spec.size"},
		{path("metadata", "annotations", "demo.kopf.dev/owner"), `metadata.annotations["demo.kopf.dev/owner"]`, "metadata.annotations.demo.kopf.dev/owner"},
		{path("a b", "c"), `["a b"].c`, "a b.c"},
	}
	for _, tt := range tests {
		if got := tt.path.String(); got != tt.marker {
			t.Errorf("String: %q, want %q", got, tt.marker)
		}
		if got := tt.path.Dotted(); got != tt.dotted {
			t.Errorf("Dotted: %q, want %q", got, tt.dotted)
		}
		if got := handlerOf(t, "//+kopf:on=create,field="+tt.marker).Field.Value; got.String() != tt.marker {
			t.Errorf("%s reads as %s", tt.marker, got)
		}
	}
}

func TestSpellPath(t *testing.T) {
	if got, want := markers.SpellPath([]string{"metadata", "annotations", "a.b/c", "x", "y:z"}), `metadata.annotations["a.b/c"].x["y:z"]`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestIdent(t *testing.T) {
	for want, id := range map[string]markers.Ident{"": {}, "f": {Name: "f"}, "pkg.F": {Package: "pkg", Name: "F"}} {
		if got := id.String(); got != want {
			t.Errorf("String: %q, want %q", got, want)
		}
		if id.IsZero() != (want == "") {
			t.Errorf("IsZero of %q: %v", want, id.IsZero())
		}
	}
}

func TestAtOnce(t *testing.T) {
	for args, want := range map[string]bool{"backoff=0s": true, "backoff=0": true, "backoff=1s": false, "backoff=1s..2s": false, "backoff=delay": false} {
		if got := handlerOf(t, "//+kopf:on=create,"+args).Backoff.Value.AtOnce(); got != want {
			t.Errorf("%s: %v", args, got)
		}
	}
}

// TestTimes reads when daemons and timers run.
func TestTimes(t *testing.T) {
	tests := []struct {
		marker string
		want   markers.Handler
	}{
		{"on=timer,interval=1m30s,sharp=true,idle=10s,initialDelay=2h", markers.Handler{
			Interval: arg("1m30s", markers.Duration{Value: 90 * time.Second}), Sharp: arg("true", true),
			Idle: arg("10s", markers.Duration{Value: 10 * time.Second}), InitialDelay: arg("2h", markers.Duration{Value: 2 * time.Hour}),
		}},
		{"on=timer,idle=rest.Long,initialDelay=warmUp", markers.Handler{
			Idle:         arg("rest.Long", markers.Duration{Ident: markers.Ident{Package: "rest", Name: "Long"}}),
			InitialDelay: arg("warmUp", markers.Duration{Ident: markers.Ident{Name: "warmUp"}}),
		}},
		{"on=daemon,cancellationBackoff=1ms,cancellationTimeout=patience", markers.Handler{
			CancellationBackoff: arg("1ms", markers.Duration{Value: time.Millisecond}),
			CancellationTimeout: arg("patience", markers.Duration{Ident: markers.Ident{Name: "patience"}}),
		}},
		{"on=daemon,cancellationPolling=1h", markers.Handler{CancellationPolling: arg("1h", markers.Duration{Value: time.Hour})}},
		{"on=timer", markers.Handler{}},
		{"on=event,retries=3,backoff=1s..1m,result=none", markers.Handler{
			Retries: arg("3", markers.Number{Value: 3}), Backoff: arg("1s..1m", markers.Backoff{From: time.Second, To: time.Minute}),
			Result: arg("none", markers.Result{None: true}),
		}},
	}
	for _, tt := range tests {
		t.Run(tt.marker, func(t *testing.T) {
			got := handlerOf(t, "//+kopf:"+tt.marker)
			if diff := cmp.Diff(&tt.want, got, ignorePositions); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
