package manifest

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"sigs.k8s.io/yaml"
)

// TestDefinitionsAreValid asks the API server's own validation about every golden definition.
func TestDefinitionsAreValid(t *testing.T) {
	var files []string
	for _, pattern := range []string{"testdata/*/*.yaml", "../../testdata/generator/ok/*/config/crd/*.yaml", "../../testdata/generator/ok/*/*/config/crd/*.yaml"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", pattern, found, err)
		}
		files = append(files, found...)
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var def apiextensionsv1.CustomResourceDefinition
		if err := yaml.UnmarshalStrict(data, &def); err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		apiextensionsv1.SetDefaults_CustomResourceDefinition(&def)
		apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&def.Spec)
		def.Status.StoredVersions = []string{}
		for _, v := range def.Spec.Versions {
			if v.Storage {
				def.Status.StoredVersions = []string{v.Name}
			}
		}
		var internal apiextensions.CustomResourceDefinition
		if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(&def, &internal, nil); err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		for _, err := range validation.ValidateCustomResourceDefinition(context.Background(), &internal) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
