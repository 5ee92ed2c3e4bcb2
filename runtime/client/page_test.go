package client_test

import (
	"fmt"
	"net/http"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kopfgen/kopfgen/runtime/client"
	"github.com/kopfgen/kopfgen/runtime/internal/api/apitest"
)

// A list that the server hands out in pages is read to its end, with the same selectors.
func TestListPages(t *testing.T) {
	cfg := apitest.Config(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		query := r.URL.Query()
		if query.Get("labelSelector") != "app=web" || query.Get("limit") == "" {
			t.Errorf("the query is %v", query)
		}
		next := map[string]string{"": "2", "2": "3", "3": ""}[query.Get("continue")]
		fmt.Fprintf(w, `{"metadata":{"continue":%q},"items":[{"metadata":{"name":"page-%s"}}]}`, next, query.Get("continue"))
	}))
	c, err := client.New(cfg, "tester", known...)
	if err != nil {
		t.Fatal(err)
	}
	list, err := client.List[corev1.Pod](t.Context(), c, "default", client.Labels("app=web"))
	if err != nil || len(list) != 3 || list[2].Name != "page-3" {
		t.Errorf("listed %v, %v", list, err)
	}
}
