package markers

import (
	"fmt"
	"slices"
	"strings"

	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"
)

//go:generate go test . -run TestReferenceIsFresh -update

// Reference renders the definitions and their help as a Markdown page.
func Reference() string {
	var b strings.Builder
	b.WriteString(referenceIntro)

	fmt.Fprintf(&b, "\n## +kopf:on\n\n`//+kopf:on=<kind>[;<kind>…][,argument=value…]` %s %s\n", handlerHelp.Summary, handlerHelp.Details)
	fmt.Fprintf(&b, "\n`on` says %s\n", handlers.help(handlerHelp, "on"))
	b.WriteString("\n| kind | the handler runs |\n| --- | --- |\n")
	for _, k := range kindTable {
		if !k.later {
			fmt.Fprintf(&b, "| `%s` | %s |\n", k.kind, k.runs)
		}
	}
	b.WriteString("\n" + kindsNote() + "\n")
	for i, section := range sections {
		names := handlers.names()
		from, to := slices.Index(names, section.first), len(names)
		if i+1 < len(sections) {
			to = slices.Index(names, sections[i+1].first)
		}
		fmt.Fprintf(&b, "\n### %s\n\n| argument | value | kinds | meaning |\n| --- | --- | --- | --- |\n", section.title)
		for _, arg := range names[from:to] {
			if kinds := appliesTo(arg); kinds != "" {
				fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", arg, formLink(handlers.form(arg)), kinds, handlers.help(handlerHelp, arg))
			}
		}
	}

	fmt.Fprintf(&b, "\n## +kopf:operator\n\n`//+kopf:operator=<name>[,argument=value…]` %s %s\n", operatorHelp.Summary, operatorHelp.Details)
	b.WriteString("\n| argument | value | meaning |\n| --- | --- | --- |\n")
	for _, arg := range operators.names() {
		if !later[arg] {
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", arg, formLink(operators.form(arg)), operators.help(operatorHelp, arg))
		}
	}

	b.WriteString("\n## Values\n\n| value | what it is | example |\n| --- | --- | --- |\n")
	for _, f := range valueForms {
		fmt.Fprintf(&b, "| %s | %s | `%s` |\n", f.form, cell(f.help), f.example)
	}

	b.WriteString(laterIntro)
	for _, k := range kindTable {
		if k.later {
			fmt.Fprintf(&b, "* `on=%s`: %s\n", k.kind, k.runs)
		}
	}
	for _, arg := range handlers.names() {
		if appliesTo(arg) == "" {
			fmt.Fprintf(&b, "* `%s`: %s\n", arg, handlers.help(handlerHelp, arg))
		}
	}
	for _, arg := range operators.names() {
		if later[arg] {
			fmt.Fprintf(&b, "* `%s` of the operator: %s\n", arg, operators.help(operatorHelp, arg))
		}
	}
	return b.String()
}

const referenceIntro = `# Markers

<!-- Generated from the definitions in package markers. DO NOT EDIT. -->

A marker is a line comment that starts with ` + "`//+kopf:` or `// +kopf:`" + `. It stands in the doc comment of a function or method, or of the
package, or in the comment above that, separated by exactly one blank line:

` + "```go" + `
//+kopf:on=create;update,labels="tier in (web,api)",retries=5
func Apply(ctx context.Context, spec GreeterSpec, status *GreeterStatus) error
` + "```" + `

Arguments are separated by commas, elements of a list by semicolons; spaces around them are ignored. A marker takes one line, and all of it: remarks go on a
line of their own. Whatever is not understood is an error at its position; nothing is skipped.
`

// kindsNote explains the column of kinds.
func kindsNote() string {
	var changing, others []string
	for _, k := range kindTable {
		switch {
		case k.later:
		case k.kind.Changing():
			changing = append(changing, "`"+string(k.kind)+"`")
		case !k.kind.OfObject():
			others = append(others, "`"+string(k.kind)+"`")
		}
	}
	return "Below, \"of changes\" means " + listed(changing) + ", and \"of objects\" every kind but " + listed(others) +
		". In a list, an argument must apply to all of the kinds; only `optional` (of `delete`) and `deleted` (of `resume`) may stand beside others."
}

// listed joins words for a sentence: "a, b and c".
func listed(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

const laterIntro = "\n## Not supported yet\n\nThese are part of the grammar and reserved; using them is an error for now. So are functions in place of selectors.\n\n"

// sections divide the arguments of handlers for the reader; first is the argument that begins one.
var sections = []struct{ title, first string }{
	{"Which objects", "kind"},
	{"Errors and retries", "retries"},
	{"Identity and result", "id"},
	{"Daemons, timers and background work", "initialDelay"},
}

// appliesTo names the supported kinds that an argument applies to, or is "" for an argument that is not supported yet.
func appliesTo(arg string) string {
	if later[arg] {
		return ""
	}
	var taking []Kind
	for _, k := range kindsWith(arg) {
		if !k.later {
			taking = append(taking, k.kind)
		}
	}
	for _, group := range kindGroups {
		if name, ok := group.describe(taking); ok {
			return name
		}
	}
	return quotedKinds(taking)
}

// kindGroup is a set of kinds that has a name in the reference.
type kindGroup struct {
	name string
	has  func(Kind) bool
}

// kindGroups are the groups, from the smallest to the largest.
var kindGroups = []kindGroup{
	{"of changes", Kind.Changing},
	{"of objects", Kind.OfObject},
	{"all", func(Kind) bool { return true }},
}

// describe says which of the supported kinds are given, as the group with at most two exceptions, if that can be said.
func (g kindGroup) describe(kinds []Kind) (string, bool) {
	var missing []Kind
	for _, k := range kindTable {
		switch given := slices.Contains(kinds, k.kind); {
		case k.later:
		case given && !g.has(k.kind):
			return "", false
		case !given && g.has(k.kind):
			missing = append(missing, k.kind)
		}
	}
	switch {
	case len(missing) == 0:
		return g.name, true
	case len(missing) > 2:
		return "", false
	}
	return g.name + " but " + quotedKinds(missing), true
}

func quotedKinds(kinds []Kind) string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = "`" + string(k) + "`"
	}
	return strings.Join(names, ", ")
}

// help is the help text of an argument.
func (d definition) help(texts ctmarkers.DefinitionHelp, arg string) string {
	return cell(texts.FieldHelp[d.FieldNames[arg]].Summary)
}

// cell escapes what would end a cell of a table.
func cell(s string) string {
	return strings.ReplaceAll(s, "|", `\|`)
}

// formLink names a form with a link to its explanation.
func formLink(form string) string {
	return "[" + form + "](#values)"
}
