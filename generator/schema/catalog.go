package schema

import (
	"cmp"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/gobuffalo/flect"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kopfgen/kopfgen/generator/source"
	"github.com/kopfgen/kopfgen/internal/diagnostic"
)

// Catalog knows the kinds of a program.
type Catalog struct {
	program *source.Program
	kinds   map[*types.TypeName]*Kind
	lines   map[string][]string // of imported files
}

// NewCatalog returns an empty catalog; kinds are examined when they are asked for.
func NewCatalog(program *source.Program) *Catalog {
	return &Catalog{program: program, kinds: map[*types.TypeName]*Kind{}, lines: map[string][]string{}}
}

// Of returns the kind that a Go type is, if it is one.
func (c *Catalog) Of(t types.Type) (*Kind, bool) {
	n, ok := IsKind(t)
	if !ok {
		return nil, false
	}
	k := c.kinds[n.Obj()]
	if k == nil {
		k = c.describe(n)
		c.kinds[n.Obj()] = k
	}
	return k, true
}

// In lists the kinds that a package declares, in the order of the source where there is one.
func (c *Catalog) In(pkg *types.Package) []*Kind {
	var all []*Kind
	for _, name := range pkg.Scope().Names() {
		if tn, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok && !tn.IsAlias() {
			if k, ok := c.Of(tn.Type()); ok {
				all = append(all, k)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *Kind) int { return cmp.Compare(a.Pos, b.Pos) })
	return all
}

// Having lists the kinds whose spec or status is the type part, among those of the package that declares the type and of one more.
func (c *Catalog) Having(part types.Type, beside *types.Package) []*Kind {
	n, ok := types.Unalias(part).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return nil
	}
	pkgs := []*types.Package{n.Obj().Pkg()}
	if beside != n.Obj().Pkg() {
		pkgs = append(pkgs, beside)
	}
	var all []*Kind
	for _, pkg := range pkgs {
		for _, k := range c.In(pkg) {
			if k.SpecOf(part) || k.StatusOf(part) {
				all = append(all, k)
			}
		}
	}
	return all
}

// Check reports why a kind cannot be handled, where it is declared or, for an imported kind, at the place that wants it. It returns whether
// the kind can be handled.
func (c *Catalog) Check(k *Kind, at token.Pos, diags *diagnostic.List) bool {
	for _, p := range k.problems {
		pos := p.pos
		if !pos.IsValid() {
			pos = at
		}
		diags.Addf(c.program.Position(pos), codeIncomplete, p.hint, "%s", p.message)
	}
	return len(k.problems) == 0
}

// versionLike matches the versions of APIs.
var versionLike = regexp.MustCompile(`^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$`)

func (c *Catalog) describe(n *types.Named) *Kind {
	k := &Kind{Name: n.Obj().Name(), Type: n, Namespaced: true, Pos: n.Obj().Pos()}
	k.Plural = Plural(k.Name)
	k.Spec, k.Status = part(n, "spec"), part(n, "status")
	if pkg := c.program.Find(n.Obj().Pkg().Path()); pkg != nil && pkg.Types == n.Obj().Pkg() {
		k.Declared, k.Dir = true, pkg.Dir
		c.own(k, pkg)
	} else {
		c.foreign(k)
	}
	return k
}

// part returns the type of the kind's spec or status, if it is a defined type.
func part(n *types.Named, name string) types.Type {
	f, ok := Member(n, name)
	if !ok {
		return nil
	}
	if named, ok := Named(f.Type()); ok {
		return named
	}
	return nil
}

// Plural is the resource name of a kind that does not say otherwise, by the rule of controller-tools, so that what is watched is what the CRD
// defines.
func Plural(kind string) string { return strings.ToLower(flect.Pluralize(kind)) }

