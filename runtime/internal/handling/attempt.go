package handling

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"k8s.io/client-go/rest"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/internal/edit"
	"github.com/kopfgen/kopfgen/runtime/internal/index"
)

// Attempt is what one call of a handler is given. Its JSON belongs to the engine; the handler gets what is decoded from it.
type Attempt struct {
	// ID is the handler's.
	ID string
	// Object is the whole object without managedFields.
	Object []byte
	// Name, Namespace and UID identify it; Labels and Annotations may be nil.
	Name, Namespace, UID string
	Labels, Annotations  map[string]string
	// Reason is for handlers of changes, EventType for those of events.
	Reason    kopf.Reason
	EventType kopf.EventType
	// Old, New and Diff are narrowed to the handler's field; for filters they are those of the whole object.
	Old, New kopf.Raw
	Diff     kopf.Diff
	// Retry counts the attempts before this one; Started is when the first was due.
	Retry   int
	Started time.Time
	Logger  *slog.Logger
	Config  *rest.Config
	Memos   *Memos
	// Failure is why the handler was given up, for what is called then; nil for handlers themselves.
	Failure error
	// Beside is nil but for daemons and timers.
	Beside Beside
}

// Beside is what a daemon or a timer has because it runs beside the object, which goes on changing.
type Beside interface {
	// Stopped tells that it is to end.
	Stopped() kopf.Stopped
	// Newest returns the newest state of the object without managedFields, and a channel that is closed when a newer one has come.
	Newest() (raw []byte, newer <-chan struct{}, err error)
	// Newer returns that channel for the state with which the attempt began. From the first call on, the newest state is kept at hand.
	Newer() <-chan struct{}
}

// Outcome is what came of an attempt.
type Outcome struct {
	// Result goes to the handler's key of the status; nil is none.
	Result kopf.Raw
	// Status is merged into the status as a whole; nil is none.
	Status map[string]any
	// Edits are the changes of the typed copies that the handler was given.
	Edits []edit.Edit
	// Patch is what the handler asked for; nil is nothing.
	Patch *kopf.Patch
	// Rows, for an index function that has not failed, puts what it returned into its index.
	Rows func(index.Object)
	// Err is what the handler returned, or a *PanicError.
	Err error
}

// UndecodableError says that the object, or the part of it that a handler is about, does not decode into the handler's type.
type UndecodableError struct{ Err error }

func (e *UndecodableError) Error() string { return e.Err.Error() }

// Unwrap returns why.
func (e *UndecodableError) Unwrap() error { return e.Err }

// Func calls a handler.
type Func func(ctx context.Context, a *Attempt) Outcome

// Memos are what handlers remember of one object, by key. The zero value is ready to use.
type Memos struct {
	mu     sync.Mutex
	values map[any]any
}

// Get returns the value under key, and makes it if it is missing.
func (m *Memos) Get(key any, make func() any) any {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.values[key]
	if !ok {
		v = make()
		if m.values == nil {
			m.values = map[any]any{}
		}
		m.values[key] = v
	}
	return v
}

// Empty tells whether nothing is remembered.
func (m *Memos) Empty() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.values) == 0
}
