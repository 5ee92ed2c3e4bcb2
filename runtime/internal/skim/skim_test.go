package skim_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/kopfgen/kopfgen/runtime/internal/skim"
)

var config = skim.Config{
	Finalizer: "kopf.zalando.org/KopfFinalizerMarker",
	Prefixes:  []string{"mine.example.com"},
}

func object(t *testing.T, c skim.Config, raw string) skim.Object {
	t.Helper()
	var o skim.Object
	if err := skim.New(skim.Compile(c)).Object([]byte(raw), &o); err != nil {
		t.Fatalf("%v\n%s", err, raw)
	}
	return o
}

func TestObjectReportsItsParts(t *testing.T) {
	const raw = ` {"apiVersion":"kopf.dev/v1","kind":"KopfExample","metadata": {"name":"a\u003cb","namespace":"ns","generation":3,
		"uid":"0cd9a9a1-4c0d-4b65-9a31-93ee3b9b4a3c","resourceVersion":"1234","creationTimestamp":"2026-01-01T00:00:00Z",
		"deletionTimestamp":"2026-01-02T00:00:00Z","labels":{"a":"b"},"annotations":{"c":"d"},"ownerReferences":[{}],
		"finalizers":["other/one","kopf.zalando.org\/KopfFinalizerMarker"]},"spec" : {"x":1},"status":null} `
	o := object(t, config, raw)
	for name, part := range map[string]struct {
		got  []byte
		want string
	}{
		"uid":             {o.UID, "0cd9a9a1-4c0d-4b65-9a31-93ee3b9b4a3c"},
		"name":            {o.Name, "a<b"},
		"namespace":       {o.Namespace, "ns"},
		"version":         {o.Version, "1234"},
		"created":         {o.Created, "2026-01-01T00:00:00Z"},
		"apiVersion":      {o.APIVersion, "kopf.dev/v1"},
		"kind":            {o.Kind, "KopfExample"},
		"labels":          {o.Labels, `{"a":"b"}`},
		"annotations":     {o.Annotations, `{"c":"d"}`},
		"finalizers":      {o.Finalizers, `["other/one","kopf.zalando.org\/KopfFinalizerMarker"]`},
		"ownerReferences": {o.OwnerReferences, `[{}]`},
		"spec":            {o.Spec, `{"x":1}`},
		"status":          {o.Status, `null`},
		"raw":             {o.Raw, strings.TrimSpace(raw)},
	} {
		if string(part.got) != part.want {
			t.Errorf("%s: got %s, want %s", name, part.got, part.want)
		}
	}
	if o.Generation != 3 || !o.Deleting || o.Finalizer != 1 {
		t.Errorf("generation %d, deleting %v, finalizer %d", o.Generation, o.Deleting, o.Finalizer)
	}
	if v, ok := o.Number(); v != 1234 || !ok {
		t.Errorf("version %d, %v", v, ok)
	}
}

func TestAbsentParts(t *testing.T) {
	o := object(t, config, `{"metadata":{"name":"a","labels":null,"deletionTimestamp":null}}`)
	if o.Labels != nil || o.Spec != nil || o.UID != nil || o.Deleting || o.Finalizer != -1 {
		t.Errorf("%+v", o)
	}
	if other := object(t, config, `{"metadata":{"name":"b"}}`); o.Key() == other.Key() {
		t.Error("namesakes without uids")
	}
	for _, version := range []string{"", "0", "012", "-1", "+1", "1x", "99999999999999999999"} {
		o.Version = []byte(version)
		if n, ok := o.Number(); ok {
			t.Errorf("version %q is read as %d", version, n)
		}
	}
}

func TestKey(t *testing.T) {
	key := func(uid string) skim.Key {
		o := skim.Object{UID: []byte(uid)}
		return o.Key()
	}
	const uid = "0cd9a9a1-4c0d-4b65-9a31-93ee3b9b4a3c"
	want := skim.Key{0x0c, 0xd9, 0xa9, 0xa1, 0x4c, 0x0d, 0x4b, 0x65, 0x9a, 0x31, 0x93, 0xee, 0x3b, 0x9b, 0x4a, 0x3c}
	if got := key(uid); got != want {
		t.Errorf("got %x", got)
	}
	for _, other := range []string{strings.ToUpper(uid), uid + "0", strings.Replace(uid, "-", "0", 1), "0cd9a9a1", "zcd9a9a1-4c0d-4b65-9a31-93ee3b9b4a3c"} {
		if key(other) == want {
			t.Errorf("%s and %s share a key", other, uid)
		}
	}
}

