package scenarios

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/operator"
)

// Thing is what handlers take the subjects for.
type Thing struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   ThingSpec   `json:"spec"`
	Status ThingStatus `json:"status,omitempty"`
}

// ThingSpec has everything that is shared if nobody takes care.
type ThingSpec struct {
	V     int32             `json:"v,omitempty"`
	List  []string          `json:"list,omitempty"`
	Map   map[string]string `json:"map,omitempty"`
	Below *ThingSpec        `json:"below,omitempty"`
	Raw   kopf.Raw          `json:"raw,omitempty"`
}

// ThingStatus is a status of several members.
type ThingStatus struct {
	Phase string         `json:"phase,omitempty"`
	Ready bool           `json:"ready"`
	Parts map[string]int `json:"parts,omitempty"`
	Last  struct {
		Try  int `json:"try"`
		Code int `json:"code"`
	} `json:"last"`
}

// scribble writes into everything that a call hands out.
func scribble(c *operator.Call[Thing], old, now kopf.Raw) {
	object := c.Object()
	scribbleSpec(&object.Spec)
	blot(object.Spec.Raw)
	for _, m := range []map[string]string{object.Labels, c.Labels(), c.Annotations()} {
		for key := range m {
			m[key] = "scribbled"
		}
	}
	for _, change := range c.Diff() {
		blot(change.New)
		blot(change.Old)
		for i := range change.Path {
			change.Path[i] = "scribbled"
		}
	}
	blot(c.Raw())
	blot(old)
	blot(now)
	c.Config().Host = "scribbled"
}

func scribbleSpec(s *ThingSpec) {
	s.V = -1
	for i := range s.List {
		s.List[i] = "scribbled"
	}
	for key := range s.Map {
		s.Map[key] = "scribbled"
	}
	if s.Below != nil {
		scribbleSpec(s.Below)
	}
}

func blot(r kopf.Raw) {
	for i := range r {
		r[i] = 'x'
	}
}

// TestEverybodyHasTheirOwn has filters and handlers scribble over all they are given; nobody else sees any of it, and nothing is written.
func TestEverybodyHasTheirOwn(t *testing.T) {
	s := begin(t)
	vandal := func(id string) operator.Handler {
		return operator.Handler{ID: id, On: operator.OnCreate | operator.OnUpdate,
			When: operator.When(func(c *operator.Call[Thing]) bool {
				scribble(c, nil, nil)
				return true
			}),
			Run: operator.BindChange(func(_ context.Context, c *operator.Call[Thing], old, now kopf.Raw) (any, error) {
				s.note("%s %s %s %s->%s %s %v %v %v", c.Name(), c.Reason(), id, old, now, c.Raw()[:14], c.Labels(), c.Annotations()["note"], c.Diff())
				scribble(c, old, now)
				return nil, nil
			})}
	}
	reader := operator.Handler{ID: "status", On: operator.OnCreate | operator.OnUpdate, Run: operator.Bind(
		func(_ context.Context, c *operator.Call[Thing]) (any, error) {
			object, edited := c.Object(), c.Edit("status")
			scribbleSpec(&object.Spec)
			scribbleSpec(&edited.Spec)
			edited.Labels["a"] = "scribbled"
			edited.Status.Phase = string(c.Reason())
			return nil, nil
		})}
	op := s.Run(of(vandal("first"), reader, vandal("second")))
	spec := `{v: 1, list: [a, b], map: {a: b}, below: {list: [c]}, raw: {x: [1]}}`
	one := s.subject("one", "  labels: {a: b}", "  annotations: {note: c}", "spec: "+spec)
	untouched := `{spec: ` + spec + `, metadata: {labels: {a: b}, annotations: {note: c}}`
	one.Until("it is handled", untouched+`, handled: {spec: `+spec+`}, status: {phase: create}, progress: null}`)
	one.Patch(`spec: {v: 1, extra: 2}`)
	one.Until("the change is handled", untouched+`, handled: {spec: {extra: 2}}, status: {phase: update}, progress: null}`)
	op.Stop()
	for _, reason := range []string{"create", "update"} {
		first, second := s.noted("one "+reason+" first"), s.noted("one "+reason+" second")
		if len(first) != 1 || len(second) != 1 || strings.TrimPrefix(first[0], "one "+reason+" first") != strings.TrimPrefix(second[0], "one "+reason+" second") {
			t.Errorf("one handler is told %q, and the other %q", first, second)
		}
		if strings.Contains(first[0], "scribbled") || strings.Contains(first[0], "xx") || strings.Contains(first[0], "-1") {
			t.Errorf("a handler sees what a filter scribbled: %q", first)
		}
	}
}

