package markers

import (
	"fmt"
	"reflect"
	"slices"

	ctmarkers "sigs.k8s.io/controller-tools/pkg/markers"
)

// The types of arguments: each is one way to write a value. The name of the type is the name of that way in the reference,
// where valueForms explains it. For controller-tools they are strings, booleans and lists.
type (
	kinds     []string
	patterns  []string
	glob      string
	selector  string
	fieldPath string
	criterion string
	function  string
	number    string
	duration  string
	period    string
	delay     string
	backoff   string
	mode      string
	style     string
	literal   string
	key       string
)

// handlerDefinition is the arguments of +kopf:on, in the order of the reference. Optional ones are pointers.
type handlerDefinition struct {
	On kinds

	Kind        *string
	Group       *string
	Version     *string
	Resource    *string
	Category    *string
	Name        *glob
	Namespace   *glob
	Labels      *selector
	Annotations *selector
	Field       *fieldPath
	Value       *criterion
	Old         *criterion
	New         *criterion
	When        *function
	Enabled     *function
	Only        *selector
	For         *string

	Retries *number
	Timeout *duration
	Backoff *backoff
	Errors  *mode
	Failed  *function
	Lock    *function

	ID       *string `marker:"id"`
	Param    *literal
	Result   *key
	Optional *bool
	Deleted  *bool
	Last     *bool

	InitialDelay        *delay
	Interval            *period
	Idle                *period
	Sharp               *bool
	CancellationBackoff *period
	CancellationTimeout *period
	CancellationPolling *period
	WhilePaused         *bool
	Operations          *string
	Subresource         *string
	Persistent          *bool
	SideEffects         *bool
	IgnoreFailures      *bool
}

// operatorDefinition is the arguments of +kopf:operator.
type operatorDefinition struct {
	Operator string

	Packages  patterns `marker:",optional"`
	IDs       *style   `marker:"ids"`
	Retries   *number
	Timeout   *duration
	Backoff   *backoff
	Prefix    *string
	Finalizer *string
	Storage   *string
	Only      *selector
	Classify  *function
}

// later are the arguments that are known but not supported yet. Those that only apply to unsupported kinds are not listed.
var later = map[string]bool{
	"resource": true, "category": true, "only": true, "failed": true, "lock": true, "last": true, "for": true,
	"storage": true, "classify": true,
}

// definition is controller-tools' definition of a marker, with its arguments in order.
type definition struct {
	*ctmarkers.Definition
}

// Both markers are called "kopf": the first argument, "on" or "operator", is part of what precedes the equals sign.
// controller-tools knows no markers on functions; its type level stands in for them.
var (
	handlers  = define(ctmarkers.DescribesType, handlerDefinition{})
	operators = define(ctmarkers.DescribesPackage, operatorDefinition{})
)

func define(target ctmarkers.TargetType, arguments any) definition {
	return definition{ctmarkers.Must(ctmarkers.MakeDefinition("kopf", target, arguments))}
}

// Registry returns the definitions of the markers with their help, for tools that print those of controller-tools.
// They are not for parsing: see the package comment.
func Registry() (*ctmarkers.Registry, error) {
	registry := &ctmarkers.Registry{}
	for def, help := range map[*ctmarkers.Definition]*ctmarkers.DefinitionHelp{
		handlers.Definition: &handlerHelp, operators.Definition: &operatorHelp,
	} {
		if err := registry.Register(def); err != nil {
			return nil, fmt.Errorf("register marker %s: %w", def.Name, err)
		}
		registry.AddHelp(def, help)
	}
	return registry, nil
}

// names are the arguments in order.
func (d definition) names() []string {
	byField := map[string]string{}
	for arg, field := range d.FieldNames {
		byField[field] = arg
	}
	var names []string
	for field := range d.Output.Fields() {
		names = append(names, byField[field.Name])
	}
	return names
}

func (d definition) has(arg string) bool {
	_, ok := d.FieldNames[arg]
	return ok
}

// form is the name of the argument's type, or "" for an unknown argument.
func (d definition) form(arg string) string {
	if !d.has(arg) {
		return ""
	}
	field, _ := d.Output.FieldByName(d.FieldNames[arg])
	typ := field.Type
	if typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	if typ == reflect.TypeFor[fieldPath]() {
		return "field path"
	}
	return typ.Name()
}

// isList reports whether values of the form are lists.
func isList(form string) bool {
	return slices.Contains([]string{"kinds", "patterns"}, form)
}
