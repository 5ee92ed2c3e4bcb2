package gobuild

import (
	"fmt"
	"io"
	"os"
	"time"
)

// Progress tells people how far a long step is: on a terminal in one line that changes, elsewhere by a line now and then, which what is
// soon over does not get.
type Progress struct {
	w        io.Writer
	terminal bool
	interval time.Duration
	started  time.Time
	last     time.Time
	kind     string
}

// NewProgress begins a step that is reported to w, or to nobody if w is nil.
func NewProgress(w io.Writer) *Progress {
	p := &Progress{w: w, started: time.Now(), interval: 10 * time.Second}
	p.last = p.started
	if file, ok := w.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			p.terminal, p.interval = true, 100*time.Millisecond
		}
	}
	return p
}

// Show shows a message, which replaces the last one. A message that follows the last one too quickly is left out, except on a terminal
// where it is of another kind, that is, has another format.
func (p *Progress) Show(format string, args ...any) {
	now := time.Now()
	if p.w == nil || now.Sub(p.last) < p.interval && (!p.terminal || format == p.kind) {
		return
	}
	p.last, p.kind = now, format
	text := fmt.Sprintf(format, args...)
	if elapsed := now.Sub(p.started).Round(time.Second); elapsed > 0 {
		text += fmt.Sprintf(" (%v)", elapsed)
	}
	if p.terminal {
		fmt.Fprintf(p.w, "\r\x1b[K%s", text)
	} else {
		fmt.Fprintln(p.w, text)
	}
}

// End ends the step: the line that changes is removed.
func (p *Progress) End() {
	if p.terminal && p.kind != "" {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
