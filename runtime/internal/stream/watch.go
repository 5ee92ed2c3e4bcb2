package stream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kopfgen/kopfgen/runtime/internal/skim"
)

// tooShort is how long a watch must last for the next one to follow at once; otherwise they might follow one another without end.
const tooShort = time.Second

// watch reads one watch until it ends. With list, it begins as a streaming list: everything that is there, as ADDED, and then a bookmark that
// says so.
func (w *Watcher) watch(ctx context.Context, list bool) error {
	q := w.query()
	q.Set("watch", "true")
	q.Set("allowWatchBookmarks", "true")
	q.Set("timeoutSeconds", patience())
	if list {
		q.Set("sendInitialEvents", "true")
		q.Set("resourceVersionMatch", string(metav1.ResourceVersionMatchNotOlderThan))
	} else {
		q.Set("resourceVersion", string(w.version))
	}
	w.stats.watches.Add(1)
	body, err := w.open(ctx, q, w.accept("PartialObjectMetadata"))
	if err != nil {
		return err
	}
	defer body.Close()
	if list {
		w.begin()
	}
	began := time.Now()
	w.text.reset(body)
	for heard := false; ; heard = true {
		line, err := w.text.next()
		if err == io.EOF {
			switch {
			case list:
				return fmt.Errorf("the list ended before it was complete: %w", io.ErrUnexpectedEOF)
			case time.Since(began) < tooShort:
				return fmt.Errorf("the watch ended as soon as it began: %w", io.ErrUnexpectedEOF)
			}
			w.works()
			return nil
		}
		if errors.Is(err, errSilent) && !list && !heard {
			return errMute
		}
		if err != nil {
			return err
		}
		complete, err := w.take(line, list)
		if err != nil {
			return err
		}
		if complete {
			list = false
		}
		if !list {
			w.works()
		}
	}
}

// take passes one frame on, and tells whether it has completed a list.
func (w *Watcher) take(line []byte, list bool) (complete bool, err error) {
	w.stats.heard()
	f := &w.frame
	if err := w.skim.Frame(line, f); err != nil {
		if !w.refuse(err) {
			return false, fmt.Errorf("%w: %w", errCorrupt, err)
		}
		w.goOn(f.Object.Version, list)
		return false, nil
	}
	typ := Type(f.Type)
	switch f.Type {
	case skim.Added, skim.Modified, skim.Deleted:
		if list && typ == Added {
			typ = Listed
		}
		w.deliver(typ, &f.Object)
		w.goOn(f.Object.Version, list)
	case skim.Bookmark:
		w.stats.bookmarks.Add(1)
		complete = list && endsList(f.Object.Annotations)
		w.goOn(f.Object.Version, list && !complete)
		if complete {
			return true, w.synced(string(f.Object.Version))
		}
	case skim.Error:
		return false, statusOf(f.Object.Raw)
	default:
		w.Logger.Warn("a watch frame of an unknown type is skipped", "resource", w.Resource.String(), "type", f.Type)
	}
	return complete, nil
}

// goOn remembers from where to continue. During a list there is no such place: its objects come in any order.
func (w *Watcher) goOn(version []byte, list bool) {
	if !list && len(version) > 0 {
		w.version = append(w.version[:0], version...)
	}
}

// endsList tells whether a bookmark says that all that was there has been sent.
func endsList(annotations []byte) bool {
	var m map[string]string
	return json.Unmarshal(annotations, &m) == nil && m[metav1.InitialEventsAnnotationKey] == "true"
}

// statusOf makes the error of an ERROR frame.
func statusOf(raw []byte) error {
	var status metav1.Status
	if err := json.Unmarshal(raw, &status); err != nil || status.Code == 0 && status.Reason == "" {
		return fmt.Errorf("%w: an error without a status: %.200q", errCorrupt, raw)
	}
	return &apierrors.StatusError{ErrStatus: status}
}

// begin tells the sink that a list begins.
func (w *Watcher) begin() {
	w.stats.lists.Add(1)
	w.stats.synced.Store(false)
	w.Sink.Restart()
}

// synced tells the sink that the list is complete.
func (w *Watcher) synced(version string) error {
	if version == "" {
		return errors.New("the list has no version from which it could be watched")
	}
	if !w.Sink.Synced(version) {
		return errDistrusted
	}
	w.stats.synced.Store(true)
	w.works()
	return nil
}

func (w *Watcher) deliver(typ Type, o *skim.Object) {
	w.stats.events.Add(1)
	w.Sink.Deliver(Event{Type: typ, Object: *o})
}

// refuse logs that one object cannot be served; the others are. It returns false if err is about more than one object.
func (w *Watcher) refuse(err error) bool {
	var refusal *skim.RefusedError
	if !errors.As(err, &refusal) {
		return false
	}
	w.stats.refused.Add(1)
	w.Logger.Error("an object is not served", "resource", w.Resource.String(), "namespace", refusal.Namespace, "name", refusal.Name, "error", refusal)
	return true
}
