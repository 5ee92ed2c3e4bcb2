package operator

import (
	"log/slog"
	"time"

	"k8s.io/client-go/rest"
)

// Startup is one call of a handler of the operator itself, from which a bound method takes what the author's function asks for. What startup
// handlers return is kept by generated code.
type Startup struct {
	config   *rest.Config
	settings *Settings
	logger   *slog.Logger
	retry    int
	started  time.Time
}

// Config returns a copy of the configuration with which the operator reaches the API server. There is none, and Config panics, before login
// handlers have made it.
func (s *Startup) Config() *rest.Config { return rest.CopyConfig(s.config) }

// Settings returns the operator's settings; a startup handler may change them; later changes have no effect.
func (s *Startup) Settings() *Settings { return s.settings }

// Logger returns a logger whose records name the handler.
func (s *Startup) Logger() *slog.Logger { return s.logger }

// Retry returns how many attempts this handler has had before this one.
func (s *Startup) Retry() int { return s.retry }

// Started returns when the handler was first called.
func (s *Startup) Started() time.Time { return s.started }

// Runtime returns the time since Started.
func (s *Startup) Runtime() time.Duration { return time.Since(s.started) }
