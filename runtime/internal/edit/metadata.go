package edit

import (
	"slices"
	"strings"

	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

// RefusedError says that a handler edited what it must not. The API server would answer some such patches with success and drop the change
// (generation, creationTimestamp, managedFields), accept others though they no longer mean anything (generateName), and let the operator's
// own records be overwritten; so they are refused here, before anything is sent.
type RefusedError struct {
	// Fields are the dotted paths.
	Fields []string
}

func (e *RefusedError) Error() string {
	return "edit refused: " + strings.Join(e.Fields, ", ") +
		": handlers may edit anything but apiVersion, kind, the metadata other than labels, annotations, finalizers and ownerReferences," +
		" and the annotations of the operator itself"
}

// metadata adds the difference of the metadata to c and returns the paths that are refused.
func (d *differ) metadata(c *Change, keys *keyTree, beforeAny, afterAny any, prefix string) (refused []string) {
	before, _ := beforeAny.(map[string]any)
	after, _ := afterAny.(map[string]any)
	patch := map[string]any{}
	for _, name := range tree.Names(before, after) {
		was, is := before[name], after[name]
		switch name {
		case "labels", "annotations":
			// Member by member even when all are gone: what others have added in the meantime is not ours to remove.
			was, is := tree.Object(was), tree.Object(is)
			changes := d.object([]string{"metadata", name}, nil, was, is)
			if name == "annotations" && prefix != "" {
				for _, key := range tree.Names(changes, nil) {
					if strings.HasPrefix(key, prefix+"/") {
						refused = append(refused, "metadata.annotations["+key+"]")
					}
				}
			}
			if len(changes) > 0 {
				patch[name] = changes
			}
		case "ownerReferences":
			references := keys.step(name)
			if references == nil {
				references = &keyTree{names: []string{"uid"}}
			}
			if v, changed := d.member([]string{"metadata", name}, references, was, is); changed {
				patch[name] = v
			}
		case "finalizers":
			c.RemoveFinalizers = missing(was, is)
			c.AddFinalizers = missing(is, was)
		default:
			if !tree.Equal(was, is) {
				refused = append(refused, "metadata."+name)
			}
		}
	}
	if len(patch) > 0 {
		c.put("metadata", patch)
	}
	return refused
}

// missing returns the strings of one list that the other lacks, in order and once each.
func missing(have, lack any) []string {
	list, _ := have.([]any)
	other, _ := lack.([]any)
	var out []string
	for _, v := range list {
		s, ok := v.(string)
		if ok && !slices.Contains(other, v) && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
