package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	kjson "sigs.k8s.io/json"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

// wire is the stored form. The order of its members is Kopf's, followed by our own two.
type wire struct {
	Started stamp       `json:"started,omitzero"`
	Stopped stamp       `json:"stopped,omitzero"`
	Delayed stamp       `json:"delayed,omitzero"`
	Purpose kopf.Reason `json:"purpose,omitempty"`
	Retries int         `json:"retries"`
	Success bool        `json:"success"`
	Failure bool        `json:"failure"`
	Message *string     `json:"message,omitempty"`
	Subrefs []string    `json:"subrefs,omitempty"`
	Seen    string      `json:"seen,omitempty"`
	Whole   string      `json:"whole,omitempty"`
}

// members maps the names of the stored form to where their values go.
func (w *wire) members() map[string]any {
	return map[string]any{
		"started": &w.Started, "stopped": &w.Stopped, "delayed": &w.Delayed, "purpose": &w.Purpose, "retries": &w.Retries,
		"success": &w.Success, "failure": &w.Failure, "message": &w.Message, "subrefs": &w.Subrefs, "seen": &w.Seen, "whole": &w.Whole,
	}
}

// Parse reads a record in the stored form. Missing and null members are absent. Times may have any offset; one without an offset, as old
// versions of Kopf wrote them, is in UTC. If data is not a record, the error names the member that is wrong; the caller decides
// what to do without the record, since nothing that is stored in an object may keep it from being handled.
func Parse(data []byte) (*Record, error) {
	var found map[string]json.RawMessage
	if err := kjson.UnmarshalCaseSensitivePreserveInts(data, &found); err != nil {
		return nil, fmt.Errorf("reading a progress record: %w", err)
	}
	if found == nil {
		return nil, fmt.Errorf("reading a progress record: null is none")
	}
	var w wire
	for name, target := range w.members() {
		value, ok := found[name]
		delete(found, name)
		if !ok || string(value) == "null" {
			continue
		}
		if err := json.Unmarshal(value, target); err != nil {
			return nil, fmt.Errorf("reading %q of a progress record: %w", name, err)
		}
	}
	if w.Retries < 0 {
		return nil, fmt.Errorf("reading \"retries\" of a progress record: %d is negative", w.Retries)
	}
	r := &Record{
		Started: time.Time(w.Started), Stopped: time.Time(w.Stopped), Delayed: time.Time(w.Delayed),
		Purpose: w.Purpose, Retries: w.Retries, Success: w.Success, Failure: w.Failure, Message: w.Message,
		Seen: w.Seen, Whole: w.Whole,
	}
	if len(w.Subrefs) > 0 {
		r.AddSubrefs(w.Subrefs...)
	}
	if len(found) > 0 {
		r.Unknown = found
	}
	return r, nil
}

// MarshalJSON returns the stored form: compact, without HTML escaping, the members in Kopf's order, then our own, then unknown ones by
// name. It fails only if an unknown member is not JSON. Call it directly: json.Marshal would escape what it returns.
func (r *Record) MarshalJSON() ([]byte, error) {
	known, err := encode(wire{
		Started: stamp(r.Started), Stopped: stamp(r.Stopped), Delayed: stamp(r.Delayed),
		Purpose: r.Purpose, Retries: r.Retries, Success: r.Success, Failure: r.Failure, Message: r.Message, Subrefs: r.Subrefs,
		Seen: r.Seen, Whole: r.Whole,
	})
	if err != nil || len(r.Unknown) == 0 {
		return known, err
	}
	unknown, err := encode(r.Unknown)
	if err != nil {
		return nil, err
	}
	return slices.Concat(known[:len(known)-1], []byte(","), unknown[1:]), nil
}

func encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("writing a progress record: %w", err)
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}
