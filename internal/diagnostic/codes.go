package diagnostic

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Code documents one kind of mistake.
type Code struct {
	// ID is "KG" and three digits. Packages own ranges: markers has KG001 to KG039, the generator KG040 and above.
	// An ID is never given a second meaning, since people search for it.
	ID string
	// Title is a few words, lower case.
	Title string
	// Explanation is Markdown: what the rule is, why it is there, and what to write instead.
	Explanation string
}

// Table is the codes that one package reports. Each package that adds diagnostics exports its own.
type Table []Code

var codeID = regexp.MustCompile(`^KG\d{3}$`)

// Check returns an error about the first code that is malformed, undocumented or declared twice. It is for tests: one of them calls it
// with the tables of all stages.
func Check(tables ...Table) error {
	seen := map[string]string{}
	for _, c := range slices.Concat(tables...) {
		switch other, dup := seen[c.ID]; {
		case !codeID.MatchString(c.ID):
			return fmt.Errorf("code %q: not KG and three digits", c.ID)
		case dup:
			return fmt.Errorf("code %s: declared as %q and as %q", c.ID, other, c.Title)
		case c.Title == "" || c.Explanation == "":
			return fmt.Errorf("code %s: no title or no explanation", c.ID)
		}
		seen[c.ID] = c.Title
	}
	return nil
}

// Reference renders the tables as a Markdown page, sorted by id.
func Reference(tables ...Table) string {
	all := slices.Concat(tables...)
	slices.SortStableFunc(all, func(a, b Code) int { return strings.Compare(a.ID, b.ID) })
	var b strings.Builder
	b.WriteString("# Diagnostics\n\n<!-- Generated from the tables in the source. DO NOT EDIT. -->\n\n")
	b.WriteString("Every message of kopfgen about a mistake ends with a code, which this page explains. A run reports all mistakes that it finds; if there are any, it writes no files.\n")
	for _, c := range all {
		fmt.Fprintf(&b, "\n## %s: %s\n\n%s\n", c.ID, c.Title, c.Explanation)
	}
	return b.String()
}
