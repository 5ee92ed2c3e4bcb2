package stream

import (
	"bytes"
	"fmt"
	"io"
)

const (
	smallBuffer = 32 << 10
	// largeBuffer is the size that a buffer may keep for good; a larger one shrinks after patienceWithLarge small frames in a row.
	largeBuffer       = 256 << 10
	patienceWithLarge = 16
	// maxFrame is far beyond any object: etcd stores none of more than 1.5 MB unless told otherwise.
	maxFrame = 64 << 20
)

// frames cuts a stream into lines, which is how the API server separates the frames of a watch. The buffer is reused, from one stream to
// the next as well, and grows to the size of the largest frame for a while.
type frames struct {
	r          io.Reader
	buf        []byte
	start, end int // what is read and not yet returned
	seen       int // how much of that holds no line end
	small      int // how many frames in a row would have fitted into a small buffer
}

func (f *frames) reset(r io.Reader) {
	f.r = r
	f.start, f.end, f.seen = 0, 0, 0
}

// next returns the next frame, without the line end; it is valid until the next call. The error is io.EOF after the last one, and
// io.ErrUnexpectedEOF, or that of the reader, where a frame is cut off.
func (f *frames) next() ([]byte, error) {
	for {
		if i := bytes.IndexByte(f.buf[f.start+f.seen:f.end], '\n'); i >= 0 {
			line := f.buf[f.start : f.start+f.seen+i]
			f.start += len(line) + 1
			f.seen = 0
			f.count(len(line))
			if line = bytes.TrimSpace(line); len(line) > 0 {
				return line, nil
			}
			continue
		}
		f.seen = f.end - f.start
		if err := f.fill(); err != nil {
			if err == io.EOF && f.seen > 0 {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
	}
}

func (f *frames) count(size int) {
	if size > smallBuffer {
		f.small = 0
	} else {
		f.small++
	}
}

// fill reads more, once.
func (f *frames) fill() error {
	if err := f.room(); err != nil {
		return err
	}
	n, err := f.r.Read(f.buf[f.end:])
	f.end += n
	if n > 0 {
		return nil
	}
	return err
}

// room makes room behind end.
func (f *frames) room() error {
	waiting := f.end - f.start
	size := len(f.buf)
	switch {
	case size == 0:
		size = smallBuffer
	case size > largeBuffer && f.small >= patienceWithLarge && waiting < smallBuffer:
		size = smallBuffer
	case waiting == size && size >= maxFrame:
		return fmt.Errorf("%w: a frame is larger than %d bytes", errCorrupt, maxFrame)
	case waiting == size:
		size *= 2
	case f.end < size:
		return nil
	}
	buf := f.buf
	if size != len(f.buf) {
		buf = make([]byte, size)
	}
	copy(buf, f.buf[f.start:f.end])
	f.buf, f.start, f.end = buf, 0, waiting
	return nil
}