// TestDigests changes one thing at a time.
func TestDigests(t *testing.T) {
	const base = `{"apiVersion":"v1","kind":"K","metadata":{"name":"a","uid":"u","resourceVersion":"1","generation":1,"labels":{"l":"1"},` +
		`"annotations":{"note":"1","foreign.dev/note":"1","mine.example.com/state":"1"},"finalizers":["x"],"managedFields":[{"manager":"m"}]},` +
		`"spec":{"size":1,"deep":{"a":[1,2]}},"data":{"k":"v"},"status":{"phase":"A","list":[1],"kopf":{"progress":1}}}`
	type change struct {
		old, new       string
		essence, state bool // whether the digest must change
	}
	tests := map[string]struct {
		config  skim.Config
		changes []change
	}{
		"by itself": {config, []change{
			{`"resourceVersion":"1"`, `"resourceVersion":"2"`, false, false},
			{`"generation":1`, `"generation":2`, false, false},
			{`"manager":"m"`, `"manager":"n"`, false, false},
			{`"phase":"A"`, `"phase":"B"`, false, false},
			{`"status":{`, `"status":null,"other":{`, true, true},
			{`"finalizers":["x"]`, `"finalizers":["x","y"]`, false, false},
			{`"finalizers":["x"]`, `"finalizers":["x","kopf.zalando.org/KopfFinalizerMarker"]`, false, true},
			{`"uid":"u"`, `"uid":"u","deletionTimestamp":"2026-01-01T00:00:00Z"`, false, true},
			{`"progress":1`, `"progress":2`, false, true},
			{`"size":1`, `"size":2`, true, true},
			{`"a":[1,2]`, `"a":[2,1]`, true, true},
			{`"data"`, `"Data"`, true, true},
			{`,"data":{"k":"v"}`, ``, true, true},
			{`"l":"1"`, `"l":"2"`, true, true},
			{`"l":"1"`, `"l":"1","m":"1"`, true, true},
			{`"note":"1",`, `"note":"2",`, true, true},
			{`"foreign.dev/note":"1"`, `"foreign.dev/note":"2"`, true, true},
			{`"mine.example.com/state":"1"`, `"mine.example.com/state":"2"`, false, true},
			{`"mine.example.com/state":"1"`, `"mine.example.com/state":"1","kopf.zalando.org/last":"1"`, false, false},
			{`"mine.example.com/state":"1"`, `"mine.example.com/state":"1","older.kopf.zalando.org/last":"1"`, false, false},
			{`"mine.example.com/state":"1"`, `"mine.example.com/state":"1","notkopf.zalando.org/last":"1"`, true, true},
			{`"mine.example.com/state":"1"`, `"mine.example.com/state":"1","kubectl.kubernetes.io/last-applied-configuration":"1"`, false, false},
			{`"mine.example.com/state":"1"`, `"mine.example.com/state":"1","kubectl.kubernetes.io/other":"1"`, true, true},
			{`"mine.example.com/state":"1"`, `"mine.example.com/state":"1","f.dev/x":"1","f.dev/kopf-managed":"yes","f.dev/y":"1"`, false, false},
			// A prefix that becomes marked takes what was essential with it.
			{`"mine.example.com/state":"1"`, `"mine.example.com/state":"1","foreign.dev/kopf-managed":"yes"`, true, true},
			// Where a value stands matters.
			{`"labels":{"l":"1"},"annotations":{"note":"1"`, `"labels":{"note":"1"},"annotations":{"l":"1"`, true, true},
		}},
		"with extra fields": {skim.Config{Extra: [][]string{{"status", "phase"}, {"metadata", "name"}}}, []change{
			{`"phase":"A"`, `"phase":"B"`, true, true},
			{`"phase":"A",`, ``, true, true},
			{`"list":[1]`, `"list":[2]`, false, false},
			{`"name":"a"`, `"name":"b"`, true, true},
		}},
		"with reads": {skim.Config{Reads: [][]string{{"status", "phase"}, {"status", "list", "0"}, {"metadata", "finalizers"}}}, []change{
			{`"phase":"A"`, `"phase":"B"`, false, true},
			{`"list":[1]`, `"list":[2]`, false, true},
			{`"finalizers":["x"]`, `"finalizers":["x","y"]`, false, true},
			{`"name":"a"`, `"name":"b"`, false, false},
			{`"kopf":{`, `"other":{`, false, true},
		}},
		"with reads of annotations": {skim.Config{Reads: [][]string{{"metadata", "annotations", "kopf.zalando.org/x"}}}, []change{
			{`"note":"1",`, `"note":"1","kopf.zalando.org/x":"1",`, false, true},
			{`"note":"1",`, `"note":"1","kopf.zalando.org/y":"1",`, false, false},
		}},
		"with all": {skim.Config{Reads: [][]string{nil}}, []change{
			{`"resourceVersion":"1"`, `"resourceVersion":"2"`, false, false},
			{`"generation":1`, `"generation":2`, false, false},
			{`"manager":"m"`, `"manager":"n"`, false, false},
			{`"phase":"A"`, `"phase":"B"`, false, true},
			{`"finalizers":["x"]`, `"finalizers":["x","y"]`, false, true},
			{`"uid":"u"`, `"uid":"u","selfLink":"/"`, false, true},
			{`"note":"1",`, `"note":"1","kopf.zalando.org/x":"1",`, false, true},
			{`"status":{`, `"status":{},"statos":{`, true, true},
		}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			before := object(t, tt.config, base)
			for _, c := range tt.changes {
				if strings.Count(base, c.old) != 1 {
					t.Fatalf("%s is in the base %d times", c.old, strings.Count(base, c.old))
				}
				after := object(t, tt.config, strings.Replace(base, c.old, c.new, 1))
				if changed := before.Essence != after.Essence; changed != c.essence {
					t.Errorf("%s → %s: essence changed: %v", c.old, c.new, changed)
				}
				if changed := before.State != after.State; changed != c.state {
					t.Errorf("%s → %s: state changed: %v", c.old, c.new, changed)
				}
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	s := skim.New(skim.Compile(config))
	for raw, reason := range map[string]string{
		`{"metadata":{"name":"a"},"spec":{"x":1},"sp\u0065c":{"x":2}}`: "it has a member twice",
		`{"metadata":{"name":"a"},"metadata":{"name":"a"}}`:            "it has a member twice",
		`{"metadata":{"name":"a","annotations":{"x":"1","x":"2"}}}`:    "metadata.annotations has a member twice",
		`{"metadata":{"name":"a","annotations":[]}}`:                   "metadata.annotations is of the wrong type",
		`{"metadata":{"name":"a","finalizers":"kopf.zalando.org/x"}}`:  "metadata.finalizers is of the wrong type",
		`{"metadata":"a"}`:               "metadata is of the wrong type",
		`{"metadata":{"namespace":"a"}}`: "it has no name",
		`{}`:                             "it has no name",
		`{"metadata":{"name":"","uid":"","labels":1}}`: "metadata.labels is of the wrong type",
	} {
		var o skim.Object
		var refused *skim.RefusedError
		if err := s.Object([]byte(raw), &o); !errors.As(err, &refused) || refused.Reason != reason {
			t.Errorf("%s: %v", raw, err)
		}
	}
	for _, raw := range []string{``, ` `, `null`, `[1]`, `"a"`, `1`, `{`, `{"metadata":{"name":"a"}`, `{"metadata":{"name":"a"}} {}`, `{"metadata":{"name":"a"}}}`, `{a:1}`} {
		var o skim.Object
		var refused *skim.RefusedError
		if err := s.Object([]byte(raw), &o); err == nil || errors.As(err, &refused) {
			t.Errorf("%s: %v", raw, err)
		}
	}
	// Nothing of all that sticks.
	var o skim.Object
	if err := s.Object([]byte(`{"metadata":{"name":"a"}}`), &o); err != nil {
		t.Error(err)
	}
}

func TestFrames(t *testing.T) {
	s := skim.New(skim.Compile(config))
	var f skim.Frame
	for _, raw := range []string{
		`{"type":"ADDED","object":{"metadata":{"name":"a","resourceVersion":"7"}}}`,
		`{"object":{"metadata":{"name":"a","resourceVersion":"7"}},"type":"ADDED"}` + "\n",
	} {
		if err := s.Frame([]byte(raw), &f); err != nil || f.Type != skim.Added || string(f.Object.Version) != "7" {
			t.Errorf("%s: %v, %+v", raw, err, f)
		}
		if string(f.Object.Raw) != `{"metadata":{"name":"a","resourceVersion":"7"}}` {
			t.Errorf("raw: %s", f.Object.Raw)
		}
	}
	const bookmark = `{"type":"BOOKMARK","object":{"kind":"K","metadata":{"resourceVersion":"9","annotations":{"k8s.io/initial-events-end":"true"}}}}`
	if err := s.Frame([]byte(bookmark), &f); err != nil || f.Type != skim.Bookmark || string(f.Object.Version) != "9" {
		t.Errorf("bookmark: %v, %+v", err, f)
	}
	const gone = `{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","code":410}}`
	if err := s.Frame([]byte(gone), &f); err != nil || f.Type != skim.Error || !strings.Contains(string(f.Object.Raw), "410") {
		t.Errorf("error: %v, %+v", err, f)
	}
	var refused *skim.RefusedError
	for raw, refusal := range map[string]bool{
		`{"type":"ADDED"}`:                               true,
		`{"type":"ADDED","object":null}`:                 true,
		`{"type":"MODIFIED","object":{}}`:                true,
		`{"object":{"metadata":{"name":"a"}}}`:           false,
		`{"type":"ADDED","object":{"metadata":{"name":"`: false,
		`garbage`: false,
		`[]`:      false,
	} {
		if err := s.Frame([]byte(raw), &f); err == nil || errors.As(err, &refused) != refusal {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

func TestList(t *testing.T) {
	s := skim.New(skim.Compile(config))
	const raw = `{"kind":"KopfExampleList","apiVersion":"kopf.dev/v1","metadata":{"resourceVersion":"42","continue":"to\u003d","remainingItemCount":1},
		"items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b","name":"c"}}, 5, {"metadata":{"name":"d"}}]}`
	var names []string
	list, err := s.List([]byte(raw), func(o *skim.Object, err error) error {
		name := string(o.Name)
		if err != nil {
			name = "refused"
		}
		names = append(names, name)
		return nil
	})
	want := skim.List{ResourceVersion: "42", Continue: "to=", Items: 4}
	if err != nil || list != want || strings.Join(names, " ") != "a refused refused d" {
		t.Errorf("%v, %+v, %v", err, list, names)
	}
	enough := errors.New("enough")
	if _, err := s.List([]byte(raw), func(*skim.Object, error) error { return enough }); err != enough {
		t.Errorf("got %v", err)
	}
	nothing := func(*skim.Object, error) error { t.Error("there is no item"); return nil }
	if _, err := s.List([]byte(`{"metadata":{},"items":null}`), nothing); err != nil {
		t.Error(err)
	}
	for _, raw := range []string{`{"kind":"Status"}`, `{"items":{}}`, `{"items":[`, `{"items":[]} x`, ``} {
		if _, err := s.List([]byte(raw), nothing); err == nil {
			t.Errorf("%s is taken for a list", raw)
		}
	}
}

func TestTrim(t *testing.T) {
	for raw, want := range map[string]string{
		`{"metadata":{"managedFields":[{"a":{}}],"name":"a"}}`:        `{"metadata":{"name":"a"}}`,
		`{"metadata":{"managedFields" : [] , "name":"a"}}`:            `{"metadata":{ "name":"a"}}`,
		`{"metadata":{"name":"a","managedFields":[]}}`:                `{"metadata":{"name":"a"}}`,
		`{"metadata":{"name":"a" , "managedFields":[] ,"uid":"u"}}`:   `{"metadata":{"name":"a" ,"uid":"u"}}`,
		`{"metadata":{"name":"a"},"spec":{"managedFields":["mine"]}}`: `{"metadata":{"name":"a"},"spec":{"managedFields":["mine"]}}`,
	} {
		o := object(t, config, "  "+raw)
		if got := string(skim.Trim(nil, []byte(raw))); got != want {
			t.Errorf("%s is trimmed to %s", raw, got)
		}
		if got := string(o.AppendTrimmed([]byte("> "))); got != "> "+want {
			t.Errorf("%s:\ngot  %s\nwant > %s", raw, got, want)
		}
	}
}
