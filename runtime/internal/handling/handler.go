package handling

import (
	"k8s.io/apimachinery/pkg/labels"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/index"
	"github.com/kopfgen/kopfgen/runtime/internal/progress"
)

// Resource is what an operator does with the objects of one resource.
type Resource struct {
	// Handlers are those of changes, in the order of execution. Where several have one ID, they are markers of one function, of which the
	// first that is concerned counts.
	Handlers []Handler
	// Indexes are the index functions, Events the handlers of events, each in the order of execution. Their On is zero.
	Indexes, Events []Handler
	// Finalizer is put on objects that must not go before a mandatory delete handler was called.
	Finalizer string
	// Defaults fill what the policies of sub-handlers leave open.
	Defaults kopf.Policy
	// ListMapKeys and Prefix are for the edits of handlers: see edit.Edit.
	ListMapKeys map[string][]string
	Prefix      string
}

// Handler is a handler, resolved for running: its selectors are parsed, its policy is complete.
type Handler struct {
	ID string
	On progress.Kind
	// Policy has the operator's defaults filled in.
	Policy kopf.Policy
	// Field is the part of the object that the handler is about; empty means all of it.
	Field []string
	// Value is a condition on the field before or after the change, Old on the field before it, New on the field after it. Nil is none; a
	// nil Value together with a Field demands that there is a value on one side at least.
	Value, Old, New Criterion
	// Labels and Annotations may be nil.
	Labels, Annotations labels.Selector
	// Name and Namespace are literals or patterns with * ? [ ]; empty means any.
	Name, Namespace string
	// When is asked last, with the change of the whole object; nil means yes.
	When func(*Attempt) (bool, error)
	// Optional means, for a delete handler, that objects do not wait for it.
	Optional bool
	// Once means, for a handler of events, that whatever it returns it is not called again for the same event.
	Once bool
	// Deleted means, for a resume handler, that it is also called for objects that are being deleted.
	Deleted bool
	// Result is the key of the status that takes the result; empty drops it.
	Result string
	// Table is what an index function keeps in its index; nil for all others.
	Table index.Table
	Run   Func
	// Failed, for a handler of changes, is called when the handler is given up; nil is nothing.
	Failed Func
}

// Criterion is a condition on a value, which may be absent; a null is not.
type Criterion func(value any, present bool) (bool, error)
