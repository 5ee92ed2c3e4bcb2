package handling

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/index"
)

// Tries is what is remembered of the attempts of an index function for one object since it last succeeded. As in Kopf, it is kept in memory
// alone: another process begins anew.
type Tries struct {
	retries      int
	started, due time.Time
	// over tells that the function is not called again for this object.
	over bool
}

// Due returns when the next attempt is; zero means never.
func (t *Tries) Due() time.Time {
	if t == nil || t.over {
		return time.Time{}
	}
	return t.due
}

// Index calls an index function, unless it has to wait or was given up, and keeps what it returns in its index. An object that the filters do
// not let pass has no rows. After an error that is ignored, the rows stay as they were; after any other they go, until an attempt succeeds.
// Index takes what it returned for the object the last time, nil at first. An error is one of a filter; nothing has changed then.
func (s *State) Index(ctx context.Context, h *Handler, object index.Object, tries *Tries) (*Tries, error) {
	matches, err := s.Matches(h, "")
	switch {
	case err != nil:
		return tries, err
	case !matches:
		h.Table.Remove(object)
		return nil, nil
	case tries == nil:
		tries = &Tries{started: s.Now()}
	case tries.over || s.Now().Before(tries.due):
		return tries, nil
	}
	a := s.attempt(h, "")
	a.Retry, a.Started = tries.retries, tries.started
	out := Guarded(ctx, func(ctx context.Context) Outcome { return h.Run(ctx, a) })
	switch {
	case out.Err == nil:
		out.Rows(object)
		return nil, nil
	case ctx.Err() != nil:
		return tries, nil
	}
	return s.missed(h, object, *tries, out.Err), nil
}

// missed judges the error of an index function.
func (s *State) missed(h *Handler, object index.Object, tries Tries, err error) *Tries {
	log := s.Logger.With("handler", h.ID, "error", err)
	v := Judge(h.Policy, err, Attempted{
		Retries: tries.retries + 1, Runtime: s.Now().Sub(tries.started), Random: rand.Float64(),
	})
	if v.Ignored {
		log.Error("an index function failed; the object keeps what it had in the index")
		return nil
	}
	h.Table.Remove(object)
	if v.Done {
		log.Error("an index function failed for good; the object is not in the index")
		return &Tries{over: true}
	}
	if !v.Waiting {
		tries.retries++
	}
	tries.due = s.Now().Add(v.Delay)
	log.Warn("an index function failed; until it succeeds, the object is not in the index", "in", v.Delay)
	return &tries
}
