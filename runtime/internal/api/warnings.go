package api

import (
	"context"
	"log/slog"
	"sync"
)

// warningCode is that of the only warnings there are: "miscellaneous persistent warning" of RFC 7234.
const warningCode = 299

// warnings logs what the API server warns of (deprecated versions, unknown fields), each text once. Only so many texts are remembered:
// a server that makes up new ones for ever must not eat the memory.
type warnings struct {
	mu   sync.Mutex
	seen map[string]struct{}
}

const rememberedWarnings = 1000

// HandleWarningHeaderWithContext implements rest.WarningHandlerWithContext.
func (w *warnings) HandleWarningHeaderWithContext(ctx context.Context, code int, _ string, text string) {
	if code == warningCode && text != "" && w.news(text) {
		slog.WarnContext(ctx, "the API server warns: "+text)
	}
}

func (w *warnings) news(text string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, ok := w.seen[text]; ok {
		return false
	}
	if w.seen == nil || len(w.seen) >= rememberedWarnings {
		w.seen = make(map[string]struct{})
	}
	w.seen[text] = struct{}{}
	return true
}
