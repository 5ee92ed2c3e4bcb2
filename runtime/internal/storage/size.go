package storage

import "github.com/kopfgen/kopfgen/runtime/internal/tree"

// AnnotationLimit is how many bytes the names and values of all annotations of an object may have together; the API server refuses more.
const AnnotationLimit = 256 << 10

// TooLarge returns how many bytes of annotations the object would have after the merge patch, and whether the API server would refuse
// them.
func TooLarge(object, patch map[string]any) (bytes int, tooLarge bool) {
	merged, _ := tree.Merge(annotations(object), annotations(patch)).(map[string]any)
	for name, value := range merged {
		text, _ := value.(string)
		bytes += len(name) + len(text)
	}
	return bytes, bytes > AnnotationLimit
}
