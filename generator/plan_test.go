package generator

import (
	"go/constant"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/schema"
)

func TestEssential(t *testing.T) {
	for path, want := range map[string]bool{
		"spec": true, "spec/size": true, "data": true, "status": false, "status/phase": false, "kind": false, "metadata": false, "metadata/name": false,
		"metadata/labels": true, "metadata/labels/a": true, "metadata/annotations": true, "metadata/annotations/x": true,
		"metadata/annotations/kopf.zalando.org|x": false, "metadata/annotations/my.kopf.zalando.org|x": false, "metadata/annotations/xkopf.zalando.org|x": true,
		"metadata/annotations/kubectl.kubernetes.io|last-applied-configuration": false, "metadata/finalizers": false,
	} {
		parts := strings.Split(path, "/")
		for i := range parts {
			parts[i] = strings.ReplaceAll(parts[i], "|", "/")
		}
		if got := essential(parts); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

func TestWatch(t *testing.T) {
	part := func(path ...string) *model.Param {
		return &model.Param{Kind: model.ParamPart, Part: model.Part{Path: path}}
	}
	live := func(path ...string) *model.Param {
		return &model.Param{Kind: model.ParamLive, Part: model.Part{Path: path}}
	}
	taking := func(params ...*model.Param) model.Func { return model.Func{Params: params} }
	when := func(params ...*model.Param) *model.Func { return &model.Func{Params: params} }
	tests := []struct {
		name     string
		handlers []*model.Handler
		want     model.Watch
	}{
		{"optional delete", []*model.Handler{{On: model.OnDelete, Optional: true}}, model.Watch{}},
		{"mandatory delete", []*model.Handler{{On: model.OnDelete, Optional: true}, {On: model.OnDelete}}, model.Watch{Finalizer: true}},
		{"update", []*model.Handler{{On: model.OnUpdate}}, model.Watch{Base: true}},
		{"delete and resume", []*model.Handler{{On: model.OnDelete | model.OnResume}}, model.Watch{Base: true, Finalizer: true}},
		{"fields outside", []*model.Handler{{On: model.OnField, Field: []string{"status"}}, {On: model.OnField, Field: []string{"spec", "x"}}, {On: model.OnField, Field: []string{"status", "a"}}},
			model.Watch{Base: true, Extra: [][]string{{"status"}}}},
		{"filters", []*model.Handler{{On: model.OnCreate, When: when(part("spec"), part("metadata", "name"), part("status", "b"))}, {On: model.OnCreate, When: when(part("status"))}},
			model.Watch{Base: true, Reads: [][]string{{"status"}}}},
		{"filter of everything", []*model.Handler{{On: model.OnCreate, When: when(part("status"))}, {On: model.OnCreate, When: when(&model.Param{Kind: model.ParamRaw})}},
			model.Watch{Base: true, Reads: [][]string{nil}}},
		{"filter with tags", []*model.Handler{{On: model.OnCreate, When: when(&model.Param{Kind: model.ParamTagged, Fields: []*model.Param{
			part("status", "a"), {Kind: model.ParamAnnotation, Key: "kopf.zalando.org/x"}, {Kind: model.ParamLabel, Key: "y"},
		}})}}, model.Watch{Base: true, Reads: [][]string{{"metadata", "annotations", "kopf.zalando.org/x"}, {"status", "a"}}}},
		{"event", []*model.Handler{{On: model.OnEvent, Func: taking(part("status"))}}, model.Watch{}},
		{"filter of events", []*model.Handler{{On: model.OnEvent, When: when(part("status"))}}, model.Watch{Reads: [][]string{{"status"}}}},
		{"field of events", []*model.Handler{{On: model.OnEvent, Field: []string{"status", "phase"}}, {On: model.OnEvent, Field: []string{"spec"}}},
			model.Watch{Reads: [][]string{{"status", "phase"}}}},
		{"index", []*model.Handler{{On: model.OnIndex, Func: taking(part("spec"), part("status"), part("metadata", "uid"))}}, model.Watch{Reads: [][]string{{"status"}}}},
		{"index of everything", []*model.Handler{{On: model.OnIndex, Func: taking(part())}}, model.Watch{Reads: [][]string{nil}}},
		{"timer", []*model.Handler{{On: model.OnTimer, Func: taking(part("spec"), &model.Param{Kind: model.ParamEdit, Part: model.Part{Path: []string{"status"}}})}},
			model.Watch{Reads: [][]string{{"status"}}}},
		{"daemon", []*model.Handler{{On: model.OnDaemon, Func: taking(part("spec"))}}, model.Watch{Finalizer: true}},
		{"daemon that follows the spec", []*model.Handler{{On: model.OnDaemon, Func: taking(live("spec"))}}, model.Watch{Finalizer: true}},
		{"daemon that follows the status", []*model.Handler{{On: model.OnDaemon, Func: taking(live("status"))}, {On: model.OnTimer, When: when(part("metadata", "finalizers"))}},
			model.Watch{Finalizer: true, Reads: [][]string{{"metadata", "finalizers"}, {"status"}}}},
		{"daemon that follows the object", []*model.Handler{{On: model.OnDaemon, Func: taking(live())}, {On: model.OnCreate, When: when(part("status"))}},
			model.Watch{Finalizer: true, Base: true, Reads: [][]string{nil}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, watch(&model.Resource{Handlers: tt.handlers}, nil)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSelection(t *testing.T) {
	kind := &schema.Kind{Selectable: []string{"spec.colour"}}
	red := &model.Criterion{Test: model.Equal, Literal: constant.MakeString("r,d")}
	tests := []struct {
		name           string
		handlers       []*model.Handler
		labels, fields string
	}{
		{"none", []*model.Handler{{On: model.OnCreate}}, "", ""},
		{"one", []*model.Handler{{On: model.OnCreate, Labels: "a=1,b in (x,y),!c"}}, "a=1,b in (x,y),!c", ""},
		{"common", []*model.Handler{{On: model.OnCreate, Labels: "a=1,b"}, {On: model.OnUpdate, Labels: "b,c"}, {On: model.OnDelete, Labels: "d,b"}}, "b", ""},
		{"nothing in common", []*model.Handler{{On: model.OnCreate, Labels: "a"}, {On: model.OnCreate}}, "", ""},
		{"resume", []*model.Handler{{On: model.OnCreate | model.OnResume, Labels: "a", Name: "n"}}, "", ""},
		{"name", []*model.Handler{{On: model.OnUpdate, Name: "n", Namespace: "m"}, {On: model.OnDelete, Name: "n", Namespace: "x*"}}, "", "metadata.name=n"},
		{"globs", []*model.Handler{{On: model.OnUpdate, Name: "n?"}}, "", ""},
		{"selectable field of a creation", []*model.Handler{{On: model.OnCreate, Field: []string{"spec", "colour"}, Value: red}}, "", `spec.colour=r\,d`},
		{"selectable field of an update", []*model.Handler{{On: model.OnUpdate, Field: []string{"spec", "colour"}, Value: red, Name: "n"}}, "", "metadata.name=n"},
		{"index", []*model.Handler{{On: model.OnIndex, Labels: "a"}, {On: model.OnCreate, Labels: "a,b"}}, "a", ""},
		{"selectable field of an index", []*model.Handler{{On: model.OnIndex, Field: []string{"spec", "colour"}, Value: red, Name: "n"}}, "", `metadata.name=n,spec.colour=r\,d`},
		{"event", []*model.Handler{{On: model.OnEvent, Labels: "a", Name: "n"}}, "", "metadata.name=n"},
		{"selectable field of an event", []*model.Handler{{On: model.OnEvent, Field: []string{"spec", "colour"}, Value: red}}, "", ""},
		{"daemon", []*model.Handler{{On: model.OnIndex, Labels: "a", Name: "n"}, {On: model.OnDaemon, Labels: "a", Name: "n"}}, "", "metadata.name=n"},
		{"timer", []*model.Handler{{On: model.OnTimer, Labels: "a", Namespace: "m", Field: []string{"spec", "colour"}, Value: red}}, "", "metadata.namespace=m"},
		{"another field", []*model.Handler{{On: model.OnCreate, Field: []string{"spec", "size"}, Value: red}}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			labels, fields := selection(&model.Resource{Handlers: tt.handlers}, kind)
			if labels != tt.labels || fields != tt.fields {
				t.Errorf("got %q and %q, want %q and %q", labels, fields, tt.labels, tt.fields)
			}
		})
	}
}
