package emit

import (
	"slices"
	"strings"
)

// groupImports puts the standard library before the other packages, separated by a blank line, as people do; jennifer makes one block.
func groupImports(text string) string {
	const opening = "\nimport (\n"
	start := strings.Index(text, opening)
	if start < 0 {
		return text
	}
	start += len(opening)
	end := start + strings.Index(text[start:], "\n)")
	var std, others []string
	for _, line := range strings.Split(text[start:end], "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if first, _, _ := strings.Cut(importPath(line), "/"); strings.Contains(first, ".") {
			others = append(others, line)
		} else {
			std = append(std, line)
		}
	}
	byPath := func(a, b string) int { return strings.Compare(importPath(a), importPath(b)) }
	slices.SortFunc(std, byPath)
	slices.SortFunc(others, byPath)
	groups := slices.DeleteFunc([]string{strings.Join(std, "\n"), strings.Join(others, "\n")}, func(s string) bool { return s == "" })
	return text[:start] + strings.Join(groups, "\n\n") + text[end:]
}

// importPath is the path in an import line.
func importPath(line string) string {
	_, quoted, _ := strings.Cut(line, `"`)
	path, _, _ := strings.Cut(quoted, `"`)
	return path
}
