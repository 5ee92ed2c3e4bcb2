package facts

// CRDs defines the custom resources that the checks use:
//   - gadgets have a schema with a default, a status sub-resource whose schema prunes, a selectable field, and a second version
//     that lacks the field spec.note;
//   - blobs have no schema at all, and no status sub-resource.
const CRDs = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.facts.kopf.dev}
spec:
  group: facts.kopf.dev
  scope: Namespaced
  names: {kind: Gadget, plural: gadgets, singular: gadget}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    selectableFields: [{jsonPath: .spec.tier}]
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            default: {}
            properties:
              size: {type: integer, default: 3}
              tier: {type: string}
              note: {type: string}
          status:
            type: object
            properties:
              phase: {type: string}
  - name: v2
    served: true
    storage: false
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            default: {}
            properties:
              size: {type: integer, default: 3}
              tier: {type: string}
          status:
            type: object
            properties:
              phase: {type: string}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: blobs.facts.kopf.dev}
spec:
  group: facts.kopf.dev
  scope: Namespaced
  names: {kind: Blob, plural: blobs, singular: blob}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`
