package storage

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/internal/annotation"
	"github.com/kopfgen/kopfgen/runtime/internal/record"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

func object(t testing.TB, s string) map[string]any {
	t.Helper()
	m, err := tree.DecodeObject([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// annotated returns an object with annotations, given as names and values.
func annotated(pairs ...string) map[string]any {
	all := map[string]any{}
	for pair := range slices.Chunk(pairs, 2) {
		all[pair[0]] = pair[1]
	}
	return map[string]any{"metadata": map[string]any{"annotations": all}}
}

const (
	started = `{"started":"2026-12-01T14:22:07.096236+00:00","purpose":"create","retries":0,"success":false,"failure":false}`
	tried   = `{"started":"2026-12-01T14:22:07.096236+00:00","purpose":"create","retries":4,"success":false,"failure":false}`
)

func parse(t testing.TB, s string) *record.Record {
	t.Helper()
	r, err := record.Parse([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// longID has different names by Kopf's two rules.
var longID = strings.Repeat("x", 47)

var (
	longV2 = "kopf.zalando.org/" + longID
	longV1 = "kopf.zalando.org/" + longID[:39] + "-xRCOAQ"
)

func TestFetch(t *testing.T) {
	for name, c := range map[string]struct {
		object  map[string]any
		id      string
		retries int // -1: no record
		errs    string
	}{
		"nothing":           {object(t, `{}`), "fn", -1, ""},
		"annotation":        {annotated("kopf.zalando.org/fn", tried), "fn", 4, ""},
		"of a sub-handler":  {annotated("kopf.zalando.org/fn.spec.x.a", tried), "fn/spec.x/a", 4, ""},
		"null":              {annotated("kopf.zalando.org/fn", " null\n"), "fn", -1, ""},
		"current name":      {annotated(longV2, tried, longV1, started), longID, 4, ""},
		"old name":          {annotated(longV1, tried), longID, 4, ""},
		"null before old":   {annotated(longV2, "null", longV1, tried), longID, 4, ""},
		"broken":            {annotated("kopf.zalando.org/fn", `{"retries":`), "fn", -1, "annotation kopf.zalando.org/fn: "},
		"empty":             {annotated("kopf.zalando.org/fn", ``), "fn", -1, "annotation kopf.zalando.org/fn: "},
		"broken before old": {annotated(longV2, `{"retries":"x"}`, longV1, tried), longID, 4, "annotation " + longV2 + `: reading "retries"`},
		"legacy":            {object(t, `{"status":{"kopf":{"progress":{"fn/spec.x":`+tried+`}}}}`), "fn/spec.x", 4, ""},
		"legacy null":       {object(t, `{"status":{"kopf":{"progress":{"fn":null}}}}`), "fn", -1, ""},
		"legacy broken":     {object(t, `{"status":{"kopf":{"progress":{"fn":"x"}}}}`), "fn", -1, `status.kopf.progress["fn"]: `},
		"annotation before legacy": {object(t, `{"metadata":{"annotations":{"kopf.zalando.org/fn":`+quoted(tried)+`}},"status":{"kopf":{"progress":{"fn":`+started+`}}}}`),
			"fn", 4, ""},
		"of a ReplicaSet of a Deployment": {replicaSet("Deployment", "kopf.zalando.org/fn-ofDRS", tried, "kopf.zalando.org/fn", started), "fn", 4, ""},
		"of another ReplicaSet":           {replicaSet("Rollout", "kopf.zalando.org/fn-ofDRS", tried, "kopf.zalando.org/fn", started), "fn", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			records, errs := Storage{}.Fetch(c.object, []string{c.id, "other"})
			r, ok := records[c.id]
			if ok != (c.retries >= 0) || ok && r.Retries != c.retries || len(records) > 1 {
				t.Errorf("got %+v", records)
			}
			if c.errs == "" && len(errs) > 0 || c.errs != "" && (len(errs) != 1 || !strings.HasPrefix(errs[0].Error(), c.errs)) {
				t.Errorf("got errors %v", errs)
			}
		})
	}
}

func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"` }

func replicaSet(owner string, pairs ...string) map[string]any {
	o := annotated(pairs...)
	o["kind"] = "ReplicaSet"
	tree.Set(o, []any{map[string]any{"kind": "Other"}, map[string]any{"kind": owner}}, "metadata", "ownerReferences")
	return o
}

func TestBase(t *testing.T) {
	const name = "kopf.zalando.org/last-handled-configuration"
	long := strings.Repeat("p", 50)
	for what, c := range map[string]struct {
		prefix string
		object map[string]any
		want   string // "" is none
		fails  bool
	}{
		"none":               {"", object(t, `{}`), "", false},
		"written by Python":  {"", annotated(name, "{\"spec\":{\"a\":\"\\u00fc\"},\"metadata\":{}}\n"), `{"spec":{"a":"ü"},"metadata":{}}`, false},
		"empty":              {"", annotated(name, "{}\n"), `{}`, false},
		"null":               {"", annotated(name, "null"), "", false},
		"broken":             {"", annotated(name, `{"spec"`), "", true},
		"not an object":      {"", annotated(name, `[]`), "", true},
		"another's":          {"op.example.com", annotated(name, `{}`), "", false},
		"one's own":          {"op.example.com", annotated("op.example.com/last-handled-configuration", `{"a":1}`), `{"a":1}`, false},
		"on a ReplicaSet":    {"", replicaSet("Deployment", name, `{}`, name+"-ofDRS", `{"a":1}`), `{"a":1}`, false},
		"under the old name": {long, annotated(annotation.V1(long, annotation.LastHandled), `{"a":1}`), `{"a":1}`, false},
	} {
		base, ok, err := Storage{Prefix: c.prefix}.Base(c.object)
		if ok != (c.want != "") || (err != nil) != c.fails {
			t.Errorf("%s: got %v, %v, %v", what, base, ok, err)
		}
		if ok && !tree.Equal(base, object(t, c.want)) {
			t.Errorf("%s: got %v", what, base)
		}
	}
}

func TestPatch(t *testing.T) {
	records := func(pairs ...string) Write {
		w := Write{Records: map[string]*record.Record{}}
		for pair := range slices.Chunk(pairs, 2) {
			w.Records[pair[0]] = nil
			if pair[1] != "" {
				w.Records[pair[0]] = parse(t, pair[1])
			}
		}
		return w
	}
	const touch = "kopf.zalando.org/touch-dummy"
	base := map[string]any{"spec": map[string]any{"a": "<ü>", "n": int64(1)}}
	const baseName, baseText = "kopf.zalando.org/last-handled-configuration", "{\"spec\":{\"a\":\"<ü>\",\"n\":1}}\n"
	for name, c := range map[string]struct {
		prefix string
		object map[string]any
		write  Write
		want   map[string]any // the annotations; nil is no patch
	}{
		"nothing":              {"", annotated(touch, "x"), Write{}, nil},
		"a record":             {"", object(t, `{}`), records("fn", started), map[string]any{"kopf.zalando.org/fn": started}},
		"of a sub-handler":     {"", object(t, `{}`), records("fn/a", started), map[string]any{"kopf.zalando.org/fn.a": started}},
		"over another":         {"", annotated("kopf.zalando.org/fn", started), records("fn", tried), map[string]any{"kopf.zalando.org/fn": tried}},
		"over a broken one":    {"", annotated("kopf.zalando.org/fn", "{"), records("fn", tried), map[string]any{"kopf.zalando.org/fn": tried}},
		"the same":             {"", annotated("kopf.zalando.org/fn", tried, touch, "x"), records("fn", tried), nil},
		"the same, respelled":  {"", annotated("kopf.zalando.org/fn", strings.Replace(tried, "+00:00", "", 1)), records("fn", tried), nil},
		"both names":           {"", object(t, `{}`), records(longID, started), map[string]any{longV2: started, longV1: started}},
		"the missing name":     {"", annotated(longV2, started), records(longID, started), map[string]any{longV1: started}},
		"removal":              {"", annotated("kopf.zalando.org/fn", "{"), records("fn", "", "other", ""), map[string]any{"kopf.zalando.org/fn": nil}},
		"removal of both":      {"", annotated(longV2, "", longV1, ""), records(longID, ""), map[string]any{longV2: nil, longV1: nil}},
		"removal of nothing":   {"", annotated(touch, "x"), records("fn", "", longID, ""), nil},
		"a wake-up goes along": {"", annotated(touch, "x"), records("fn", started), map[string]any{"kopf.zalando.org/fn": started, touch: nil}},
		"one name, two ids":    {"", annotated("kopf.zalando.org/fn.a", tried), records("fn.a", "", "fn/a", tried), nil},

		"a base":              {"", object(t, `{}`), Write{Base: base}, map[string]any{baseName: baseText}},
		"an empty base":       {"", object(t, `{}`), Write{Base: map[string]any{}}, map[string]any{baseName: "{}\n"}},
		"another base":        {"", annotated(baseName, "{}\n"), Write{Base: base}, map[string]any{baseName: baseText}},
		"over a broken base":  {"", annotated(baseName, "{"), Write{Base: base}, map[string]any{baseName: baseText}},
		"the same base":       {"", annotated(baseName, baseText), Write{Base: base}, nil},
		"the same, by Python": {"", annotated(baseName, `{"spec":{"n":1,"a":"<\u00fc>"}}`), Write{Base: base}, nil},

		"a prefix is marked": {"op.example.com", object(t, `{}`), records("fn", started),
			map[string]any{"op.example.com/fn": started, "op.example.com/kopf-managed": "yes"}},
		"once": {"op.example.com", annotated("op.example.com/kopf-managed", "of course"), records("fn", started),
			map[string]any{"op.example.com/fn": started}},
		"not when removing": {"op.example.com", annotated("op.example.com/fn", started), records("fn", ""),
			map[string]any{"op.example.com/fn": nil}},
		"for a base, too": {"op.example.com", object(t, `{}`), Write{Base: map[string]any{}},
			map[string]any{"op.example.com/last-handled-configuration": "{}\n", "op.example.com/kopf-managed": "yes"}},
		"one that looks like Kopf's": {"kopf.example.com", object(t, `{}`), records("fn", started),
			map[string]any{"kopf.example.com/fn": started, "kopf.example.com/kopf-managed": "yes"}},
		"Kopf's prefix by name": {"kopf.zalando.org", object(t, `{}`), records("fn", started), map[string]any{"kopf.zalando.org/fn": started}},
		"a prefix too long for a copy": {strings.Repeat("p", 80), annotated(strings.Repeat("p", 80)+"/kopf-managed", "yes"), records("fn", started),
			map[string]any{strings.Repeat("p", 80) + "/fn": started}},

		"on a ReplicaSet of a Deployment": {"", replicaSet("Deployment", "kopf.zalando.org/fn", tried, touch, "x", touch+"-ofDRS", "x"), records("fn", started),
			map[string]any{"kopf.zalando.org/fn-ofDRS": started, touch + "-ofDRS": nil}},
	} {
		t.Run(name, func(t *testing.T) {
			before := tree.Copy(c.object)
			var want map[string]any
			if c.want != nil {
				want = map[string]any{"metadata": map[string]any{"annotations": c.want}}
			}
			s := Storage{Prefix: c.prefix}
			got := s.Patch(c.object, c.write)
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(before, any(c.object)); d != "" {
				t.Errorf("the object was changed: %s", d)
			}
			if again := s.Patch(tree.Merge(c.object, orEmpty(got)).(map[string]any), c.write); again != nil {
				t.Errorf("writing it again takes %v", again)
			}
		})
	}
}

// orEmpty makes no patch an empty one.
func orEmpty(patch map[string]any) any {
	if patch == nil {
		return map[string]any{}
	}
	return patch
}

// The take-over of an object whose progress an old Kopf kept in the status, as a current Kopf does it.
func TestLegacyProgressIsRemovedWhenDone(t *testing.T) {
	o := object(t, `{"metadata":{"annotations":{"kopf.zalando.org/c2":`+quoted(tried)+`}},"spec":{"x":1},
		"status":{"a":1,"kopf":{"progress":{"c1":`+tried+`,"theirs":{}}}}}`)
	got := Storage{}.Patch(o, Write{Records: map[string]*record.Record{"c1": nil, "c2": nil}, Base: map[string]any{"spec": map[string]any{"x": int64(1)}}})
	want := object(t, `{"metadata":{"annotations":{"kopf.zalando.org/c2":null,"kopf.zalando.org/last-handled-configuration":"{\"spec\":{\"x\":1}}\n"}},
		"status":{"kopf":{"progress":{"c1":null}}}}`)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestUnknownMembersOfRecordsArePreserved(t *testing.T) {
	o := annotated("kopf.zalando.org/fn", `{"started":"2026-12-01T14:22:07Z","x":[1.0],"seen":"s"}`)
	records, errs := Storage{}.Fetch(o, []string{"fn"})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	records["fn"].Retries = 1
	records["fn"].Stopped = time.Date(2026, 12, 2, 0, 0, 0, 0, time.UTC)
	got := tree.String(Storage{}.Patch(o, Write{Records: records}), "metadata", "annotations", "kopf.zalando.org/fn")
	want := `{"started":"2026-12-01T14:22:07.000000+00:00","stopped":"2026-12-02T00:00:00.000000+00:00","retries":1,"success":false,"failure":false,"seen":"s","x":[1.0]}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestLegal(t *testing.T) {
	if err := (Storage{}).Legal("fn/spec.x"); err != nil {
		t.Error(err)
	}
	if err := (Storage{}).Legal("fn:1"); err == nil {
		t.Error("a colon is accepted")
	}
	if got := (Storage{Prefix: "op.example.com"}).Key("fn/spec.x"); got != "op.example.com/fn.spec.x" {
		t.Errorf("key %q", got)
	}
}

func TestTooLarge(t *testing.T) {
	half := strings.Repeat("x", AnnotationLimit/2)
	for _, c := range []struct {
		object, patch map[string]any
		bytes         int
		tooLarge      bool
	}{
		{object(t, `{}`), nil, 0, false},
		{annotated("abc", "défg"), nil, 8, false},
		{annotated("a", half[2:]), annotated("b", half), AnnotationLimit, false},
		{annotated("a", half[2:]), annotated("b", half+"x"), AnnotationLimit + 1, true},
		{annotated("a", half), annotated("a", "1"), 2, false},
		{annotated("a", half, "b", half), map[string]any{"metadata": map[string]any{"annotations": map[string]any{"a": nil}}}, len(half) + 1, false},
	} {
		if n, tooLarge := TooLarge(c.object, c.patch); n != c.bytes || tooLarge != c.tooLarge {
			t.Errorf("got %d, %v, want %d, %v", n, tooLarge, c.bytes, c.tooLarge)
		}
	}
}

// Whatever is in an object, state can be read from it or is reported, and can be written over it and removed again.
func FuzzStorage(f *testing.F) {
	f.Add(`{"started":"2026-12-01T14:22:07Z"}`, "fn/spec.x", "op.example.com", []byte(`{"fn/spec.x":{}}`))
	f.Add(`null`, longID, "", []byte(`{"fn":null}`))
	f.Add(`{`, "ü<>", strings.Repeat("p", 70), []byte(`[]`))
	f.Fuzz(func(t *testing.T, text, id, prefix string, progress []byte) {
		s := Storage{Prefix: prefix}
		if strings.Contains(prefix, "/") || s.Legal(id) != nil || !utf8.ValidString(text) {
			return
		}
		o := annotated(s.Key(id), text, s.prefix()+"/"+annotation.LastHandled, text)
		if legacy, err := tree.Decode(progress); err == nil {
			tree.Set(o, legacy, legacyPath...)
		}
		s.Base(o)
		s.Fetch(o, []string{id})
		r := parse(t, tried)
		o = tree.Merge(o, orEmpty(s.Patch(o, Write{Records: map[string]*record.Record{id: r}, Base: map[string]any{"t": text}}))).(map[string]any)
		records, errs := s.Fetch(o, []string{id})
		if len(errs) > 0 || !records[id].Equal(r) {
			t.Fatalf("read %+v, %v", records[id], errs)
		}
		if base, ok, err := s.Base(o); !ok || err != nil || base["t"] != text {
			t.Fatalf("read %v, %v, %v", base, ok, err)
		}
		o = tree.Merge(o, orEmpty(s.Patch(o, Write{Records: map[string]*record.Record{id: nil}}))).(map[string]any)
		if records, errs := s.Fetch(o, []string{id}); len(records)+len(errs) > 0 {
			t.Fatalf("after removal, read %+v, %v", records, errs)
		}
	})
}
