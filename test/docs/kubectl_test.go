package docs_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/yaml"

	"github.com/kopfgen/kopfgen/internal/controlplane/apply"
)

// actAsKubectl is the variable that makes this test a kubectl, which machines that test need not have. It knows what the quick start
// types, and refuses everything else.
const actAsKubectl = "KOPFGEN_TEST_ACTS_AS_KUBECTL"

func kubectl(args []string) int {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var err error
	switch {
	case len(args) == 3 && args[0] == "apply" && args[1] == "-f":
		err = kubectlApply(ctx, args[2])
	case len(args) == 5 && args[0] == "get" && args[1] == "greeter" && args[3] == "-o" && args[4] == "yaml":
		err = kubectlGet(ctx, args[2])
	default:
		err = fmt.Errorf("this kubectl does not know %q", args)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "kubectl:", err)
		return 1
	}
	return 0
}

// kubectlApply applies the files of a directory, or what is on standard input.
func kubectlApply(ctx context.Context, from string) error {
	cfg, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return err
	}
	applier, err := apply.New(cfg)
	if err != nil {
		return err
	}
	if from == "-" {
		manifest, err := io.ReadAll(os.Stdin)
		if err != nil {
			return err
		}
		_, err = applier.Manifest(ctx, metav1.NamespaceDefault, manifest)
		return err
	}
	files, err := filepath.Glob(filepath.Join(from, "*.yaml"))
	if err == nil && len(files) == 0 {
		err = errors.New("no files in " + from)
	}
	if err != nil {
		return err
	}
	_, err = applier.Files(ctx, metav1.NamespaceDefault, files...)
	return err
}

func kubectlGet(ctx context.Context, name string) error {
	cfg, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return err
	}
	client, err := dynamic.NewForConfig(cfg)
	if err != nil {
		return err
	}
	greeters := client.Resource(schema.GroupVersionResource{Group: "demo.kopf.dev", Version: "v1", Resource: "greeters"})
	object, err := greeters.Namespace(metav1.NamespaceDefault).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	text, err := yaml.Marshal(object)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(text)
	return err
}
