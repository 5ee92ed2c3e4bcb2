package operator

import (
	"log/slog"
	"time"

	"k8s.io/client-go/rest"
)

// Startup is what startup and cleanup handlers may ask for. What startup handlers return is kept by generated code.
type Startup struct {
	config   *rest.Config
	settings *Settings
	logger   *slog.Logger
	retry    int
	started  time.Time
}

// Config returns a copy of the configuration with which the operator reaches the API server.
func (s *Startup) Config() *rest.Config { return rest.CopyConfig(s.config) }

// Settings returns the operator's settings; a startup handler may change them, later changes have no effect.
func (s *Startup) Settings() *Settings { return s.settings }

// Logger returns a logger whose records name the handler.
func (s *Startup) Logger() *slog.Logger { return s.logger }

// Retry counts the attempts of this handler before this one.
func (s *Startup) Retry() int { return s.retry }

// Started is when the handler was first called.
func (s *Startup) Started() time.Time { return s.started }

// Runtime is the time since Started.
func (s *Startup) Runtime() time.Duration { return time.Since(s.started) }
