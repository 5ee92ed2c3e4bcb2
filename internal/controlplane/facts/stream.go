package facts

import (
	"bufio"
	"encoding/json"
	"io"
	"time"
)

// frameTimeout bounds the wait for an event. It is long because a server may be slow, and short enough to see that an event
// does not come at all.
const frameTimeout = 20 * time.Second

// frame is one event of a stream.
type frame struct {
	kind string
	// answer is the object of the event, as it would come in answer to a request.
	answer
	// received is when the last byte of it had been read.
	received time.Time
}

// stream is a running watch.
type stream struct {
	s      *session
	frames chan frame
}

// newStream reads events from body until it ends.
func newStream(s *session, body io.Reader) *stream {
	w := &stream{s: s, frames: make(chan frame, 1024)}
	go func() {
		defer close(w.frames)
		in := bufio.NewReader(body)
		for {
			line, err := in.ReadBytes('\n')
			if err != nil {
				return
			}
			received := time.Now()
			var event struct {
				Type   string
				Object json.RawMessage
			}
			if json.Unmarshal(line, &event) != nil {
				event.Type, event.Object = "no JSON", line
			}
			w.frames <- frame{kind: event.Type, answer: answer{body: event.Object}, received: received}
		}
	}()
	return w
}

// next returns the next event and requires that it is of a kind such as "ADDED".
func (w *stream) next(kind string) *frame {
	w.s.t.Helper()
	f := w.any()
	if f.kind != kind {
		w.s.t.Fatalf("got %s, want %s: %s", f.kind, kind, f.body)
	}
	return f
}

// any returns the next event.
func (w *stream) any() *frame {
	w.s.t.Helper()
	select {
	case f, ok := <-w.frames:
		if !ok {
			w.s.t.Fatal("the stream has ended, want an event")
		}
		f.object = w.s.decode(f.body)
		return &f
	case <-time.After(frameTimeout):
		w.s.t.Fatalf("no event after %v", frameTimeout)
		panic("unreachable")
	}
}

// end requires that the stream ends without another event.
func (w *stream) end() {
	w.s.t.Helper()
	select {
	case f, ok := <-w.frames:
		if ok {
			w.s.t.Fatalf("got %s, want the end of the stream: %s", f.kind, f.body)
		}
	case <-time.After(frameTimeout):
		w.s.t.Fatalf("the stream has not ended after %v", frameTimeout)
	}
}
