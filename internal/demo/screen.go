package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

// screen is where the demo is told. Whole lines are written at once, so that those of the operator may come at any time.
type screen struct {
	mu     sync.Mutex
	out    *os.File
	colour bool
}

// newScreen writes to a file, with colours if it is a terminal and nobody has asked for none.
func newScreen(out *os.File) *screen {
	info, err := out.Stat()
	terminal := err == nil && info.Mode()&os.ModeCharDevice != 0
	return &screen{out: out, colour: terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

// style is how a text looks on a terminal.
type style string

const (
	plain  style = ""
	bold   style = "1"
	dim    style = "2"
	green  style = "32"
	cyan   style = "36"
	yellow style = "33"
)

// heading begins a chapter; one without a number ends the story.
func (s *screen) heading(number, of int, title string) {
	if number > 0 {
		title = fmt.Sprintf("[%d/%d] %s", number, of, title)
	}
	s.print("")
	s.print(s.in(bold, title))
}

// command shows what one would type.
func (s *screen) command(line string) { s.print("  " + s.in(cyan, "$ "+line)) }

// note tells something.
func (s *screen) note(text string) { s.print("  " + text) }

// said shows what a program has said.
func (s *screen) said(program, line string) {
	look := plain
	if strings.Contains(line, "WARNING") || strings.Contains(line, "ERROR") {
		look = yellow
	}
	s.print("  " + s.in(dim, program+" │ ") + s.in(look, line))
}

// quote shows a text under a title.
func (s *screen) quote(title, text string) {
	s.print("    " + s.in(dim, title))
	for line := range strings.Lines(text) {
		s.print("      " + s.in(green, strings.TrimRight(line, "\n")))
	}
}

func (s *screen) print(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// A demo whose reader is gone goes on to its end, which is to clean up.
	_, _ = io.WriteString(s.out, line+"\n")
}

func (s *screen) in(look style, text string) string {
	if !s.colour || look == plain || text == "" {
		return text
	}
	return "\x1b[" + string(look) + "m" + text + "\x1b[0m"
}
