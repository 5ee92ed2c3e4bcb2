package emit

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"path"
	"regexp"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"

	"github.com/kopfgen/kopfgen/generator/model"
)

// versioned matches the names of packages that are versions of an API.
var versioned = regexp.MustCompile(`^v\d+((alpha|beta)\d+)?$`)

// known is the name under which people import a package: its own name or, for versions of an API, one like metav1 or corev1.
func known(importPath, packageName string) string {
	group := path.Base(path.Dir(importPath))
	if versioned.MatchString(packageName) && token.IsIdentifier(group) {
		return group + packageName
	}
	return packageName
}

// names hands out identifiers that clash neither with the author's nor with each other.
type names struct {
	op *model.Operator
	// author holds the names of the package's scope, and files those under which its files import others: an import of the generated file
	// may have the same name, but a declaration may not.
	author, files map[string]bool
	// taken are the author's names and those handed out.
	taken map[string]bool
	// imports are the names of imported packages, by path; they stay the same in every pass.
	imports map[string]imported
}

type imported struct {
	name  string
	alias bool
}

func newNames(op *model.Operator) *names {
	n := &names{op: op, author: map[string]bool{}, files: map[string]bool{}, imports: map[string]imported{}}
	for _, name := range op.Package.Scope().Names() {
		n.author[name] = true
	}
	for _, p := range op.Package.Imports() {
		n.files[p.Name()] = true
	}
	for _, name := range op.ImportNames {
		n.files[name] = true
	}
	n.reset()
	return n
}

// reset forgets everything but the author's names and the imports.
func (n *names) reset() {
	n.taken = maps.Clone(n.author)
	for _, i := range n.imports {
		n.taken[i.name] = true
	}
}

// global returns a free name for a declaration of the package's scope.
func (n *names) global(wanted string) string {
	taken := maps.Clone(n.taken)
	maps.Copy(taken, n.files)
	name := free(wanted, taken)
	n.taken[name] = true
	return name
}

// locals begins the scope of a function.
func (n *names) locals() *locals { return &locals{taken: maps.Clone(n.taken)} }

// locals hands out the names of one function's parameters and variables.
type locals struct{ taken map[string]bool }

func (l *locals) name(wanted string) string {
	name := free(wanted, l.taken)
	l.taken[name] = true
	return name
}

// free returns the wanted name, numbered if it is taken.
func free(wanted string, taken map[string]bool) string {
	for i, name := 2, wanted; ; i++ {
		if !taken[name] && !token.IsKeyword(name) {
			return name
		}
		name = fmt.Sprintf("%s%d", wanted, i)
	}
}

// qualified returns a name of a package, which is imported unless it is the operator's own.
func (n *names) qualified(importPath, packageName, name string) *jen.Statement {
	if importPath == n.op.Package.Path() {
		return jen.Id(name)
	}
	if _, named := n.imports[importPath]; !named {
		wanted := known(importPath, packageName)
		taken := maps.Clone(n.taken)
		for _, reserved := range []string{"h", "c", "s", "ctx", "old", "new", "err"} {
			taken[reserved] = true
		}
		chosen := free(wanted, taken)
		n.taken[chosen] = true
		n.imports[importPath] = imported{name: chosen, alias: chosen != packageName || chosen != path.Base(importPath)}
	}
	return jen.Qual(importPath, name)
}

// declare gives the file the names under which packages are imported.
func (n *names) declare(f *jen.File) {
	for importPath, i := range n.imports {
		if i.alias {
			f.ImportAlias(importPath, i.name)
		} else {
			f.ImportName(importPath, i.name)
		}
	}
}

// of returns the name of something that is declared at package level.
func (n *names) of(p *types.Package, name string) *jen.Statement {
	if p == nil {
		return jen.Id(name)
	}
	return n.qualified(p.Path(), p.Name(), name)
}

func upperFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

func lowerFirst(s string) string {
	// Leading capitals go as in JSON names: HTTPProxy becomes httpProxy.
	runes := []rune(s)
	for i, r := range runes {
		if !unicode.IsUpper(r) || i > 0 && i+1 < len(runes) && !unicode.IsUpper(runes[i+1]) {
			break
		}
		runes[i] = unicode.ToLower(r)
	}
	return string(runes)
}
