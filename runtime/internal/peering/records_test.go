package peering

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The sample is what a running Kopf has written.
func TestWriteAsKopf(t *testing.T) {
	const sample = `{"status":{"root@vm/20261201135027/7yk":{"priority":0,"lifetime":12,"lastseen":"2026-12-01T13:50:27.308763+00:00"}}}`
	got, err := Own{Identity: "root@vm/20261201135027/7yk", Lifetime: 12 * time.Second}.patch(now)
	if err != nil {
		t.Fatal(err)
	}
	var have, want any
	if json.Unmarshal(got, &have) != nil || json.Unmarshal([]byte(sample), &want) != nil {
		t.Fatalf("not JSON: %s", got)
	}
	if d := cmp.Diff(want, have); d != "" {
		t.Error(d)
	}
	peers, corrupt := Read([]byte(sample))
	want1 := []Peer{{Identity: "root@vm/20261201135027/7yk", Lifetime: 12 * time.Second, LastSeen: now}}
	if d := cmp.Diff(want1, peers); d != "" || corrupt != nil {
		t.Error(d, corrupt)
	}
}

func TestRead(t *testing.T) {
	at := time.Date(2026, 12, 1, 13, 50, 27, 0, time.UTC)
	for name, c := range map[string]struct {
		record string
		want   Peer
		wrong  string
	}{
		"empty":            {record: `{}`, want: Peer{Lifetime: time.Minute}},
		"all":              {record: `{"priority":666,"lifetime":8,"lastseen":"2026-12-01T13:50:27+00:00"}`, want: Peer{Priority: 666, Lifetime: 8 * time.Second, LastSeen: at}},
		"other fields":     {record: `{"namespace":"x","lastseen":"2026-12-01T13:50:27Z"}`, want: Peer{Lifetime: time.Minute, LastSeen: at}},
		"a naive time":     {record: `{"lastseen":"2026-12-01T13:50:27.000000"}`, want: Peer{Lifetime: time.Minute, LastSeen: at}},
		"another zone":     {record: `{"lastseen":"2026-12-01T15:50:27+02:00"}`, want: Peer{Lifetime: time.Minute, LastSeen: at}},
		"with a blank":     {record: `{"lastseen":"2026-12-01 13:50:27"}`, want: Peer{Lifetime: time.Minute, LastSeen: at}},
		"numbers as texts": {record: `{"priority":"7","lifetime":"30"}`, want: Peer{Priority: 7, Lifetime: 30 * time.Second}},
		"nulls":            {record: `{"priority":null,"lifetime":null,"lastseen":null}`, want: Peer{Lifetime: time.Minute}},
		"negative":         {record: `{"priority":-5}`, want: Peer{Priority: -5, Lifetime: time.Minute}},
		"fractions":        {record: `{"lifetime":1.9}`, want: Peer{Lifetime: time.Second}},
		"null":             {record: `null`, wrong: "null"},
		"a text":           {record: `"corrupt"`, wrong: "string"},
		"a list":           {record: `[]`, wrong: "array"},
		"no number":        {record: `{"priority":"high"}`, wrong: "priority"},
		"no finite number": {record: `{"priority":"NaN"}`, wrong: "out of range"},
		"a huge number":    {record: `{"lifetime":1e300}`, wrong: "out of range"},
		"a mapping":        {record: `{"lifetime":{}}`, wrong: "lifetime"},
		"no time":          {record: `{"lastseen":"yesterday"}`, wrong: "lastseen"},
		"a number as time": {record: `{"lastseen":5}`, wrong: "lastseen"},
	} {
		t.Run(name, func(t *testing.T) {
			peers, corrupt := Read([]byte(`{"status":{"them":` + c.record + `,"z":{"priority":1}}}`))
			if last := peers[len(peers)-1]; last.Identity != "z" || last.Priority != 1 {
				t.Errorf("the sound record beside it: %+v", last)
			}
			if c.wrong != "" {
				if len(peers) != 1 || len(corrupt) != 1 || !strings.Contains(corrupt[0].Error(), c.wrong) || !strings.Contains(corrupt[0].Error(), `"them"`) {
					t.Errorf("got %+v, %v", peers, corrupt)
				}
				if _, is := errors.AsType[*CorruptError](corrupt[0]); !is {
					t.Errorf("%T", corrupt[0])
				}
				return
			}
			c.want.Identity = "them"
			if d := cmp.Diff(c.want, peers[0]); d != "" || corrupt != nil {
				t.Error(d, corrupt)
			}
		})
	}
}

func TestReadObjects(t *testing.T) {
	for object, wrong := range map[string]string{
		`{}`: "", `{"status":null}`: "", `{"status":{}}`: "", `{"status":"x"}`: "status of the peering object", `[`: "the peering object",
	} {
		peers, corrupt := Read([]byte(object))
		if len(peers) > 0 || (wrong == "") != (len(corrupt) == 0) || wrong != "" && !strings.Contains(corrupt[0].Error(), wrong) {
			t.Errorf("%s: %v, %v", object, peers, corrupt)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"status":{"a":{"priority":0,"lifetime":12,"lastseen":"2026-12-01T13:50:27.308763+00:00"},"b":"x"}}`))
	f.Fuzz(func(t *testing.T, object []byte) {
		peers, _ := Read(object)
		v, _ := Decide(Own{}, peers, nil, now)
		if len(v.Blockers)+len(v.Dead) > len(peers) {
			t.Errorf("%+v of %+v", v, peers)
		}
	})
}

func TestRemoval(t *testing.T) {
	got, err := removal("7", "a/b", "c")
	if err != nil || string(got) != `{"metadata":{"resourceVersion":"7"},"status":{"a/b":null,"c":null}}` {
		t.Errorf("%s, %v", got, err)
	}
}
