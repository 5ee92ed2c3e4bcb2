package edit

import "strings"

// keyTree holds the list map keys by path, to be walked in step with an object. A nil tree has none.
type keyTree struct {
	names []string
	below map[string]*keyTree
}

func newKeys(byPath map[string][]string) *keyTree {
	root := &keyTree{}
	for path, names := range byPath {
		node := root
		for name := range strings.SplitSeq(path, ".") {
			next := node.below[name]
			if next == nil {
				next = &keyTree{}
				if node.below == nil {
					node.below = map[string]*keyTree{}
				}
				node.below[name] = next
			}
			node = next
		}
		node.names = names
	}
	return root
}

// step returns the tree below a member.
func (t *keyTree) step(name string) *keyTree {
	if t == nil {
		return nil
	}
	if next, ok := t.below[name]; ok {
		return next
	}
	return t.below["*"]
}

// of returns the members that identify an element of this list.
func (t *keyTree) of() []string {
	if t == nil {
		return nil
	}
	return t.names
}
