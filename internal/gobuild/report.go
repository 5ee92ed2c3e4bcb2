package gobuild

import (
	"fmt"
	"io"
	"os"
	"time"
)

// reporter tells somebody how far a long step is: on a terminal in one line that changes, elsewhere in a new line now and then.
type reporter struct {
	w        io.Writer
	terminal bool
	started  time.Time
	last     time.Time
	kind     string
}

func newReporter(w io.Writer) *reporter {
	r := &reporter{w: w, started: time.Now()}
	if file, ok := w.(*os.File); ok {
		info, err := file.Stat()
		r.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return r
}

// show shows a message, which replaces the last one. On a terminal it comes at once; elsewhere only what has been going on for a while is
// worth a line.
func (r *reporter) show(format string, args ...any) {
	now, pause := time.Now(), 10*time.Second
	if r.terminal {
		pause = 100 * time.Millisecond
	}
	since := r.last
	if since.IsZero() && !r.terminal {
		since = r.started
	}
	if r.w == nil || now.Sub(since) < pause && (format == r.kind || !r.terminal) {
		return
	}
	r.last, r.kind = now, format
	text := fmt.Sprintf(format, args...)
	if elapsed := now.Sub(r.started).Round(time.Second); elapsed > 0 {
		text += fmt.Sprintf(" (%v)", elapsed)
	}
	if r.terminal {
		fmt.Fprintf(r.w, "\r\x1b[K    %s", text)
	} else {
		fmt.Fprintf(r.w, "    %s\n", text)
	}
}

// end removes the line that changes.
func (r *reporter) end() {
	if r.terminal && r.kind != "" {
		fmt.Fprint(r.w, "\r\x1b[K")
	}
}
