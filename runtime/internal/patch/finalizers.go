package patch

import (
	"slices"
	"strconv"

	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

const finalizersPath = "/metadata/finalizers"

// finalizers returns the finalizers of a state.
func finalizers(state map[string]any) []string {
	value, _ := tree.Get(state, "metadata", "finalizers")
	list, _ := value.([]any)
	var out []string
	for _, v := range list {
		s, _ := v.(string)
		out = append(out, s)
	}
	return out
}

// finalizerOperations returns the JSON patch, with its tests, that adds and removes finalizers; nil if they are as wanted. It tests only what
// it relies on, which is less than the version, so that unrelated changes of the object do not matter: the place of a finalizer that is
// removed, and that there is no list where one is made, since it would replace a list that somebody else has just made.
func finalizerOperations(state map[string]any, uid string, add, remove []string) []operation {
	has := finalizers(state)
	var ops []operation
	for i, f := range slices.Backward(has) { // from the end, so that the places ahead stay true
		if slices.Contains(remove, f) {
			path := finalizersPath + "/" + strconv.Itoa(i)
			ops = append(ops, test(path, f), removal(path))
		}
	}
	missing := addable(state, add)
	if len(has) == 0 && len(missing) > 0 {
		ops = append(ops, test(finalizersPath, nil), addition(finalizersPath, missing))
	} else {
		for _, f := range missing {
			ops = append(ops, addition(finalizersPath+"/-", f))
		}
	}
	if len(ops) == 0 {
		return nil
	}
	return append([]operation{test("/metadata/uid", uid)}, ops...)
}

// addable returns the finalizers to add. An object that is being deleted takes none.
func addable(state map[string]any, add []string) []string {
	if tree.String(state, "metadata", "deletionTimestamp") != "" {
		return nil
	}
	has := finalizers(state)
	return slices.DeleteFunc(slices.Clone(add), func(f string) bool { return slices.Contains(has, f) })
}

// withFinalizers returns a state with finalizers added and removed.
func withFinalizers(state map[string]any, add, remove []string) map[string]any {
	has := finalizers(state)
	wanted := slices.DeleteFunc(slices.Clone(has), func(f string) bool { return slices.Contains(remove, f) })
	wanted = append(wanted, addable(state, add)...)
	if slices.Equal(has, wanted) {
		return state
	}
	state = tree.Copy(state).(map[string]any)
	if len(wanted) == 0 {
		delete(tree.Object(state, "metadata"), "finalizers")
		return state
	}
	list := make([]any, len(wanted))
	for i, f := range wanted {
		list[i] = f
	}
	tree.Set(state, list, "metadata", "finalizers")
	return state
}
