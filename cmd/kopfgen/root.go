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
		Short: "Generate a Kubernetes operator from Go functions with markers",
		Long: `kopfgen reads the +kopf markers of Go packages and writes the rest of the operator: zz_generated.kopf.go into its package,
zz_generated.deepcopy.go next to the types of its kinds, and the CustomResourceDefinitions of these kinds.

Packages are directories and may end in "..."; the default is the current one. If there are mistakes, each is printed with its position
and nothing is written. Files that would not change are left alone.`,
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
	root.Flags().BoolVarP(&f.explain, "verbose", "v", false, "show what each operator watches and where each parameter gets its value")
	root.Flags().StringVar(&f.tags, "tags", "", "build tags, separated by commas")
	root.AddCommand(versionCommand())
	return root
}
