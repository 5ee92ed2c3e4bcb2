package peering

import (
	"context"
	"sync"
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
	"github.com/kopfgen/kopfgen/runtime/internal/discovery"
)

// lookAgain is the time in which peering resources are noticed that did not exist before.
const lookAgain = 10 * time.Second

// Catalog knows which peering resources the server has. All scopes of an operator share one, so that it is asked once for all of them.
type Catalog struct {
	client *api.Client

	mu    sync.Mutex // held during a request, on which the others wait
	looks map[api.Resource]look
}

type look struct {
	at    time.Time
	found discovery.Found
	err   error
}

// NewCatalog returns an empty catalog.
func NewCatalog(client *api.Client) *Catalog {
	return &Catalog{client: client, looks: map[api.Resource]look{}}
}

// find returns what the server says of a resource, or what it said within the last seconds if it has none.
func (c *Catalog) find(ctx context.Context, r api.Resource) (discovery.Found, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if last, ok := c.looks[r]; ok && time.Since(last.at) < lookAgain {
		return last.found, last.err
	}
	found, err := discovery.Find(ctx, c.client, r)
	if ctx.Err() == nil {
		c.looks[r] = look{time.Now(), found, err}
	}
	return found, err
}
