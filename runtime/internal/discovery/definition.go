package discovery

import (
	"context"
	"encoding/json"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/kopfgen/kopfgen/runtime/internal/api"
)

var definitions = api.Resource{Group: "apiextensions.k8s.io", Version: "v1", Plural: "customresourcedefinitions"}

// Definition is what the CRD of a resource says about how its fields get into the store.
type Definition struct {
	Resource api.Resource
	// Stored is the version in which new and changed objects are stored.
	Stored string
	// Converted tells that a webhook converts between versions. Otherwise conversion changes nothing but the apiVersion.
	Converted bool
	// KeepsStatus tells that the status may hold fields that the schema does not name. Otherwise the server drops them in silence, and
	// results of handlers with them.
	KeepsStatus bool
}

// Define reads the CRD of a resource. It reports false, without an error, if the resource has none, or if the operator may not read it:
// what a definition tells is good to know, not necessary.
func Define(ctx context.Context, client *api.Client, r api.Resource) (Definition, bool, error) {
	if r.Group == "" {
		return Definition{}, false, nil
	}
	body, err := client.Get(ctx, definitions.Path("", r.Plural+"."+r.Group, ""), nil)
	if apierrors.IsNotFound(err) || apierrors.IsForbidden(err) {
		return Definition{}, false, nil
	}
	if err != nil {
		return Definition{}, false, fmt.Errorf("reading the definition of resource %s: %w", r, err)
	}
	var d definition
	if err := json.Unmarshal(body, &d); err != nil {
		return Definition{}, false, fmt.Errorf("reading the definition of resource %s: %w", r, err)
	}
	return d.of(r), true, nil
}

// Warning says what is dangerous about working on the resource; "" if nothing is.
//
// A patch of an object makes the server decode it as the version of the request, drop the fields that this version does not have, and
// store the rest as the stored version. Without a conversion, an operator thus destroys data merely by writing an annotation.
func (d Definition) Warning() string {
	if d.Converted || d.Stored == "" || d.Stored == d.Resource.Version {
		return ""
	}
	return fmt.Sprintf("objects of resource %s are stored as %s and not converted: every change through %s, even of an annotation, drops the fields"+
		" that %s does not have; let the operator work on %s, or give the CRD a conversion webhook",
		d.Resource, d.Stored, d.Resource.Version, d.Resource.Version, d.Stored)
}

// definition is what matters of a CustomResourceDefinition.
type definition struct {
	Spec struct {
		PreserveUnknownFields bool `json:"preserveUnknownFields"`
		Conversion            struct {
			Strategy string `json:"strategy"`
		} `json:"conversion"`
		Versions []struct {
			Name    string `json:"name"`
			Storage bool   `json:"storage"`
			Schema  struct {
				OpenAPI schema `json:"openAPIV3Schema"`
			} `json:"schema"`
		} `json:"versions"`
	} `json:"spec"`
}

// schema is what decides about unknown fields of an object.
type schema struct {
	Preserve   bool `json:"x-kubernetes-preserve-unknown-fields"`
	Additional any  `json:"additionalProperties"` // false, true or a schema
	Properties struct {
		Status *schema `json:"status"`
	} `json:"properties"`
}

func (d definition) of(r api.Resource) Definition {
	def := Definition{Resource: r, Converted: d.Spec.Conversion.Strategy == "Webhook"}
	for _, v := range d.Spec.Versions {
		if v.Storage {
			def.Stored = v.Name
		}
		if v.Name == r.Version {
			def.KeepsStatus = d.Spec.PreserveUnknownFields || v.Schema.OpenAPI.keepsStatus()
		}
	}
	return def
}

// keepsStatus tells whether unknown fields of the status survive. A schema that keeps what it does not name does so on its own level only, so
// that a status that it names decides for itself.
func (s schema) keepsStatus() bool {
	status := s.Properties.Status
	if status == nil {
		return s.Preserve
	}
	return status.Preserve || status.Additional != nil && status.Additional != false
}
