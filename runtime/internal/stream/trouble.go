package stream

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
)

var (
	// errSilent ends a stream on which nothing was heard for too long.
	errSilent = errors.New("the server has fallen silent")
	// errMute ends a watch that was accepted and on which nothing was heard at all, not even a bookmark. That is what becomes of a watch from
	// a version that the server has yet to reach, because its store was restored from a backup. It would be mute for ever.
	errMute = errors.New("the server has accepted the watch and says nothing")
	// errCorrupt ends a stream that cannot be understood, so that nobody knows what was missed.
	errCorrupt = errors.New("the stream is corrupt")
	// errDistrusted ends a list that the sink wants to have once more.
	errDistrusted = errors.New("the list is older than what was seen before")
)

// kind is what an attempt ended with, as far as it makes a difference for the next one.
type kind int

const (
	ended       kind = iota // as it should: the server ends every watch after some minutes
	silent                  // nothing was heard for a while
	mute                    // nothing was heard at all
	expired                 // the server has forgotten the version
	behind                  // the server does not know the version yet
	absent                  // there is no such resource
	refused                 // the server does not understand the request
	forbidden               // we may not
	corrupt                 // what was read makes no sense
	interrupted             // everything else
)

func kindOf(err error) kind {
	switch {
	case err == nil:
		return ended
	case errors.Is(err, errMute):
		return mute
	case errors.Is(err, errSilent):
		return silent
	case errors.Is(err, errCorrupt):
		return corrupt
	case errors.Is(err, errDistrusted), apierrors.IsResourceExpired(err), apierrors.IsGone(err), api.Code(err) == http.StatusGone:
		return expired
	case apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge):
		return behind
	case apierrors.IsNotFound(err):
		return absent
	case apierrors.IsForbidden(err):
		return forbidden
	case apierrors.IsBadRequest(err), apierrors.IsInvalid(err):
		return refused
	}
	return interrupted
}

// trouble is what the sink was told last.
type trouble struct {
	kind   string // "" if the stream works
	inside bool   // it came after the answer had begun, so another answer alone does not end it
}

// works notes that the stream does what it should.
func (w *Watcher) works() {
	w.tooNew = 0
	w.untroubled = true
	w.recovered()
}

// recovered tells the sink, if it was told of trouble.
func (w *Watcher) recovered() {
	if w.trouble.kind != "" {
		w.trouble = trouble{}
		w.stats.trouble.Store(nil)
		w.Sink.Trouble(nil)
	}
}

// failed tells the sink of a failure, unless it knows already, or the failure is the first since the stream has worked and of a kind that
// usually passes: a restarting server, a dropped connection, an expired token or version.
func (w *Watcher) failed(err error) {
	w.stats.failures.Add(1)
	k := kindOf(err)
	lasting := k == absent || k == forbidden || k == corrupt || k == refused
	if w.untroubled && !lasting {
		w.untroubled = false
		return
	}
	w.untroubled = false
	now := trouble{kind: strconv.Itoa(int(k)) + "/" + strconv.Itoa(api.Code(err)), inside: w.opened}
	told := w.trouble
	w.trouble = now
	if now.kind == told.kind {
		return
	}
	err = w.explain(k, err)
	w.stats.trouble.Store(&err)
	w.Sink.Trouble(err)
}

// explain says what is missing, and what to do about it.
func (w *Watcher) explain(k kind, err error) error {
	switch k {
	case absent:
		return fmt.Errorf("resource %s is not there yet and will be served when it comes: %w", w.Resource, err)
	case forbidden:
		where := "in all namespaces"
		switch {
		case !w.Resource.Namespaced:
			where = "in the cluster"
		case w.Namespace != "":
			where = fmt.Sprintf("in namespace %q", w.Namespace)
		}
		return fmt.Errorf("forbidden: the operator needs list and watch on %s %s: %w", w.Resource, where, err)
	}
	return fmt.Errorf("resource %s cannot be watched: %w", w.Resource, err)
}
