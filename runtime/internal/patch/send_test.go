package patch

import (
	"context"
	"errors"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// flaky is a client whose n-th request fails, after it was made or instead of it.
type flaky struct {
	Client
	fails int // the number of the request
	after bool
	err   error
	count int
}

func (f *flaky) Patch(ctx context.Context, path string, kind types.PatchType, body []byte, query url.Values) ([]byte, error) {
	f.count++
	if f.count != f.fails {
		return f.Client.Patch(ctx, path, kind, body, query)
	}
	if f.after {
		if _, err := f.Client.Patch(ctx, path, kind, body, query); err != nil {
			return nil, err
		}
	}
	return nil, f.err
}

// TestSendIsRepeatable: whatever request gets no answer, whether it was made or not, what is left can be sent again and completes the plan.
func TestSendIsRepeatable(t *testing.T) {
	widget := schema.GroupResource{Group: "patch.kopf.dev", Resource: "widgets"}
	cfg := doubleConfig(t)
	for name, failure := range map[string]error{
		"connection lost":   errors.New("connection reset by peer"),
		"too many requests": apierrors.NewTooManyRequests("later", 1),
		"internal error":    apierrors.NewInternalError(errors.New("etcd")),
		"forbidden":         apierrors.NewForbidden(widget, "x", errors.New("rbac")),
		"timeout":           context.DeadlineExceeded,
	} {
		for fails := 1; fails <= 4; fails++ {
			for _, after := range []bool{false, true} {
				t.Run(name, func(t *testing.T) {
					w := newWorld(t, cfg, Target{Resource: widgets, Namespace: "default", Name: "flaky"})
					newest := w.create(`{"spec":{"ports":[{"name":"a"}]}}`)
					w.target.UID = tree.String(w.parse(string(newest)), "metadata", "uid")
					defer func() {
						w.edit(`{"metadata":{"finalizers":null}}`)
						w.delete()
					}()
					plan := editing(appending(object("name", "b"), "spec", "ports"), appending(object("type", "A"), "status", "conditions"))(w.parse(string(newest)))
					plan.AddMerge(map[string]any{"metadata": object("annotations", object("a", "b")), "status": object("phase", "A")})
					plan.AddFinalizers = []string{ours}
					plan.Funcs = []func(map[string]any) error{setting("x", "spec", "color"), setting(int64(3), "status", "count")}

					sent, err := Send(t.Context(), &flaky{Client: w, fails: fails, after: after, err: failure}, w.target, newest, plan)
					if !errors.Is(err, failure) || sent.Left == nil || sent.Requests != fails {
						t.Fatalf("Send = %+v, %v", sent, err)
					}
					// The watch has brought the newest state meanwhile.
					newest, _ = tree.Encode(w.get())
					sent, err = Send(t.Context(), w, w.target, newest, sent.Left)
					if err != nil || sent.Left != nil {
						t.Fatalf("again: %+v, %v", sent, err)
					}
					want := w.parse(`{"metadata":{"annotations":{"a":"b"},"finalizers":["kopf.dev/ours"]},"spec":{"ports":[{"name":"a"},{"name":"b"}],"color":"x"},` +
						`"status":{"phase":"A","conditions":[{"type":"A"}],"count":3}}`)
					if got := w.get(); !has(got, want) {
						t.Errorf("the object is %v, want %v", got, want)
					}
				})
			}
		}
	}
}

func TestSendReadsTheStateIfThereIsNone(t *testing.T) {
	w := newWorld(t, doubleConfig(t), Target{Resource: widgets, Namespace: "default", Name: "unread"})
	w.target.UID = tree.String(w.parse(string(w.create(`{"spec":{"size":1}}`))), "metadata", "uid")
	plan := merging(map[string]any{"spec": object("size", int64(1)), "status": object("phase", "A")})(nil)
	sent, err := Send(t.Context(), w, w.target, nil, plan)
	if err != nil || sent.Newest == nil {
		t.Fatalf("Send = %+v, %v", sent, err)
	}
	if diff := cmp.Diff([]string{"merge", "merge status"}, w.requests); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestSendOfAStateThatIsNoJSON(t *testing.T) {
	plan := merging(object("spec", object("size", int64(1))))(nil)
	sent, err := Send(t.Context(), nil, Target{Resource: widgets, Name: "x"}, []byte("{"), plan)
	if err == nil || sent.Requests != 0 || sent.Left == nil {
		t.Errorf("Send = %+v, %v", sent, err)
	}
}

// TestSendKeepsWhatMetAConflictOfTheServer: the API server gives up after some conflicts of its own, which says nothing about the plan.
func TestSendKeepsWhatMetAConflictOfTheServer(t *testing.T) {
	busy := apierrors.NewConflict(schema.GroupResource{Resource: "widgets"}, "busy", errors.New("etcd"))
	for name, plan := range map[string]*Plan{
		"object":    {Object: object("spec", object("size", int64(1)))},
		"finalizer": {AddFinalizers: []string{ours}},
		"function":  {Funcs: []func(map[string]any) error{setting("A", "status", "phase")}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, doubleConfig(t), Target{Resource: widgets, Namespace: "default", Name: "busy"})
			newest := w.create(`{}`)
			w.target.UID = tree.String(w.parse(string(newest)), "metadata", "uid")
			sent, err := Send(t.Context(), &flaky{Client: w, fails: 1, err: busy}, w.target, newest, plan)
			if !errors.Is(err, busy) || sent.Left == nil {
				t.Errorf("Send = %+v, %v", sent, err)
			}
		})
	}
}

