package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
)

const (
	// creators is how many objects are created at once: more than two cores can serve.
	creators = 16
	// smallItems and bigItems are the items of objects that are created live, and of those that are at rest: with 28 of them, what the
	// server sends has 3.3 KB.
	smallItems, bigItems = 3, 28
)

// manifest returns an object with so many items of about 100 bytes.
func manifest(k kind, name string, items int) string {
	var list strings.Builder
	for i := range items {
		if i > 0 {
			list.WriteByte(',')
		}
		fmt.Fprintf(&list, `{"name":"item-%02d","text":"%s"}`, i, strings.Repeat("some text ", 7))
	}
	return fmt.Sprintf(`{"apiVersion":"bench.kopf.dev/v1","kind":%q,"metadata":{"name":%q},"spec":{"items":[%s]}}`, k.name, name, list.String())
}

// create creates n objects, and returns the size of the first as the server sends it, in bytes.
func (c *cluster) create(ctx context.Context, k kind, prefix string, n, items int) (size int, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var creating sync.WaitGroup
	for range creators {
		creating.Go(func() {
			for i := int(next.Add(1) - 1); i < n && ctx.Err() == nil; i = int(next.Add(1) - 1) {
				got, err := c.call(ctx, http.MethodPost, namespaced(k), manifest(k, fmt.Sprintf("%s-%06d", prefix, i), items))
				if err != nil {
					cancel(fmt.Errorf("create objects: %w", err))
				}
				if i == 0 {
					size = got
				}
			}
		})
	}
	creating.Wait()
	return size, context.Cause(ctx)
}

// wipe deletes all objects of the kind; the tracker tells when they are gone.
func (c *cluster) wipe(ctx context.Context, k kind) error {
	_, err := c.call(ctx, http.MethodDelete, namespaced(k), "")
	return err
}

func namespaced(k kind) string { return api + "/namespaces/default/" + k.plural }
