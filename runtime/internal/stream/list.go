package stream

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/kopfgen/kopfgen/runtime/internal/skim"
)

// largePage is the size of a page after which fewer objects are asked for.
const largePage = 16 << 20

// list reads a list page by page, for servers that do not stream lists. A page is held as text; nothing of it is decoded.
func (w *Watcher) list(ctx context.Context) error {
	q := w.query()
	limit, begun := pageSize, false
	var page []byte
	for {
		q.Set("limit", strconv.Itoa(limit))
		var err error
		if page, err = w.page(ctx, q, page); err != nil {
			return err
		}
		w.stats.heard()
		if !begun {
			begun = true
			w.begin()
		}
		list, err := w.skim.List(page, func(o *skim.Object, refused error) error {
			if refused == nil || !w.refuse(refused) {
				w.deliver(Listed, o)
			}
			return ctx.Err()
		})
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return fmt.Errorf("%w: %w", errCorrupt, err)
		case list.Continue == "":
			w.version = append(w.version[:0], list.ResourceVersion...)
			return w.synced(list.ResourceVersion)
		}
		q.Set("continue", list.Continue)
		if len(page) > largePage {
			limit = max(limit/2, 1)
		}
	}
}

// page reads one page into buf, which grows as needed.
func (w *Watcher) page(ctx context.Context, q map[string][]string, buf []byte) ([]byte, error) {
	body, err := w.open(ctx, q, w.accept("PartialObjectMetadataList"))
	if err != nil {
		return nil, err
	}
	defer body.Close()
	buf = buf[:0]
	for {
		if len(buf) == cap(buf) {
			buf = append(buf, make([]byte, max(cap(buf), 64<<10))...)[:len(buf)]
		}
		n, err := body.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case err == io.EOF:
			return buf, nil
		case err != nil:
			return nil, fmt.Errorf("reading a list: %w", err)
		}
	}
}