// TestSendToAResourceThatLostItsSubresource: a CRD may be changed, and then there is no status of the object, but the object is there.
func TestSendToAResourceThatLostItsSubresource(t *testing.T) {
	believed := plains
	believed.HasStatus = true
	w := newWorld(t, doubleConfig(t), Target{Resource: plains, Namespace: "default", Name: "changed"})
	newest := w.create(`{"spec":{"size":1}}`)
	w.target.Resource, w.target.UID = believed, tree.String(w.parse(string(newest)), "metadata", "uid")
	sent, err := Send(t.Context(), w, w.target, newest, merging(map[string]any{"spec": object("size", int64(2)), "status": object("phase", "A")})(nil))
	if err != nil || sent.Gone || sent.Left != nil || !sent.NoSubresource {
		t.Fatalf("Send = %+v, %v", sent, err)
	}
	if got := w.parse(string(sent.Newest)); tree.String(got, "status", "phase") != "A" || !tree.Equal(tree.Object(got, "spec")["size"], int64(2)) {
		t.Errorf("the object is %s", sent.Newest)
	}
	if diff := cmp.Diff([]string{"merge", "merge status", "merge", "merge"}, w.requests); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

func TestNoOp(t *testing.T) {
	w := newWorld(t, doubleConfig(t), Target{Resource: widgets, Namespace: "default", Name: "noop"})
	w.target.UID = tree.String(w.parse(string(w.create(`{"spec":{"size":1}}`))), "metadata", "uid")
	got, err := NoOp(t.Context(), w, w.target)
	if err != nil || !tree.Equal(w.parse(string(got)), w.get()) {
		t.Errorf("NoOp = %s, %v", got, err)
	}
	w.delete()
	if _, err := NoOp(t.Context(), w, w.target); !errors.Is(err, ErrGone) {
		t.Errorf("after the deletion: %v", err)
	}
	w.create(`{}`)
	if _, err := NoOp(t.Context(), w, w.target); !errors.Is(err, ErrGone) {
		t.Errorf("with a namesake: %v", err)
	}
}

func TestPlanAppend(t *testing.T) {
	var p Plan
	if !p.Empty() || !(*Plan)(nil).Empty() {
		t.Error("a plan of nothing is not empty")
	}
	first := map[string]any{"spec": map[string]any{"a": int64(1), "b": int64(1)}, "status": object("x", int64(1))}
	p.AddMerge(first)
	p.AddMerge(map[string]any{"spec": map[string]any{"a": nil, "c": object("d", int64(2))}, "status": object("x", int64(2))})
	p.Append(&Plan{AddFinalizers: []string{"a", "b"}, RemoveFinalizers: []string{"c"}})
	p.Append(&Plan{AddFinalizers: []string{"c", "b"}, RemoveFinalizers: []string{"a"}})
	p.Append(nil)
	want := Plan{
		Object:           object("spec", map[string]any{"a": nil, "b": int64(1), "c": object("d", int64(2))}),
		Status:           object("status", object("x", int64(2))),
		AddFinalizers:    []string{"c", "b"},
		RemoveFinalizers: []string{"a"},
	}
	if diff := cmp.Diff(want, p, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if first["spec"].(map[string]any)["a"] != int64(1) {
		t.Error("the document was changed")
	}
}

// TestPlanOrder: a later merge patch takes the place of an earlier edit of a list, and the other way round.
func TestPlanOrder(t *testing.T) {
	state := map[string]any{"metadata": object("resourceVersion", "1"), "spec": object("args", []any{"a"})}
	edited := editing(appending("b", "spec", "args"))(state)

	later := *edited
	later.AddMerge(object("spec", object("args", []any{"x"})))
	if got, want := later.composeObject(state), object("spec", object("args", []any{"x"})); !tree.Equal(got, want) {
		t.Errorf("a merge patch over an edit: %v", got)
	}
	later = *edited
	later.AddMerge(object("spec", nil))
	if got := later.composeObject(state); !tree.Equal(got, object("spec", nil)) {
		t.Errorf("a removal over an edit: %v", got)
	}
	earlier := merging(object("spec", map[string]any{"args": []any{"x"}, "size": int64(1)}))(nil)
	earlier.Append(edited)
	if got, want := earlier.composeObject(state), object("spec", map[string]any{"args": []any{"a", "b"}, "size": int64(1)}); !tree.Equal(got, want) {
		t.Errorf("an edit over a merge patch: %v", got)
	}
}