// TestAbsentStates tells absent states from zero ones, for every type that old and new may have.
func TestAbsentStates(t *testing.T) {
	s := begin(t)
	show := func(v *int32) any {
		if v == nil {
			return "absent"
		}
		return *v
	}
	field := []string{"spec", "v"}
	kinds := operator.OnCreate | operator.OnUpdate
	op := s.Run(of(
		operator.Handler{ID: "pointer/spec.v", On: operator.OnField, Field: field, Run: operator.BindChange(
			func(_ context.Context, c *operator.Call[operator.None], old, now *int32) (any, error) {
				s.note("pointer %v->%v", show(old), show(now))
				return nil, nil
			})},
		operator.Handler{ID: "value/spec.v", On: operator.OnField, Field: field, Run: operator.BindChange(
			func(_ context.Context, c *operator.Call[operator.None], old, now int32) (any, error) {
				s.note("value %v->%v", old, now)
				return nil, nil
			})},
		operator.Handler{ID: "mixed/spec.v", On: operator.OnField, Field: field, Run: operator.BindChange(
			func(_ context.Context, c *operator.Call[operator.None], old kopf.Raw, now *int32) (any, error) {
				s.note("mixed %v->%v", old == nil, show(now))
				return nil, nil
			})},
		operator.Handler{ID: "whole", On: kinds, Run: operator.BindChange(
			func(_ context.Context, c *operator.Call[operator.None], old, now *Thing) (any, error) {
				s.note("whole %v->%v", old == nil || old.Spec.V > 0, now != nil)
				return nil, nil
			})},
		operator.Handler{ID: "part", On: kinds, Run: operator.BindChange(
			func(_ context.Context, c *operator.Call[operator.None], old, now *ThingSpec) (any, error) {
				s.note("part %v->%v", old == nil, now.V)
				return nil, nil
			}, "spec")},
	))
	one := s.subject("one", "spec: {v: 0, keep: true}")
	one.Until("it is handled", `{handled: {spec: {v: 0}}, progress: null}`)
	one.Patch(`spec: {v: 5}`)
	one.Until("it is handled", `{handled: {spec: {v: 5}}, progress: null}`)
	one.Patch(`spec: {v: null}`)
	one.Until("it is handled", `{handled: {spec: {v: null}}, progress: null}`)
	one.Patch(`spec: {v: 0}`)
	one.Until("it is handled", `{handled: {spec: {v: 0}}, progress: null}`)
	op.Stop()
	s.expect("pointer ", "absent->0", "0->5", "5->absent", "absent->0")
	s.expect("value ", "0->0", "0->5", "5->0", "0->0")
	s.expect("mixed ", "true->0", "false->5", "false->absent", "true->0")
	s.expect("whole ", "true->true", "false->true", "true->true", "false->true")
	s.expect("part ", "true->0", "false->5", "false->0", "false->0")
}

// TestNullsAndCriteria judges values that are null, zero and absent. The API server keeps nulls of objects that are created with them.
func TestNullsAndCriteria(t *testing.T) {
	s := begin(t)
	asked := func(id string, adapt func(*operator.Handler)) operator.Handler {
		return s.handler(operator.OnCreate, id, fine, field("spec", "v"), adapt)
	}
	op := s.Run(of(
		asked("any", func(*operator.Handler) {}),
		asked("present", func(h *operator.Handler) { h.Value = operator.Present() }),
		asked("zero", func(h *operator.Handler) { h.Value = operator.Equal(0) }),
		asked("text", func(h *operator.Handler) { h.Value = operator.Equal("") }),
		asked("absent", func(h *operator.Handler) { h.New = operator.Absent() }),
		asked("pointer", func(h *operator.Handler) {
			h.New = operator.Where(func(v *int, present bool) bool { return present && v == nil })
		}),
		asked("function", func(h *operator.Handler) {
			h.New = operator.Where(func(v int, present bool) bool { return !present && v == 0 })
		}),
		s.handler(operator.OnCreate, "always", fine),
	))
	for name, v := range map[string]string{"nothing": "{v: null}", "zero": "{v: 0}", "absent": "{}"} {
		s.subject(name, "spec: "+v).Until("it is handled", `{handled: {}, progress: null}`)
	}
	op.Stop()
	for name, want := range map[string]string{
		"nothing": "any present pointer always", "zero": "any present zero always", "absent": "always",
	} {
		var got []string
		for _, call := range s.noted(name + " create ") {
			id, _, _ := strings.Cut(strings.TrimPrefix(call, name+" create "), "#")
			got = append(got, id)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: called %q, want %q", name, got, want)
		}
	}
}