// own describes a kind of a loaded package.
func (c *Catalog) own(k *Kind, pkg *source.Package) {
	k.applyMarkers(typeMarkers(pkg, k.Name))
	group, version, hasGroup := groupVersion(pkg.Comment())
	k.Group, k.Version = group, cmp.Or(version, pkg.Name)
	add := func(hint, message string) { k.problems = append(k.problems, problem{k.Pos, message, hint}) }
	for _, marker := range []string{"+groupName=", "+versionName="} {
		if values := valuesOf(pkg.Comment(), marker); len(values) > 1 {
			add("a package holds one version of one group: keep one of them", "the package of "+k.Name+" says "+marker+strings.Join(values, " and "+marker))
		}
	}
	switch {
	case len(validation.IsDNS1035Label(strings.ToLower(k.Name))) > 0:
		add("use ASCII letters and digits", k.Name+" cannot name a kind in Kubernetes")
	case len(validation.IsDNS1035Label(k.Plural)) > 0:
		add("use lower case letters and digits, as in path=things", k.Plural+" cannot name the resource of "+k.Name)
	}
	if k.scope != "" && k.scope != "Cluster" && k.scope != "Namespaced" {
		add("write scope=Cluster or scope=Namespaced", k.Name+" has the unknown scope "+k.scope)
	}
	switch {
	case !hasGroup || group == "":
		add("write +groupName=demo.example.com in the comment above the package clause", k.Name+" has no API group")
	case len(validation.IsDNS1123Subdomain(group)) > 0 || !strings.Contains(group, "."):
		add("a group is a domain name in lower case, such as demo.example.com", "the API server refuses the group "+group+" of "+k.Name)
	}
	if hasGroup && len(validation.IsDNS1035Label(k.Version)) > 0 || version == "" && !versionLike.MatchString(k.Version) {
		add("write +versionName=v1 in the comment above the package clause", k.Name+" has no version: the package is named "+pkg.Name)
	}
	if !k.Type.Obj().Exported() {
		add("the name of a kind must begin with a capital letter", k.Name+" is not exported")
	}
	st := k.Type.Underlying().(*types.Struct)
	for _, want := range []struct{ embedded, json, tag string }{
		{"TypeMeta", "", `json:",inline"`}, {"ObjectMeta", "metadata", `json:"metadata,omitempty"`},
	} {
		i := embeds(st, want.embedded)
		if name, _, _ := strings.Cut(jsonTag(st, i), ","); name != want.json {
			k.problems = append(k.problems, problem{st.Field(i).Pos(), k.Name + " embeds " + want.embedded + " with the wrong json tag", "write `" + want.tag + "`"})
		}
	}
}

// foreign describes a kind of an imported package.
func (c *Catalog) foreign(k *Kind) {
	pkg := k.Type.Obj().Pkg()
	src := c.readForeign(k.Type.Obj())
	k.applyMarkers(src.markers)
	if slices.Contains(src.markers, "+genclient:nonNamespaced") {
		k.Namespaced = false
	}
	add := func(hint, message string) {
		k.problems = append(k.problems, problem{message: message, hint: hint})
	}
	if pkg.Scope().Lookup(k.Name+"List") == nil {
		add("", k.String()+" has no "+k.Name+"List beside it, so it cannot be listed or watched")
	}
	hasGroup := false
	if name, ok := pkg.Scope().Lookup("GroupName").(*types.Const); ok && name.Val().Kind() == constant.String {
		k.Group, hasGroup = constant.StringVal(name.Val()), true
	}
	group, version, inSource := groupVersion(src.comment)
	if !hasGroup {
		k.Group, hasGroup = group, inSource
	}
	k.Version = version
	if k.Version == "" && versionLike.MatchString(pkg.Name()) {
		k.Version = pkg.Name()
	}
	if !hasGroup {
		k.problems = append(k.problems, problem{message: "the API group of " + k.String() + " is not known", hint: needsGroup})
	}
	if k.Version == "" {
		k.problems = append(k.problems, problem{message: "the version of " + k.String() + " is not known", hint: needsVersion})
	}
}

// The hints for problems that an argument of the marker solves.
const (
	needsGroup   = "add group=, for example group=apps; group=\"\" is the core group"
	needsVersion = "add version=, for example version=v1"
)

// With returns the kind as completed by the arguments of a marker; nil means that an argument was not given. It is false if they contradict
// what is known.
func (k *Kind) With(group, version *string) (*Kind, bool) {
	if group == nil && version == nil {
		return k, true
	}
	completed := *k
	completed.problems = slices.Clone(k.problems)
	for _, arg := range []struct {
		given *string
		known *string
		hint  string
	}{{group, &completed.Group, needsGroup}, {version, &completed.Version, needsVersion}} {
		if arg.given == nil {
			continue
		}
		before := len(completed.problems)
		completed.problems = slices.DeleteFunc(completed.problems, func(p problem) bool { return p.hint == arg.hint })
		if len(completed.problems) == before && *arg.given != *arg.known {
			return k, false
		}
		*arg.known = *arg.given
	}
	return &completed, true
}
