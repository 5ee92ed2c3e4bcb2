package record

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

func parse(t testing.TB, s string) *Record {
	t.Helper()
	r, err := Parse([]byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func marshal(t testing.TB, r *Record) string {
	t.Helper()
	data, err := r.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// The records that a real Kopf wrote while it handled an object.
func TestKopfsRecordsRoundTrip(t *testing.T) {
	file, err := os.Open("testdata/kopf-records.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	count := 0
	for ; lines.Scan(); count++ {
		if got := marshal(t, parse(t, lines.Text())); got != lines.Text() {
			t.Errorf("read  %s\nwrote %s", lines.Text(), got)
		}
	}
	if err := lines.Err(); err != nil || count != 15 {
		t.Fatalf("%d records, error %v", count, err)
	}
}

func TestParse(t *testing.T) {
	got := parse(t, `{"started":"2026-12-01T14:22:07.096241+00:00","delayed":"2026-12-01T14:22:08.144193+00:00","purpose":"create",`+
		`"retries":2,"success":false,"failure":false,"message":"None","subrefs":["b","a","b"],"seen":"s","whole":"w","more":{"x":1.0}}`)
	want := &Record{
		Started: time.Date(2026, 12, 1, 14, 22, 7, 96241000, time.UTC),
		Delayed: time.Date(2026, 12, 1, 14, 22, 8, 144193000, time.UTC),
		Purpose: kopf.ReasonCreate, Retries: 2, Message: new("None"), Subrefs: []string{"a", "b"},
		Seen: "s", Whole: "w", Unknown: map[string]json.RawMessage{"more": json.RawMessage(`{"x":1.0}`)},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestParseTimes(t *testing.T) {
	want := time.Date(2026, 12, 1, 13, 47, 15, 455095000, time.UTC)
	for _, s := range []string{
		"2026-12-01T13:47:15.455095+00:00",
		"2026-12-01T13:47:15.455095Z",
		"2026-12-01T13:47:15.455095",
		"2026-12-01 13:47:15.455095",
		"2026-12-01T14:47:15.455095+01:00",
		"2026-12-01T14:47:15.455095+0100",
		"2026-12-01T08:47:15.455095-05",
		"2026-12-01T13:47:15,455095+00:00",
		"2026-12-01T13:47:15.455095000+00:00",
	} {
		got := parse(t, `{"started":"`+s+`"}`).Started
		if !got.Equal(want) || got.Location() != time.UTC {
			t.Errorf("%s is read as %v", s, got)
		}
	}
	if got := FormatTime(want.In(time.FixedZone("", 3600)).Truncate(time.Second)); got != "2026-12-01T13:47:15.000000+00:00" {
		t.Errorf("written as %s", got)
	}
}

func TestMissingAndNullMembersAreAbsent(t *testing.T) {
	for _, s := range []string{
		`{}`,
		`{"started":null,"stopped":null,"delayed":null,"purpose":null,"retries":null,"success":null,"failure":null,"message":null,"subrefs":null,"seen":null,"whole":null}`,
		`{"subrefs":[]}`,
	} {
		r := parse(t, s)
		if d := cmp.Diff(&Record{}, r); d != "" {
			t.Errorf("%s: %s", s, d)
		}
		if got := marshal(t, r); got != `{"retries":0,"success":false,"failure":false}` {
			t.Errorf("%s is written as %s", s, got)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for s, member := range map[string]string{
		``: "", `null`: "", `[]`: "", `"x"`: "", `{`: "", `{} {}`: "",
		`{"started":"yesterday"}`: "started", `{"started":5}`: "started", `{"stopped":"2026-13-01T00:00:00Z"}`: "stopped",
		`{"delayed":"9999-12-31T23:59:59-01:00"}`: "delayed",
		`{"retries":"2"}`:                         "retries", `{"retries":-1}`: "retries", `{"success":1}`: "success", `{"failure":"no"}`: "failure",
		`{"message":{}}`: "message", `{"subrefs":"a"}`: "subrefs", `{"subrefs":[1]}`: "subrefs", `{"purpose":1}`: "purpose", `{"seen":1}`: "seen",
	} {
		_, err := Parse([]byte(s))
		if err == nil || !strings.Contains(err.Error(), member) {
			t.Errorf("%s: error %v, want one that names %q", s, err, member)
		}
	}
}

func TestMarshal(t *testing.T) {
	r := &Record{
		Started: time.Date(2026, 1, 2, 3, 4, 5, 999, time.UTC), Purpose: kopf.ReasonUpdate, Failure: true,
		Message: new(""), Seen: "a", Whole: "b", Unknown: map[string]json.RawMessage{"z": json.RawMessage(`1`), "b": json.RawMessage(`"<&>"`)},
	}
	want := `{"started":"2026-01-02T03:04:05.000000+00:00","purpose":"update","retries":0,"success":false,"failure":true,` +
		`"message":"","seen":"a","whole":"b","b":"<&>","z":1}`
	if got := marshal(t, r); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if _, err := (&Record{Unknown: map[string]json.RawMessage{"x": json.RawMessage(`{`)}}).MarshalJSON(); err == nil {
		t.Error("an unknown member that is no JSON was written")
	}
}

func TestStates(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, c := range []struct {
		r                  Record
		finished, sleeping bool
	}{
		{Record{}, false, false},
		{Record{Delayed: now}, false, false},
		{Record{Delayed: now.Add(1)}, false, true},
		{Record{Delayed: now.Add(1), Success: true}, true, false},
		{Record{Failure: true}, true, false},
	} {
		if c.r.Finished() != c.finished || c.r.Sleeping(now) != c.sleeping {
			t.Errorf("%+v: finished %v, sleeping %v", c.r, c.r.Finished(), c.r.Sleeping(now))
		}
	}
}

func TestCloneIsDeepAndEqual(t *testing.T) {
	r := parse(t, `{"started":"2026-12-01T14:22:07Z","message":"m","subrefs":["a"],"x":1}`)
	c := r.Clone()
	if !c.Equal(r) {
		t.Error("a clone differs")
	}
	*c.Message, c.Subrefs[0], c.Unknown["x"][0] = "n", "b", '2'
	if *r.Message != "m" || r.Subrefs[0] != "a" || string(r.Unknown["x"]) != "1" {
		t.Errorf("the clone shares memory: %+v", r)
	}
	if c.Equal(r) {
		t.Error("different records are equal")
	}
	var none *Record
	if none.Clone() != nil || !none.Equal(nil) || none.Equal(r) || r.Equal(nil) {
		t.Error("nil is not treated as no record")
	}
}

func TestEqualComparesWhatIsStored(t *testing.T) {
	a := parse(t, `{"started":"2026-12-01T14:22:07Z","x":{"y": 1}}`)
	b := parse(t, `{"x":{"y":1},"message":null,"started":"2026-12-01T15:22:07+01:00"}`)
	b.Started = b.Started.Add(999 * time.Nanosecond)
	if !a.Equal(b) {
		t.Errorf("%s and %s differ", marshal(t, a), marshal(t, b))
	}
}

func TestAddSubrefs(t *testing.T) {
	r := &Record{}
	r.AddSubrefs("p/b", "p/a")
	r.AddSubrefs("p/a", "p/c")
	if d := cmp.Diff([]string{"p/a", "p/b", "p/c"}, r.Subrefs); d != "" {
		t.Error(d)
	}
}

// What can be read can be written, and reads the same again.
func FuzzParse(f *testing.F) {
	data, err := os.ReadFile("testdata/kopf-records.jsonl")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		f.Add([]byte(line))
	}
	f.Add([]byte(`{"started":"0001-01-01 00:00:00","x":[1.0,"é<>"],"X":null,"":{},"started":"2026-12-01T00:00:00,1Z"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Parse(data)
		if err != nil {
			return
		}
		text := marshal(t, r)
		again := parse(t, text)
		if second := marshal(t, again); second != text || !r.Equal(again) {
			t.Errorf("read %q\nwrote %s\nthen  %s", data, text, second)
		}
	})
}
