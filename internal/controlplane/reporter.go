package controlplane

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
	interval time.Duration
	started  time.Time
	last     time.Time
	lastKind string
}

// newReporter returns a reporter to w, or to nobody where w is nil.
func newReporter(w io.Writer) *reporter {
	r := &reporter{w: w, started: time.Now(), interval: 10 * time.Second}
	if file, ok := w.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			r.terminal, r.interval = true, 100*time.Millisecond
		}
	}
	return r
}

// show shows a message, which replaces the last one. A message of the same kind (that is, with the same format) is left out
// when it follows the last one too quickly.
func (r *reporter) show(format string, args ...any) {
	now := time.Now()
	if r.w == nil || format == r.lastKind && now.Sub(r.last) < r.interval {
		return
	}
	r.last, r.lastKind = now, format
	text := fmt.Sprintf(format, args...)
	if elapsed := now.Sub(r.started).Round(time.Second); elapsed > 0 {
		text += fmt.Sprintf(" (%v)", elapsed)
	}
	if r.terminal {
		fmt.Fprintf(r.w, "\r\x1b[K%s", text)
	} else {
		fmt.Fprintln(r.w, text)
	}
}

// end removes the line that changes.
func (r *reporter) end() {
	if r.terminal && r.lastKind != "" {
		fmt.Fprint(r.w, "\r\x1b[K")
	}
}
