package chaos

import (
	"fmt"
	"net/http"
	"path"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kopfgen/kopfgen/internal/controlplane"
	"github.com/kopfgen/kopfgen/internal/exampletest"
	"github.com/kopfgen/kopfgen/test/harness"
)

// TestLostRequests loses, for each object, one of the operator's writes, or the answer to it. The write is made again; the handlers, whose
// outcome is still known, are not called again for that.
func TestLostRequests(t *testing.T) {
	t.Parallel()
	stage := exampletest.NewFor(t, "../harness/crd/*.yaml")
	proxy := harness.NewProxy(t, controlplane.Shared(t).Config())
	client := subjects(t, stage)
	seen := observe(t, client)

	names := []string{"whole"}
	lose := map[string]bool{} // by moment, object and number of the write
	for _, moment := range []string{"before", "after"} {
		for write := 1; write <= meddlings; write++ {
			name := fmt.Sprintf("lost-%s-%d", moment, write)
			names = append(names, name)
			lose[fmt.Sprint(moment, " ", name, " ", write)] = true
		}
	}
	var mu sync.Mutex
	writes := map[string]int{}
	lost := 0
	at := func(moment string) func(harness.Request) {
		return func(r harness.Request) {
			object := moment + " " + path.Base(strings.TrimSuffix(r.Path, "/status"))
			mu.Lock()
			defer mu.Unlock()
			writes[object]++
			if lose[fmt.Sprint(object, " ", writes[object])] {
				lost++
				panic(http.ErrAbortHandler)
			}
		}
	}
	proxy.Intercept(at("before"), at("after"))
	prompter := harness.NewPrompter(t, hesitant())
	process := whole.Start(t, harness.Kopfgen, harness.Config{
		Run: "only", Kubeconfig: proxy.Kubeconfig(), Namespace: stage.Namespace(), Prompter: prompter,
	})

	for i, name := range names {
		if err := create(t, client, name, i+1, "one", "two"); err != nil {
			t.Fatal(err)
		}
	}
	seen.calm(t, names)
	for _, name := range names {
		if err := client.Delete(t.Context(), name, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	seen.calm(t, names)
	process.Stop()

	want := harness.Lines(prompter.Calls("", "whole"))
	for _, name := range names {
		if diff := cmp.Diff(want, harness.Lines(prompter.Calls("", name))); diff != "" {
			t.Errorf("%s: calls (-without a loss +with one):\n%s", name, diff)
		}
	}
	if lost < 16 {
		t.Errorf("only %d requests were lost", lost)
	}
}
