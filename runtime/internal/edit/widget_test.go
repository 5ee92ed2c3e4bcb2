package edit

import (
	"encoding/json"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kjson "sigs.k8s.io/json"

	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// Widget has a field for every way in which Go and JSON differ.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              Spec   `json:"spec,omitempty"`
	Status            Status `json:"status,omitempty"`
}

type Spec struct {
	Size     int64               `json:"size,omitempty"`
	Zero     int64               `json:"zero"`
	Ratio    float64             `json:"ratio,omitempty"`
	Name     string              `json:"name,omitempty"`
	Memory   *resource.Quantity  `json:"memory,omitempty"`
	Labels   map[string]string   `json:"labels,omitempty"`
	Options  map[string]string   `json:"options"`
	Box      *Box                `json:"box,omitempty"`
	Inner    Box                 `json:"inner,omitzero"`
	Ports    []Port              `json:"ports,omitempty"`
	Rules    []Rule              `json:"rules,omitempty"`
	Args     []string            `json:"args,omitempty"`
	Required []string            `json:"required"`
	Groups   map[string]Group    `json:"groups,omitempty"`
	Any      any                 `json:"any,omitempty"`
	Raw      map[string]any      `json:"raw,omitempty"`
	ByName   map[string]*Box     `json:"byName,omitempty"`
	Matrix   [][]Rule            `json:"matrix,omitempty"`
	Loose    map[string][]string `json:"loose,omitempty"`
}

type Box struct {
	Color  string `json:"color,omitempty"`
	Weight int64  `json:"weight,omitempty"`
}

type Port struct {
	Name  string `json:"name"`
	Port  int64  `json:"port,omitempty"`
	Rules []Rule `json:"rules,omitempty"`
}

type Rule struct {
	Host string `json:"host,omitempty"`
	Path string `json:"path,omitempty"`
}

type Group struct {
	Ports []Port `json:"ports,omitempty"`
}

type Status struct {
	Phase      string       `json:"phase,omitempty"`
	Since      *metav1.Time `json:"since,omitempty"`
	Conditions []Condition  `json:"conditions,omitempty"`
	Count      int64        `json:"count,omitempty"`
}

type Condition struct {
	Type    string       `json:"type"`
	Status  string       `json:"status"`
	Changed *metav1.Time `json:"changed,omitempty"`
}

var widgetKeys = map[string][]string{
	"spec.ports":          {"name"},
	"spec.groups.*.ports": {"name"},
	"status.conditions":   {"type"},
}

// around decodes raw, lets the handler edit the copy, and returns the edit.
func around(t testing.TB, raw string, handler func(*Widget)) Edit {
	t.Helper()
	var w Widget
	if err := kjson.UnmarshalCaseSensitivePreserveInts([]byte(raw), &w); err != nil {
		t.Fatalf("decoding %s: %v", raw, err)
	}
	before := marshal(t, w)
	handler(&w)
	return Edit{Before: before, After: marshal(t, w), Keys: widgetKeys, Prefix: "kopf.dev"}
}

func marshal(t testing.TB, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func parse(t testing.TB, s string) any {
	t.Helper()
	v, err := tree.Decode([]byte(s))
	if err != nil {
		t.Fatalf("decoding %s: %v", s, err)
	}
	return v
}

// text writes a tree for messages; nil maps are "".
func text(t testing.TB, v any) string {
	t.Helper()
	if m, ok := v.(map[string]any); ok && m == nil {
		return ""
	}
	data, err := tree.Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
