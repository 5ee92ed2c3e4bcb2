#!/bin/sh
# Tidies go.mod and go.sum of this module, for the version of k8s.io/kubernetes that go.mod requires.
#
# Kubernetes requires its staging modules (k8s.io/api, k8s.io/client-go, …) at v0.0.0 and replaces them by directories of its own
# repository. Building needs no replacement, because go.mod names the published versions and they win. "go mod tidy" looks at the
# v0.0.0 too, so it is given a copy of go.mod with replacements, and the result is taken over without them. To move to another
# Kubernetes, edit its version in go.mod and run this.
set -eu
cd "$(dirname "$0")"

version=$(go list -m -f '{{.Version}}' k8s.io/kubernetes)
staged_version=v0.${version#v1.}
staged=$(sed -n 's/^\t\(k8s\.io\/[a-z-]*\) v0\.0\.0$/\1/p' "$(go mod download -json k8s.io/kubernetes@"$version" | sed -n 's/^\t"GoMod": "\(.*\)",$/\1/p')")

work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
cp go.mod "$work/tidy.mod"
cp go.sum "$work/tidy.sum"
for module in $staged; do
	go mod edit -require="$module@$staged_version" -replace="$module=$module@$staged_version" "$work/tidy.mod"
done
go mod tidy -modfile="$work/tidy.mod"
for module in $staged; do
	go mod edit -dropreplace="$module" -require="$module@$staged_version" "$work/tidy.mod"
done
cp "$work/tidy.mod" go.mod
cp "$work/tidy.sum" go.sum
# The modules that tidying found unused have no checksums yet.
go list -mod=mod -m all >/dev/null
