package operator

import (
	"errors"
	"fmt"
	"runtime/debug"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/kopfgen/kopfgen/internal/annotation"
	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/daemon"
	"github.com/kopfgen/kopfgen/runtime/internal/handling"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
	"github.com/kopfgen/kopfgen/runtime/internal/storage"
)

// defaultFinalizer is Kopf's.
const defaultFinalizer = annotation.KopfPrefix + "/KopfFinalizerMarker"

// resolved are the handlers of a resource, ready to run.
type resolved struct {
	*handling.Resource
	beside []daemon.Handler
}

// resolve makes the handlers of a resource ready to run: selectors are parsed, policies completed, handlers that are not enabled left
// out. Its errors are mistakes in a definition that was written by hand; generated code makes none.
func resolve(r Resource, finalizer, prefix string, defaults kopf.Policy, settings Settings) (resolved, error) {
	defaults = handling.Fill(defaults, kopf.Policy{Backoff: kopf.Backoff{From: settings.Backoff}})
	out := resolved{Resource: &handling.Resource{Finalizer: finalizer, Defaults: defaults, ListMapKeys: r.ListMapKeys, Prefix: prefix}}
	var errs []error
	for _, h := range r.Handlers {
		one, enabled, err := h.resolve(defaults)
		if err == nil && one.On != 0 {
			err = storage.Storage{Prefix: prefix}.Legal(h.ID)
		}
		var beside daemon.Handler
		if err == nil && enabled && h.On.Has(OnDaemon|OnTimer) {
			beside, err = h.beside(one, settings)
		}
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("handler %q: %w", h.ID, err))
		case !enabled:
		case h.On == OnIndex:
			out.Indexes = append(out.Indexes, one)
		case h.On == OnEvent:
			out.Events = append(out.Events, one)
		case h.On == OnDaemon, h.On == OnTimer:
			out.beside = append(out.beside, beside)
		default:
			out.Handlers = append(out.Handlers, one)
		}
	}
	return out, errors.Join(errs...)
}

// resolve asks the author's functions, each once, and tells whether the handler is enabled.
func (h Handler) resolve(defaults kopf.Policy) (out handling.Handler, enabled bool, err error) {
	defer guard(&err)
	if h.Enabled != nil && !h.Enabled() {
		return out, false, nil
	}
	policy := h.Policy
	if h.PolicyFunc != nil {
		policy = handling.Fill(h.PolicyFunc(), policy)
	}
	out = handling.Handler{
		ID: h.ID, On: h.On.progress(), Policy: handling.Fill(h.On.policy(policy), defaults), Field: h.Field,
		Value: h.Value.holds, Old: h.Old.holds, New: h.New.holds,
		Name: h.Name, Namespace: h.Namespace, When: h.When.holds,
		Optional: h.Optional, Deleted: h.Deleted, Result: h.Result, Table: h.Run.table, Run: h.Run.run, Failed: h.Failed.run,
		Once: h.On == OnEvent && policy == (kopf.Policy{}),
	}
	switch h.Result {
	case "":
		out.Result = h.ID
	case ResultNone:
		out.Result = ""
	}
	var errs []error
	if !h.On.alone() && (out.On == 0 || h.On.Has(alone)) {
		errs = append(errs, errors.New("it is of no kind that handles objects, or of kinds that do not go together"))
	}
	switch {
	case h.On != OnIndex && out.Table != nil:
		errs = append(errs, fmt.Errorf("it fills the index %q, but is not of that kind", h.Run.index))
	case h.On == OnIndex && out.Table == nil && out.Run != nil:
		errs = append(errs, errors.New("it fills no index"))
	case h.On == OnIndex && h.Run.index != h.ID:
		errs = append(errs, fmt.Errorf("it fills the index %q, whose id it does not have", h.Run.index))
	}
	switch {
	case out.Failed != nil && h.On.Has(alone):
		errs = append(errs, errors.New("only handlers of changes have something to call when they are given up"))
	case h.Failed.table != nil:
		errs = append(errs, errors.New("what is called when it is given up fills an index"))
	}
	if out.Run == nil {
		errs = append(errs, errors.New("it has nothing to run"))
	}
	if out.Labels, err = selector(h.Labels); err != nil {
		errs = append(errs, fmt.Errorf("labels: %w", err))
	}
	if out.Annotations, err = selector(h.Annotations); err != nil {
		errs = append(errs, fmt.Errorf("annotations: %w", err))
	}
	return out, true, errors.Join(errs...)
}

// alone are the kinds that have an entry of their own.
const alone = OnEvent | OnIndex | OnDaemon | OnTimer

func (k Kind) alone() bool { return k.Has(alone) && k&(k-1) == 0 }

// policy fills what a kind does otherwise than the others: as in Kopf, index functions ignore errors unless they are told not to.
func (k Kind) policy(p kopf.Policy) kopf.Policy {
	if k == OnIndex {
		p = handling.Fill(p, kopf.Policy{Errors: kopf.ErrorsIgnored})
	}
	return p
}

// guard turns a panic of a function for arguments into an error.
func guard(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic in a function for its arguments: %v\n%s", p, debug.Stack())
	}
}

// selector parses a selector; an empty text is nil, which selects everything.
func selector(text string) (labels.Selector, error) {
	if text == "" {
		return nil, nil
	}
	return labels.Parse(text)
}

// progress translates the kinds that handle objects.
func (k Kind) progress() progress.Kind {
	var out progress.Kind
	for from, to := range map[Kind]progress.Kind{
		OnCreate: progress.Create, OnUpdate: progress.Update, OnDelete: progress.Delete, OnResume: progress.Resume, OnField: progress.Field,
	} {
		if k.Has(from) {
			out |= to
		}
	}
	return out
}