// TestResults has handlers return nothing in its many forms, and parts of a status.
func TestResults(t *testing.T) {
	s := begin(t)
	result := func(id string, value any) operator.Handler {
		return operator.Handler{ID: id, On: operator.OnCreate, Run: operator.Bind(
			func(context.Context, *operator.Call[operator.None]) (any, error) { return value, nil })}
	}
	into := func(id string, value any) operator.Handler {
		return operator.Handler{ID: id, On: operator.OnCreate, Run: operator.Bind(
			func(_ context.Context, c *operator.Call[operator.None]) (any, error) { return c.IntoStatus(value, nil) })}
	}
	partly := ThingStatus{Phase: "Ready"}
	partly.Last.Code = 7
	dropped := result("dropped", "text")
	dropped.Result = operator.ResultNone
	moved := result("moved", "text")
	moved.Result = "elsewhere"
	op := s.Run(of(
		result("nothing", nil), result("pointer", (*ThingStatus)(nil)), result("map", map[string]int(nil)), result("null", kopf.Raw("null")),
		result("zero", 0), result("empty", ""), result("struct", struct{}{}), dropped, moved,
		into("partly", partly), into("nobody", (*ThingStatus)(nil)), into("zeros", ThingStatus{}),
		into("more", &ThingStatus{Parts: map[string]int{"a": 0}}),
	))
	one := s.subject("one", "spec: {}")
	one.Until("it is handled", `{handled: {}, progress: null, status: {
		nothing: null, pointer: null, map: null, "null": null, zero: 0, empty: "", struct: {}, dropped: null, moved: null, elsewhere: text,
		phase: Ready, ready: null, last: {code: 7, try: null}, parts: {a: 0}, partly: null, nobody: null, zeros: null, more: null}}`)
	op.Stop()
}

// TestEditsOfFailures applies what handlers edited before they failed, but not before they panicked.
func TestEditsOfFailures(t *testing.T) {
	s := begin(t)
	failing := func(id string, end func() error) operator.Handler {
		return operator.Handler{ID: id, On: operator.OnCreate, Policy: kopf.Policy{Errors: kopf.ErrorsPermanent}, Run: operator.Bind(
			func(_ context.Context, c *operator.Call[Thing]) (any, error) {
				c.Patch().Set("patched", "metadata", "annotations", "patched-"+id)
				c.Edit().Status.Parts = map[string]int{id: 1}
				return "a result", end()
			})}
	}
	op := s.Run(of(
		failing("temporary", func() error { return kopf.Temporary(errNotYet, time.Hour) }),
		failing("permanent", func() error { return kopf.Permanent(errNotYet) }),
		failing("arbitrary", func() error { return errNotYet }),
		failing("waiting", func() error { return kopf.Wait(time.Hour) }),
		failing("panicking", func() error { panic("what a pity") }),
	))
	one := s.subject("one", "spec: {}")
	one.Until("all have been called", `{progress: {temporary: {retries: 1}, permanent: {failure: true}, arbitrary: {failure: true},
		waiting: {retries: 0}, panicking: {failure: true, message: "panic: what a pity"}}}`)
	one.Until("what they edited is there", `{status: {
			parts: {temporary: 1, permanent: 1, arbitrary: 1, waiting: 1, panicking: null}, temporary: null, permanent: null},
		metadata: {annotations: {patched-temporary: patched, patched-permanent: patched, patched-arbitrary: patched, patched-waiting: patched, patched-panicking: null}}}`)
	op.Stop()
}

