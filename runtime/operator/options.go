package operator

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
)

// Options say which objects a run serves and how it logs.
type Options struct {
	// Namespaces are those that are served; with none, all are.
	Namespaces []string
	// Logger takes the records of the operator and of its handlers; nil means the default logger of log/slog.
	Logger *slog.Logger
	// Settings are what the run starts with, before startup handlers see them; what is zero is set to its default.
	Settings Settings
}

// check returns an error that names what cannot be served.
func (o Options) check() error {
	var errs []error
	for _, ns := range o.Namespaces {
		switch {
		case ns == "":
			errs = append(errs, errors.New("a namespace is empty"))
		case strings.ContainsAny(ns, "*?[]!,"):
			errs = append(errs, fmt.Errorf("namespace %q: patterns are not supported yet, name the namespaces one by one", ns))
		}
	}
	return errors.Join(errs...)
}
