package emit

import (
	"flag"
	"go/constant"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kopfgen/kopfgen/generator/model"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// clinic is an operator that has one of everything.
func clinic(t *testing.T) *model.Operator {
	api := author(t, `package api
		type Bed struct { Spec BedSpec; Status *BedStatus }
		type BedSpec struct { Size int; Ward *Ward }
		type BedStatus struct { Phase string }
		type Ward struct { Name string }
		func Clean(BedSpec) {}`)
	p := author(t, `package main
		import "example.com/api"
		type Clinic struct{}
		func (*Clinic) Farewell(farewellArgs) error { return nil }
		type farewellArgs struct { Size int; Ward *string; Tier string; Owner *string }
		type counter struct{ n int }
		func open() (*Clinic, error) { return nil, nil }
		func shut(*Clinic) {}
		func Greet(api.BedSpec, string) (string, error) { return "", nil }
		func Resize(old, new int, bed *api.Bed) error { return nil }
		func Settle(api.BedSpec, *api.BedStatus) {}
		func Judge() api.BedStatus { return api.BedStatus{} }
		func big(int, bool) bool { return true }
		func busy(api.BedSpec) bool { return true }
		func enabled(*Clinic) bool { return true }
		var tries int`, api)
	named := func(name string) types.Type { return declared(t, api, name) }
	str, number := types.Typ[types.String], types.Typ[types.Int]
	step := func(names ...string) []model.Step {
		var steps []model.Step
		for _, n := range names {
			steps = append(steps, model.Step{Name: n})
		}
		return steps
	}
	spec := &model.Param{Kind: model.ParamPart, Name: "spec", Type: named("BedSpec"), Part: model.Part{Path: []string{"spec"}, Steps: step("Spec"), Type: named("BedSpec")}}

	opening := &model.Activity{ID: "open", On: model.OnStartup, Policy: model.Policy{Timeout: model.Duration{Value: time.Minute}},
		Func: model.Func{Ref: model.Ref{Package: p, Name: "open"}, ReturnsError: true}}
	provider := &model.Provider{Type: types.NewPointer(declared(t, p, "Clinic")), From: opening, Used: true}
	opening.Provides = []*model.Provider{provider}
	clinicParam := &model.Param{Kind: model.ParamProvider, Provider: provider}
	memo := &model.Memo{Type: declared(t, p, "counter")}

	return &model.Operator{
		Name: "clinic", Package: p, Prefix: "clinic.example.com",
		Policy:    model.Policy{Retries: model.Number{Value: 3}},
		Providers: []*model.Provider{provider},
		Memos:     []*model.Memo{memo},
		Activities: []*model.Activity{opening, {ID: "shut", On: model.OnCleanup, Func: model.Func{
			Ref: model.Ref{Package: p, Name: "shut"}, Params: []*model.Param{{Kind: model.ParamContext}, clinicParam, {Kind: model.ParamLogger}},
		}}},
		Resources: []*model.Resource{{
			Group: "demo.kopf.dev", Version: "v1", Kind: "Bed", Plural: "beds", Namespaced: true,
			Watch: model.Watch{
				Labels: "tier in (web,api)", Finalizer: true, Base: true,
				Extra: [][]string{{"status", "phase"}}, Reads: [][]string{{"status", "a"}, nil},
			},
			ListMapKeys: map[string][]string{"spec.z": {"name"}, "spec.a": {"host", "port"}},
			Handlers: []*model.Handler{{
				ID: "greet", On: model.OnCreate | model.OnUpdate, Result: "greeting", When: &model.Func{
					Ref: model.Ref{Package: p, Name: "busy"}, Params: []*model.Param{spec},
					View: model.View{Kind: model.ViewSpec, Type: named("BedSpec")},
				},
				Enabled: &model.Func{Ref: model.Ref{Package: p, Name: "enabled"}, Params: []*model.Param{clinicParam}},
				Policy:  model.Policy{Retries: model.Number{Eval: &model.Eval{Var: &model.Ref{Package: p, Name: "tries"}, Type: number}}, Errors: "ignored"},
				Func: model.Func{
					Ref: model.Ref{Package: p, Name: "Greet"}, Params: []*model.Param{spec, {Kind: model.ParamName}}, Result: str, ReturnsError: true,
					View: model.View{Kind: model.ViewSpec, Type: named("BedSpec")},
				},
			}, {
				ID: "resize/spec.size", On: model.OnField, Field: []string{"spec", "size"}, FieldType: number,
				Old: &model.Criterion{Test: model.Present}, New: &model.Criterion{Test: model.Where, Func: model.Ref{Package: p, Name: "big"}},
				Labels: "tier in (web,api)", Name: "ward-*",
				Func: model.Func{
					Ref: model.Ref{Package: p, Name: "Resize"}, ReturnsError: true, Change: &model.Change{Old: number, New: number},
					Params: []*model.Param{{Kind: model.ParamOld}, {Kind: model.ParamNew}, {Kind: model.ParamEdit}},
					View:   model.View{Kind: model.ViewWhole, Type: named("Bed")},
				},
			}, {
				ID: "farewell", On: model.OnDelete, Optional: true, Value: &model.Criterion{Test: model.Equal, Literal: constant.MakeString("web")},
				Func: model.Func{
					Ref: model.Ref{Package: p, Name: "Farewell"}, Receiver: provider, ReceiverName: "Clinic", ReturnsError: true,
					Params: []*model.Param{{Kind: model.ParamTagged, Type: declared(t, p, "farewellArgs"), Fields: []*model.Param{
						{Kind: model.ParamPart, Name: "Size", Type: number, Part: model.Part{Steps: step("Spec", "Size"), Type: number}},
						{Kind: model.ParamPart, Name: "Ward", Type: types.NewPointer(str), Part: model.Part{Type: str, Steps: []model.Step{
							{Name: "Spec"}, {Name: "Ward", Pointer: true}, {Name: "Name"}}}},
						{Kind: model.ParamLabel, Name: "Tier", Key: "tier", Type: str},
						{Kind: model.ParamAnnotation, Name: "Owner", Key: "demo.kopf.dev/owner", Type: types.NewPointer(str)},
					}}},
					View: model.View{Kind: model.ViewStruct, Fields: []*model.ViewField{{Name: "Spec", JSON: "spec", Fields: []*model.ViewField{
						{Name: "Size", JSON: "size", Type: number}, {Name: "Ward", JSON: "ward", Type: types.NewPointer(named("Ward"))},
					}}}},
				},
			}, {
				ID: "settle", On: model.OnResume, Deleted: true,
				Func: model.Func{
					Ref: model.Ref{Package: p, Name: "Settle"},
					Params: []*model.Param{spec, {Kind: model.ParamEdit, Part: model.Part{
						Path: []string{"status"}, Steps: []model.Step{{Name: "Status", Pointer: true}}, Type: types.NewPointer(named("BedStatus"))}},
						{Kind: model.ParamMemo, Memo: memo}, {Kind: model.ParamDynamic}, {Kind: model.ParamUIDType}, {Kind: model.ParamReason},
						{Kind: model.ParamParam, Value: constant.MakeInt64(7)}},
					View: model.View{Kind: model.ViewWhole, Type: named("Bed")},
				},
			}, {
				ID: "judge", On: model.OnUpdate,
				Func: model.Func{
					Ref: model.Ref{Package: p, Name: "Judge"}, Result: named("BedStatus"), IntoStatus: true,
					Change: &model.Change{New: types.NewPointer(named("BedSpec")), Path: []string{"spec"}},
				},
			}, {
				ID: "clean", On: model.OnCreate, ResultNone: true,
				Func: model.Func{
					Ref: model.Ref{Package: api, Name: "Clean"}, Params: []*model.Param{spec},
					View: model.View{Kind: model.ViewSpec, Type: named("BedSpec")},
				},
			}},
		}, {
			Version: "v1", Kind: "Pod", Plural: "pods", Namespaced: true,
			Handlers: []*model.Handler{{ID: "clean", On: model.OnDelete, Func: model.Func{
				Ref: model.Ref{Package: api, Name: "Clean"}, Params: []*model.Param{spec},
				View: model.View{Kind: model.ViewSpec, Type: named("BedSpec")},
			}}},
		}},
	}
}

func TestFile(t *testing.T) {
	got, err := File(clinic(t))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "clinic.golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for range 5 {
		again, err := File(clinic(t))
		if err != nil || string(again) != string(got) {
			t.Fatal("the same model gives other code")
		}
	}
}

func TestBadCodeIsShownWithNumbers(t *testing.T) {
	op := clinic(t)
	op.Resources[0].Handlers[0].Func.Name = "no name"
	_, err := File(op)
	if err == nil || !strings.Contains(err.Error(), "is not valid Go") || !strings.Contains(err.Error(), "\n   1\t// Code generated") {
		t.Errorf("got %v", err)
	}
}
