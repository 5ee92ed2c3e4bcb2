package seen

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLookTakesAnnotationsApart(t *testing.T) {
	object := map[string]any{
		"metadata": map[string]any{
			"name":          "a",
			"managedFields": []any{},
			"annotations": map[string]any{
				"team": "blue",
				"kopf.zalando.org/last-handled-configuration": `{"spec":{"n":1}}` + "\n",
				"kopf.zalando.org/send.spec.parcels":          `{"retries":2}`,
			},
		},
		"spec": map[string]any{"n": int64(1)},
	}
	want := map[string]any{
		"metadata": map[string]any{"name": "a", "annotations": map[string]any{"team": "blue"}},
		"spec":     map[string]any{"n": 1.0},
		"handled":  map[string]any{"spec": map[string]any{"n": 1.0}},
		"progress": map[string]any{"send.spec.parcels": map[string]any{"retries": 2.0}},
	}
	got, err := Look(object, Prefix)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Look (-want +got):\n%s", diff)
	}
	if len(object["metadata"].(map[string]any)["annotations"].(map[string]any)) != 3 {
		t.Error("Look changed the object that it was given")
	}
}

func TestLookRefusesBrokenRecords(t *testing.T) {
	object := map[string]any{"metadata": map[string]any{"annotations": map[string]any{"kopf.zalando.org/greet": "{"}}}
	if _, err := Look(object, Prefix); err == nil {
		t.Error("a record that is no JSON was accepted")
	}
}

func TestMissing(t *testing.T) {
	const object = `{spec: {size: 2, tags: [a, b], open: false, doors: [{name: front, wide: true}]}, status: {}}`
	for _, tt := range []struct{ want, lack string }{
		{`spec: {size: 2}`, ""},
		{`spec: {tags: [a, b]}`, ""},
		{`spec: {open: false}`, ""},
		{`status: {}`, ""},
		{`status: {greet: null}`, ""},
		{`progress: null`, ""},
		{`spec: {size: 3}`, "spec.size is 2, not 3"},
		{`spec: {size: "2"}`, `spec.size is 2, not "2"`},
		{`spec: {tags: [a]}`, `spec.tags is ["a","b"], not ["a"]`},
		{`spec: {tags: [a, c]}`, `spec.tags.1 is "b", not "c"`},
		{`spec: {doors: [{name: front}]}`, ""},
		{`spec: {doors: [{name: back}]}`, `spec.doors.0.name is "front", not "back"`},
		{`spec: {doors: []}`, `spec.doors is [{"name":"front","wide":true}], not []`},
		{`spec: {open: null}`, "spec.open is false, not absent"},
		{`status: {greet: {}}`, "status.greet is absent, not an object"},
	} {
		want, err := Parse(tt.want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Parse(object)
		if err != nil {
			t.Fatal(err)
		}
		if lack := Missing(want, got); lack != tt.lack {
			t.Errorf("%s: %q, want %q", tt.want, lack, tt.lack)
		}
	}
}
