package stream

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestFramesShrinkAfterGiants(t *testing.T) {
	small := strings.Repeat("x", 1000) + "\n"
	giant := strings.Repeat("y", 5<<20) + "\n"
	for name, reader := range map[string]func(io.Reader) io.Reader{
		"whole": func(r io.Reader) io.Reader { return r },
		"bits":  func(r io.Reader) io.Reader { return &chunks{r: r, size: 1400} },
	} {
		t.Run(name, func(t *testing.T) {
			var f frames
			f.reset(reader(strings.NewReader(small + giant + giant + strings.Repeat(small, 1000))))
			largest := 0
			for i := range 1003 {
				line, err := f.next()
				if err != nil {
					t.Fatal(err)
				}
				if i == 1 || i == 2 {
					if len(line) != 5<<20 || line[0] != 'y' {
						t.Fatalf("frame %d has %d bytes", i, len(line))
					}
				} else if len(line) != 1000 {
					t.Fatalf("frame %d has %d bytes", i, len(line))
				}
				largest = max(largest, len(f.buf))
			}
			if _, err := f.next(); err != io.EOF {
				t.Error(err)
			}
			if largest > 16<<20 || len(f.buf) != smallBuffer {
				t.Errorf("the buffer had up to %d bytes, and %d at the end", largest, len(f.buf))
			}
		})
	}
}

func TestFramesHaveALimit(t *testing.T) {
	var f frames
	f.reset(endless{})
	if _, err := f.next(); !errors.Is(err, errCorrupt) {
		t.Errorf("got %v", err)
	}
}

func TestFramesReportErrors(t *testing.T) {
	broken := errors.New("broken")
	var f frames
	f.reset(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)))
	if line, err := f.next(); err != nil || string(line) != "a" {
		t.Errorf("%q, %v", line, err)
	}
	if _, err := f.next(); err != broken {
		t.Errorf("got %v", err)
	}
	f.reset(strings.NewReader("fresh\r\n"))
	if line, err := f.next(); err != nil || string(line) != "fresh" {
		t.Errorf("the rest of an old stream is still there: %q, %v", line, err)
	}
}

func FuzzFrames(f *testing.F) {
	f.Add([]byte("a\nbb\n\n\r\nccc"), uint8(1))
	f.Add([]byte("\n"), uint8(7))
	f.Fuzz(func(t *testing.T, text []byte, size uint8) {
		var frames frames
		frames.reset(&chunks{r: bytes.NewReader(text), size: int(size) + 1})
		lines := bytes.Split(text, []byte("\n"))
		rest := lines[len(lines)-1]
		for _, want := range lines[:len(lines)-1] {
			if want = bytes.TrimSpace(want); len(want) == 0 {
				continue
			}
			if got, err := frames.next(); err != nil || !bytes.Equal(got, want) {
				t.Fatalf("got %q, %v, want %q", got, err, want)
			}
		}
		want := io.EOF
		if len(rest) > 0 {
			want = io.ErrUnexpectedEOF
		}
		if got, err := frames.next(); err != want {
			t.Fatalf("at the end: %q, %v", got, err)
		}
	})
}

// chunks reads so many bytes at most at once.
type chunks struct {
	r    io.Reader
	size int
}

func (c *chunks) Read(p []byte) (int, error) { return c.r.Read(p[:min(len(p), c.size)]) }

// endless is a frame without end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'z'
	}
	return len(p), nil
}