// TestMetadataEdits has a handler edit those parts of the metadata that may be edited.
func TestMetadataEdits(t *testing.T) {
	s := begin(t)
	// An owner that exists, or the garbage collector takes the object.
	namespaces := schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	owner, err := s.cluster().Resource(namespaces).Get(t.Context(), s.Namespace(), metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	op := s.Run(of(
		operator.Handler{ID: "made", On: operator.OnCreate, Run: operator.Bind(
			func(_ context.Context, c *operator.Call[Thing]) (any, error) {
				meta := &c.Edit("metadata").ObjectMeta
				meta.Labels = map[string]string{"new": "label"}
				meta.Annotations["note"] = "new"
				meta.Finalizers = append(meta.Finalizers, "example.com/mine")
				meta.OwnerReferences = append(meta.OwnerReferences, metav1.OwnerReference{
					APIVersion: "v1", Kind: "Namespace", Name: c.Namespace(), UID: owner.GetUID(), Controller: new(false),
				})
				return nil, nil
			})},
		operator.Handler{ID: "left", On: operator.OnDelete, Run: operator.Bind(
			func(_ context.Context, c *operator.Call[Thing]) (any, error) {
				meta := &c.Edit("metadata").ObjectMeta
				meta.Finalizers = nil
				return nil, nil
			})},
	))
	one := s.subject("one", "  labels: {old: label}", "  annotations: {note: old, other: kept}", "spec: {}")
	one.Until("it is edited and handled", `{progress: null, handled: {}, metadata: {
		labels: {old: null, new: label}, annotations: {note: new, other: kept}, finalizers: [`+finalizer+`, example.com/mine]}}`)
	if !one.Ever(`metadata: {ownerReferences: [{apiVersion: v1, kind: Namespace, name: ` + s.Namespace() + `, uid: ` + string(owner.GetUID()) + `, controller: false}]}`) {
		t.Error("the owner is not there")
	}
	one.Delete()
	one.UntilGone()
	op.Stop()
}

// TestPolicies lifts the defaults of an operator, asks functions for policies once, after startup, and ignores errors.
func TestPolicies(t *testing.T) {
	s := begin(t)
	var product time.Duration
	asked := 0
	d := of(
		s.handler(operator.OnCreate, "unlimited", failing(4, 0), policy(kopf.Policy{Retries: kopf.Unlimited})),
		s.handler(operator.OnCreate, "default", failing(4, 0)),
		s.handler(operator.OnCreate, "asked", fail(errors.New("arbitrary")), policy(kopf.Policy{Retries: 3}), func(h *operator.Handler) {
			h.PolicyFunc = func() kopf.Policy {
				asked++
				return kopf.Policy{Backoff: kopf.Backoff{From: product}}
			}
		}),
		s.handler(operator.OnCreate, "ignored", fail(errors.New("never mind")), policy(kopf.Policy{Errors: kopf.ErrorsIgnored})),
		s.handler(operator.OnCreate, "disabled", fine, func(h *operator.Handler) { h.Enabled = func() bool { return product == 0 } }),
	)
	d.Defaults.Policy.Retries = 2
	d.Activities = []operator.Activity{{ID: "open", On: operator.OnStartup, Run: func(context.Context, *operator.Startup) (any, error) {
		product = time.Millisecond
		return nil, nil
	}}}
	op := s.Run(d)
	one := s.subject("one", "spec: {}")
	one.Until("it is handled", `{handled: {}, progress: null}`)
	if !one.Ever(`progress: {ignored: {success: true, message: null}}`) {
		t.Error("an ignored error is no success")
	}
	op.Stop()
	for id, want := range map[string]int{"unlimited": 5, "default": 2, "asked": 3, "ignored": 1, "disabled": 0} {
		if calls := s.noted("one create " + id); len(calls) != want {
			t.Errorf("%q, want %d calls", calls, want)
		}
	}
	if asked != 1 {
		t.Errorf("the policy was asked for %d times", asked)
	}
}

func fail(err error) work {
	return func(context.Context, *operator.Call[operator.None]) (any, error) { return nil, err }
}

// TestMemos keeps what handlers remember of an object for as long as it exists, apart from others and by type.
func TestMemos(t *testing.T) {
	s := begin(t)
	counts, texts := new(operator.MemoKey[int]), new(operator.MemoKey[string])
	count := func(id string) operator.Handler {
		return operator.Handler{ID: id, On: operator.OnCreate | operator.OnUpdate, Run: operator.Bind(
			func(_ context.Context, c *operator.Call[operator.None]) (any, error) {
				n, text := operator.Memo(c, counts), operator.Memo(c, texts)
				n.Value++
				text.Value += id
				s.note("%s %d %s", c.Name(), n.Value, text.Value)
				return nil, nil
			})}
	}
	op := s.Run(of(count("a"), count("b")))
	one := s.subject("one", "spec: {v: 1}")
	one.Until("it is handled", `handled: {spec: {v: 1}}`)
	s.subject("two", "spec: {v: 1}").Until("it is handled", `handled: {spec: {v: 1}}`)
	one.Patch(`spec: {v: 2}`)
	one.Until("it is handled", `handled: {spec: {v: 2}}`)
	one.Delete()
	one.UntilGone()
	s.caughtUp("other")
	s.subject("one", "spec: {v: 1}").Until("it is handled", `handled: {spec: {v: 1}}`)
	op.Stop()
	s.expect("one ", "1 a", "2 ab", "3 aba", "4 abab", "1 a", "2 ab")
	s.expect("two ", "1 a", "2 ab")
}
