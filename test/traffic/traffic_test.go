// Package traffic compares what this runtime asks of the API server with what real Kopf does, and counts requests.
package traffic

import (
	"context"
	"os"
	"testing"

	"github.com/kopfgen/kopfgen/runtime/operator"
	"github.com/kopfgen/kopfgen/test/harness"
)

func TestMain(m *testing.M) {
	os.Exit(harness.Main(m, map[string]func() operator.Definition{"functional": functional}))
}

// functional has a handler that asks for a patch function.
func functional() operator.Definition {
	return operator.Definition{Name: "functional", Resources: []operator.Resource{{
		Group: harness.Subject.Group, Version: harness.Subject.Version, Kind: harness.Subject.Kind, Plural: harness.Subject.Plural,
		Namespaced: true,
		Handlers: []operator.Handler{{
			ID: "list", On: operator.OnCreate, Run: operator.Bind(bindList),
		}},
	}}}
}

func bindList(_ context.Context, c *operator.Call[operator.None]) (any, error) {
	c.Patch().Func(func(object map[string]any) error {
		spec := object["spec"].(map[string]any)
		list, _ := spec["list"].([]any)
		spec["list"] = append(list, "ours")
		return nil
	})
	return nil, nil
}
