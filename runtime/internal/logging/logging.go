// Package logging writes the records of log/slog in the three formats of Kopf's command line: full, plain and JSON. Records about an
// object carry it under the key [ObjectKey]; the text formats show it as a prefix, JSON as a member. Package operator
// makes the logger, package reactor names the objects.
package logging

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// Format is how records look.
type Format string

// The formats, by the names of --log-format.
const (
	// Full is a line with time, logger and level; it is what people read.
	Full Format = "full"
	// Plain is the message alone.
	Plain Format = "plain"
	// JSON is one JSON object a line, with Kopf's names: message, severity, timestamp, object.
	JSON Format = "json"
)

// ParseFormat accepts the names of the formats in any case; text is another name of full.
func ParseFormat(name string) (Format, error) {
	switch f := Format(strings.ToLower(name)); f {
	case Full, Plain, JSON:
		return f, nil
	case "text":
		return Full, nil
	}
	return "", fmt.Errorf("unknown log format %q: it is full, plain or json", name)
}

// ObjectKey is the key of the attribute that says which object a record is about. Its value is a [Reference].
const ObjectKey = "object"

// Reference names an object in records.
type Reference struct {
	APIVersion, Kind, Name, UID, Namespace string
}

// LogValue renders the reference as a group with Kopf's names; what is empty is left out.
func (r Reference) LogValue() slog.Value {
	var attrs []slog.Attr
	for _, a := range []slog.Attr{
		slog.String("apiVersion", r.APIVersion), slog.String("kind", r.Kind), slog.String("name", r.Name),
		slog.String("uid", r.UID), slog.String("namespace", r.Namespace),
	} {
		if a.Value.String() != "" {
			attrs = append(attrs, a)
		}
	}
	return slog.GroupValue(attrs...)
}

// String is namespace/name, or the name alone.
func (r Reference) String() string {
	if r.Namespace == "" {
		return r.Name
	}
	return r.Namespace + "/" + r.Name
}

// Object returns the attribute for records about an object.
func Object(r Reference) slog.Attr { return slog.Any(ObjectKey, r) }

// New returns a logger that writes records of at least the level to w.
func New(w io.Writer, format Format, level slog.Level) *slog.Logger {
	if format == JSON {
		return slog.New(newJSON(w, level))
	}
	return slog.New(&textHandler{out: &output{w: w}, full: format == Full, level: level})
}
