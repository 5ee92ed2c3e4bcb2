package model

import "path/filepath"

// The base names of the generated Go files. Whatever reads an author's package must not see what an earlier run has written.
const (
	OperatorFile = "zz_generated.kopf.go"
	// DeepCopyFile stands beside the types; controller-gen gives its own file the same name.
	DeepCopyFile = "zz_generated.deepcopy.go"
)

// Generated reports whether a path is that of a generated Go file.
func Generated(path string) bool {
	base := filepath.Base(path)
	return base == OperatorFile || base == DeepCopyFile
}
