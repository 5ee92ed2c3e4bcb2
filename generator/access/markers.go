package access

import (
	"errors"
	"go/ast"
	"go/token"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
	"sigs.k8s.io/controller-tools/pkg/rbac"

	"github.com/kopfgen/kopfgen/generator/source"
)

const ruleMarker = "+kubebuilder:rbac"

// Rules reads the +kubebuilder:rbac markers of the operator's packages, wherever they stand in a file.
func (f *Finder) Rules() []rbacv1.PolicyRule {
	var rules []rbacv1.PolicyRule
	for _, pkg := range f.Packages {
		for _, file := range pkg.Files {
			for _, group := range file.Comments {
				rules = append(rules, f.rulesOf(group)...)
			}
		}
	}
	return rules
}

func (f *Finder) rulesOf(group *ast.CommentGroup) []rbacv1.PolicyRule {
	var rules []rbacv1.PolicyRule
	for _, comment := range group.List {
		for _, line := range source.MarkerLines(&ast.CommentGroup{List: []*ast.Comment{comment}}) {
			if !strings.HasPrefix(line, ruleMarker+":") {
				continue
			}
			rule, err := parseRule(line)
			if err != nil {
				f.wrong(comment.Pos()+token.Pos(strings.Index(comment.Text, ruleMarker)), err)
				continue
			}
			rules = append(rules, rule)
		}
	}
	return rules
}

func (f *Finder) wrong(pos token.Pos, err error) {
	f.Diags.Addf(f.Program.Position(pos), codeRule, "write +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list", "%v", err)
}

func parseRule(line string) (rbacv1.PolicyRule, error) {
	parsed, err := rbac.RuleDefinition.Parse(line)
	if err != nil {
		return rbacv1.PolicyRule{}, plain(err)
	}
	rule := parsed.(rbac.Rule)
	switch {
	case rule.Namespace != "" || rule.RoleName != "":
		return rbacv1.PolicyRule{}, errors.New("kopfgen writes one role for each operator: namespace= and roleName= have no meaning")
	case len(rule.Verbs) == 0:
		return rbacv1.PolicyRule{}, errors.New("the marker names no verbs")
	case len(rule.URLs) == 0 && (len(rule.Resources) == 0 || len(rule.Groups) == 0):
		return rbacv1.PolicyRule{}, errors.New("the marker names no groups and resources, and no urls")
	}
	out := rule.ToRule()
	for i, name := range out.APIGroups {
		if name == "core" {
			out.APIGroups[i] = ""
		}
	}
	return out, nil
}

// plain leaves out the places that the parser names: they are in the one line that it was given, and tell nobody anything.
func plain(err error) error {
	all, ok := errors.AsType[loader.ErrList](err)
	if !ok {
		all = loader.ErrList{err}
	}
	var texts []string
	for _, one := range all {
		text := one.Error()
		if scan, ok := errors.AsType[*markers.ScannerError](one); ok {
			text = scan.Msg
		}
		texts = append(texts, text)
	}
	return errors.New(strings.Join(texts, "; "))
}
