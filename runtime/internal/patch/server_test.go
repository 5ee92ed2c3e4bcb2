package patch

import (
	"testing"

	"github.com/kopfgen/kopfgen/internal/controlplane"
)

// TestSendOnServer plays the scenarios on the real API server, which shows that the double is like it.
func TestSendOnServer(t *testing.T) {
	server := controlplane.Start(t)
	server.ApplyFile(t, "testdata/widgets.yaml", "testdata/plains.yaml")
	for i, c := range scenarios {
		t.Run(c.name, func(t *testing.T) { c.run(t, server.Config(), i) })
	}
}
