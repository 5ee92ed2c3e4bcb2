package record

import (
	"encoding/json"
	"fmt"
	"time"
)

// stamp is a time in the form in which Kopf writes it.
type stamp time.Time

// layout always has six digits of the second and a numeric offset, which is that of UTC.
const layout = "2006-01-02T15:04:05.000000-07:00"

// offsets are the layouts of offsets that are read; the last is for times without one, as Kopf wrote them long ago. With each of them,
// fractions of a second of any length are read.
var offsets = []string{"Z07:00", "Z0700", "Z07", ""}

// FormatTime writes a time as it stands in records and in Kopf's other annotations.
func FormatTime(t time.Time) string { return t.UTC().Format(layout) }

// ParseTime reads a time in ISO 8601. Without an offset it is in UTC.
func ParseTime(s string) (time.Time, error) {
	normal := s
	if len(s) > 10 && s[10] == ' ' {
		normal = s[:10] + "T" + s[11:]
	}
	for _, offset := range offsets {
		t, err := time.Parse("2006-01-02T15:04:05"+offset, normal)
		// Years that do not have four digits in UTC, or that Python does not know, could not be written again.
		if t = t.UTC(); err == nil && t.Year() >= 1 && t.Year() <= 9999 {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a time in ISO 8601", s)
}

// IsZero lets omitzero recognize a zero time.
func (s stamp) IsZero() bool { return time.Time(s).IsZero() }

func (s stamp) MarshalJSON() ([]byte, error) { return json.Marshal(FormatTime(time.Time(s))) }

func (s *stamp) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	t, err := ParseTime(text)
	*s = stamp(t)
	return err
}
