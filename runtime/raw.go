package kopf

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Raw is one JSON value as it came from the API server; nil is absence, which differs from a null.
type Raw []byte

// Decode parses the value into v, as [json.Unmarshal] does. An absent value is an error.
func (r Raw) Decode(v any) error {
	if r == nil {
		return fmt.Errorf("decoding an absent value into %T", v)
	}
	return json.Unmarshal(r, v)
}

// MarshalJSON returns the value itself, and null for an absent one.
func (r Raw) MarshalJSON() ([]byte, error) {
	if r == nil {
		return []byte("null"), nil
	}
	return r, nil
}

// UnmarshalJSON keeps a copy of data.
func (r *Raw) UnmarshalJSON(data []byte) error {
	*r = bytes.Clone(data)
	return nil
}

// String returns the JSON text, for logs; it is empty for an absent value.
func (r Raw) String() string { return string(r) }
