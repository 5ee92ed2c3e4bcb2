// Package sub has types that a kind elsewhere reaches.
package sub

// Part is reached.
type Part struct {
	Names []string `json:"names,omitempty"`
}

// Unused is not reached.
type Unused struct {
	Names []string `json:"names,omitempty"`
}

// Own copies itself.
type Own struct {
	Names []string `json:"names,omitempty"`
}

// DeepCopyInto is written by hand.
func (o *Own) DeepCopyInto(out *Own) { out.Names = append([]string(nil), o.Names...) }
