package operator

import (
	"strings"
	"testing"
)

// TestServed knows every kind: those that run pass, and the others are refused by handler and kind.
func TestServed(t *testing.T) {
	for kind, name := range kindNames {
		t.Run(name, func(t *testing.T) {
			d := Definition{
				Activities: []Activity{{ID: "fine", On: OnStartup}},
				Resources:  []Resource{{Handlers: []Handler{{ID: "both", On: OnCreate | OnUpdate}, {ID: "one", On: kind}}}},
			}
			if !handlerKinds.Has(kind) {
				d.Activities = append(d.Activities, Activity{ID: "one", On: kind})
				d.Resources = nil
			}
			err := served(d)
			if !kind.Has(unserved) {
				if err != nil {
					t.Errorf("refused: %v", err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), `"one"`) || !strings.HasSuffix(err.Error(), "of kind "+name+" yet") {
				t.Errorf("the error is %v; want it to name the handler and its kind", err)
			}
		})
	}
}

// handlerKinds are the kinds of handlers of objects.
const handlerKinds = OnCreate | OnUpdate | OnDelete | OnResume | OnField | alone
