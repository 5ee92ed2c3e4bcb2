package peering

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/kopfgen/kopfgen/runtime/internal/record"
)

// Defaults of what a record does not say, as in Kopf.
const defaultLifetime = 60 * time.Second

// Peer is a record as it was read.
type Peer struct {
	Identity string
	Priority int
	Lifetime time.Duration
	// LastSeen is when the peer says that it was alive, by its own clock; zero if it does not say.
	LastSeen time.Time
}

// String names the peer for people.
func (p Peer) String() string { return fmt.Sprintf("%s (priority %d)", p.Identity, p.Priority) }

// CorruptError says that a record cannot be read. Kopf's observer dies of it; here, the record is as if it were not there.
type CorruptError struct {
	Identity string
	Err      error
}

func (e *CorruptError) Error() string { return fmt.Sprintf("the record of %q: %v", e.Identity, e.Err) }

// Unwrap returns what is wrong.
func (e *CorruptError) Unwrap() error { return e.Err }

// content is the wire form of a record. Its numbers may be texts, since Kopf reads them so.
type content struct {
	Priority any     `json:"priority"`
	Lifetime any     `json:"lifetime"`
	LastSeen *string `json:"lastseen"`
}

// Read returns the records of a peering object, given as JSON, by the order of their identities, and what is wrong with the others.
func Read(object []byte) (peers []Peer, corrupt []error) {
	var body struct {
		Status json.RawMessage `json:"status"`
	}
	if err := json.Unmarshal(object, &body); err != nil {
		return nil, []error{fmt.Errorf("the peering object: %w", err)}
	}
	if len(body.Status) == 0 {
		return nil, nil
	}
	var records map[string]json.RawMessage
	if err := json.Unmarshal(body.Status, &records); err != nil {
		return nil, []error{fmt.Errorf("the status of the peering object: %w", err)}
	}
	for _, identity := range slices.Sorted(maps.Keys(records)) {
		p, err := parse(records[identity])
		if err != nil {
			corrupt = append(corrupt, &CorruptError{identity, err})
			continue
		}
		p.Identity = identity
		peers = append(peers, p)
	}
	return peers, corrupt
}

func parse(text []byte) (Peer, error) {
	c := content{}
	if string(text) == "null" {
		return Peer{}, fmt.Errorf("it is null")
	}
	if err := json.Unmarshal(text, &c); err != nil {
		return Peer{}, err
	}
	priority, err := number(c.Priority, 0)
	if err != nil {
		return Peer{}, fmt.Errorf("priority: %w", err)
	}
	lifetime, err := number(c.Lifetime, defaultLifetime.Seconds())
	if err != nil {
		return Peer{}, fmt.Errorf("lifetime: %w", err)
	}
	p := Peer{Priority: int(priority), Lifetime: time.Duration(lifetime) * time.Second}
	if c.LastSeen != nil {
		if p.LastSeen, err = record.ParseTime(*c.LastSeen); err != nil {
			return Peer{}, fmt.Errorf("lastseen: %w", err)
		}
	}
	return p, nil
}

// maxNumber is far beyond any priority or lifetime, and within what a duration can hold in seconds.
const maxNumber = 1 << 32

func number(value any, otherwise float64) (float64, error) {
	n := otherwise
	var err error
	switch v := value.(type) {
	case nil:
	case float64:
		n = v
	case string:
		n, err = strconv.ParseFloat(v, 64)
	default:
		err = fmt.Errorf("%v is not a number", value)
	}
	switch {
	case err != nil:
		return 0, err
	case !(n > -maxNumber && n < maxNumber): // not a number, too
		return 0, fmt.Errorf("%v is out of range", value)
	}
	return n, nil
}

// patch returns the merge patch that writes the operator's own record.
func (o Own) patch(now time.Time) ([]byte, error) {
	return statusPatch("", map[string]any{o.Identity: map[string]any{
		"priority": o.Priority, "lifetime": int(o.Lifetime / time.Second), "lastseen": record.FormatTime(now),
	}})
}

// removal returns the merge patch that removes records; it holds for one version of the object, unless that is empty.
func removal(version string, identities ...string) ([]byte, error) {
	records := map[string]any{}
	for _, identity := range identities {
		records[identity] = nil
	}
	return statusPatch(version, records)
}

func statusPatch(version string, records map[string]any) ([]byte, error) {
	patch := map[string]any{"status": records}
	if version != "" {
		patch["metadata"] = map[string]any{"resourceVersion": version}
	}
	return json.Marshal(patch)
}
