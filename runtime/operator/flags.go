package operator

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kopfgen/kopfgen/runtime/internal/logging"
)

// runFlags are the flags of "run".
type runFlags struct {
	allNamespaces         bool
	namespaces            []string
	kubeconfig, context   string
	verbose, debug, quiet bool
	logFormat             string
}

func (f *runFlags) register(flags *pflag.FlagSet) {
	flags.SortFlags = false
	flags.BoolVarP(&f.allNamespaces, "all-namespaces", "A", false, "serve all namespaces of the cluster")
	flags.StringArrayVarP(&f.namespaces, "namespace", "n", nil, "serve this namespace; may be repeated")
	flags.StringVar(&f.kubeconfig, "kubeconfig", "", "the kubeconfig file; $KUBECONFIG, ~/.kube/config or the pod's service account unless given")
	flags.StringVar(&f.context, "context", "", "the context of the kubeconfig; its current one unless given")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "log what the operator decides, too")
	flags.BoolVarP(&f.debug, "debug", "d", false, "the same as --verbose")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "log warnings and errors only")
	flags.StringVar(&f.logFormat, "log-format", string(logging.Full), "how log records look: full, plain or json; text is another name of full")
}

// environment names the variables of those flags whose variables Kopf does not name after the flag.
var environment = map[string][]string{
	"all-namespaces": {"KOPF_RUN_CLUSTERWIDE"},
	"namespace":      {"KOPF_RUN_NAMESPACES", "KOPF_RUN_NAMESPACE"},
}

// fromEnvironment sets flags that were not given from the variables that Kopf reads for the same purpose.
func (f *runFlags) fromEnvironment(flags *pflag.FlagSet, environ []string) error {
	variables := map[string]string{}
	for _, pair := range environ {
		if name, value, ok := strings.Cut(pair, "="); ok && value != "" {
			variables[name] = value
		}
	}
	var errs []error
	flags.VisitAll(func(flag *pflag.Flag) {
		if flag.Changed {
			return
		}
		names, ok := environment[flag.Name]
		if !ok {
			names = []string{"KOPF_RUN_" + strings.ToUpper(strings.ReplaceAll(flag.Name, "-", "_"))}
		}
		for _, name := range names {
			values := []string{variables[name]}
			switch flag.Value.Type() {
			case "stringArray":
				values = strings.Fields(variables[name])
			case "bool":
				values[0] = spelled(values[0])
			}
			for _, value := range values {
				if value == "" {
					continue
				}
				if err := flags.Set(flag.Name, value); err != nil {
					errs = append(errs, fmt.Errorf("variable %s: %w", name, err))
				}
			}
		}
	})
	return errors.Join(errs...)
}

// spelled turns the words for true and false that Kopf knows and Go does not into Go's.
func spelled(truth string) string {
	switch strings.ToLower(truth) {
	case "yes", "y", "on":
		return "true"
	case "no", "n", "off":
		return "false"
	}
	return truth
}

// options turns the flags into options whose logger writes to w.
func (f *runFlags) options(w io.Writer) (Options, error) {
	format, err := logging.ParseFormat(f.logFormat)
	if err != nil {
		return Options{}, err
	}
	level := slog.LevelInfo
	switch {
	case f.verbose || f.debug:
		level = slog.LevelDebug
	case f.quiet:
		level = slog.LevelWarn
	}
	opts := Options{Namespaces: f.namespaces, Logger: logging.New(w, format, level)}
	if f.allNamespaces && len(f.namespaces) > 0 {
		return opts, errors.New("all namespaces (-A) and some of them (-n) exclude each other")
	}
	if !f.allNamespaces && len(f.namespaces) == 0 {
		opts.Logger.Warn("neither -A nor -n is given; serving all namespaces")
	}
	return opts, opts.check()
}

// cluster finds the cluster, unless the operator has login handlers to do so.
func (f *runFlags) cluster(d Definition) (*rest.Config, error) {
	if len(ofKind(d.Activities, OnLogin)) > 0 {
		if f.kubeconfig != "" || f.context != "" {
			return nil, usageError{errors.New("the operator logs in by itself: --kubeconfig and --context would have no effect")}
		}
		return nil, nil
	}
	cfg, err := f.config()
	if err != nil {
		return nil, fmt.Errorf("finding the cluster: %w", err)
	}
	return cfg, nil
}

// config finds the cluster as kubectl does, and in a pod by its service account.
func (f *runFlags) config() (*rest.Config, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = f.kubeconfig
	return clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &clientcmd.ConfigOverrides{CurrentContext: f.context}).ClientConfig()
}
