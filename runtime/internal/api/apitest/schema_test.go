package apitest_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kopfgen/kopfgen/runtime/internal/api/apitest"
)

const boxes = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.test.kopf.dev}
spec:
  group: test.kopf.dev
  scope: Cluster
  names: {kind: Box, plural: boxes, singular: box}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size: {type: integer, minimum: 1, maximum: 9}
              share: {type: number, minimum: 0, exclusiveMinimum: true}
              colour: {type: string, enum: [red, blue]}
              label: {type: string, pattern: "^[a-z]+$", maxLength: 4}
              port: {x-kubernetes-int-or-string: true}
              open: {type: boolean, default: true}
              note: {type: string, nullable: true}
              tags: {type: array, maxItems: 2, items: {type: string}}
              parts: {type: object, additionalProperties: {type: object, properties: {weight: {type: integer, default: 5}}}}
`

func TestSchemas(t *testing.T) {
	server := apitest.NewServer()
	if err := server.Define([]byte(boxes)); err != nil {
		t.Fatal(err)
	}
	for i, tt := range []struct {
		object string // without its metadata
		field  string // that is refused
		spec   string // as it is stored, if nothing is
	}{
		{object: `"spec":{"size":1}`, spec: `{"open":true,"size":1}`},
		{object: `"spec":{"size":2.0,"share":0.5,"colour":"red","label":"abcd","open":false}`, spec: `{"colour":"red","label":"abcd","open":false,"share":0.5,"size":2}`},
		{object: `"spec":{"size":1,"port":"http","tags":["a"]}`, spec: `{"open":true,"port":"http","size":1,"tags":["a"]}`},
		{object: `"spec":{"size":1,"port":80,"unknown":1}`, spec: `{"open":true,"port":80,"size":1}`},
		{object: `"spec":{"size":1,"note":null,"colour":null,"open":null}`, spec: `{"note":null,"open":true,"size":1}`},
		{object: `"spec":{"size":1,"parts":{"a":{"unknown":1},"b":{"weight":1}}}`, spec: `{"open":true,"parts":{"a":{"weight":5},"b":{"weight":1}},"size":1}`},
		{object: `"kind":"Box"`, field: "spec"},
		{object: `"spec":{}`, field: "spec.size"},
		{object: `"spec":[]`, field: "spec"},
		{object: `"spec":{"size":"1"}`, field: "spec.size"},
		{object: `"spec":{"size":1.5}`, field: "spec.size"},
		{object: `"spec":{"size":0}`, field: "spec.size"},
		{object: `"spec":{"size":10}`, field: "spec.size"},
		{object: `"spec":{"size":1,"share":0}`, field: "spec.share"},
		{object: `"spec":{"size":1,"colour":"green"}`, field: "spec.colour"},
		{object: `"spec":{"size":1,"label":"A"}`, field: "spec.label"},
		{object: `"spec":{"size":1,"label":"abcde"}`, field: "spec.label"},
		{object: `"spec":{"size":1,"open":"yes"}`, field: "spec.open"},
		{object: `"spec":{"size":1,"tags":["a","b","c"]}`, field: "spec.tags"},
		{object: `"spec":{"size":1,"tags":["a",1]}`, field: "spec.tags[1]"},
		{object: `"spec":{"size":1,"parts":{"a":{"weight":"1"}}}`, field: "spec.parts.a.weight"},
	} {
		const path = "/apis/test.kopf.dev/v1/boxes"
		name := fmt.Sprintf("box-%d", i)
		_, err := server.Do(http.MethodPost, path, "", fmt.Appendf(nil, `{"metadata":{"name":%q},%s}`, name, tt.object))
		field := ""
		if refusal, ok := errors.AsType[*apierrors.StatusError](err); ok {
			field = refusal.ErrStatus.Details.Causes[0].Field
		}
		if field != tt.field || (err != nil) != (tt.field != "") {
			t.Errorf("%s: refused %q (%v), want %q", tt.object, field, err, tt.field)
			continue
		}
		if tt.field != "" {
			continue
		}
		if got := encode(t, server.Object(path + "/" + name)["spec"]); got != tt.spec {
			t.Errorf("%s: stored %s, want %s", tt.object, got, tt.spec)
		}
	}
}

func encode(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
