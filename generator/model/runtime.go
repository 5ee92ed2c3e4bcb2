package model

// The import paths of the runtime packages that authors use and generated code calls.
const (
	KopfPath     = "github.com/kopfgen/kopfgen/runtime"
	OperatorPath = "github.com/kopfgen/kopfgen/runtime/operator"
	ClientPath   = "github.com/kopfgen/kopfgen/runtime/client"
	ChildrenPath = "github.com/kopfgen/kopfgen/runtime/children"
)
