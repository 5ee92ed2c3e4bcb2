package main

import (
	"io"

	"github.com/spf13/cobra"
)

// flags are those of the command without a sub-command.
type flags struct {
	crdDir  string
	check   bool
	explain bool
	tags    string
}

func rootCommand(stdout, stderr io.Writer) *cobra.Command {
	var f flags
	root := &cobra.Command{
		Use:   "kopfgen [packages]",
		Short: "Make a Kubernetes operator of Go functions with markers",
		Long: `kopfgen reads the +kopf markers of Go packages and writes what makes an operator of them: zz_generated.kopf.go into the operator's package,
zz_generated.deepcopy.go beside the types of its kinds, and the CustomResourceDefinitions of these kinds.

Packages are directories, "..." included; the default is the current one. Every mistake is printed with its position, and then nothing is
written. Files that are fresh are not touched.`,
		Example: `  //go:generate go tool kopfgen
  kopfgen ./...
  kopfgen --check ./...     # in CI: fail if a file is stale`,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, packages []string) error {
			return generate(cmd.Context(), f, packages, stdout, stderr)
		},
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.Flags().StringVar(&f.crdDir, "crd-dir", "", "directory for CRDs (default config/crd below each operator)")
	root.Flags().BoolVar(&f.check, "check", false, "write nothing; list the files that are stale and fail if there are any")
	root.Flags().BoolVarP(&f.explain, "verbose", "v", false, "show what was understood: what each operator watches, and how each parameter gets its value")
	root.Flags().StringVar(&f.tags, "tags", "", "build tags, separated by commas")
	root.AddCommand(versionCommand())
	return root
}
