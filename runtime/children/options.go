package children

import "maps"

// The options of each function. An option that means nothing to a function does not compile there.
type (
	// ReferenceOption is for [Reference] and [AppendOwnerReference].
	ReferenceOption interface{ toReference(*options) }
	// NamingOption is for [HarmonizeNaming].
	NamingOption interface{ toNaming(*options) }
	// NamespaceOption is for [AdjustNamespace].
	NamespaceOption interface{ toNamespace(*options) }
	// LabelOption is for [Label].
	LabelOption interface{ toLabel(*options) }
	// AdoptOption is for [Adopt].
	AdoptOption interface{ toAdopt(*options) }
	// ApplyOption is for [Apply].
	ApplyOption interface{ toApply(*options) }
	// CreateOption is for [Create].
	CreateOption interface{ toCreate(*options) }
)

// options is what the options add up to.
type options struct {
	forced, strict, notController, notBlocking, takeOver bool
	nested                                               []string
	labels                                               map[string]string // instead of the owner's, unless nil
}

// Forced replaces what the child has already: its name, its namespace, its labels.
var Forced interface {
	NamingOption
	NamespaceOption
	LabelOption
	AdoptOption
} = forced{}

// Strict names the child exactly like its owner. Otherwise the API server appends something random.
var Strict interface {
	NamingOption
	AdoptOption
} = strict{}

// NotController makes an owner that is not the controller of the child. An object can have any number of owners, and one controller.
var NotController interface {
	ReferenceOption
	AdoptOption
	ApplyOption
	CreateOption
} = notController{}

// NotBlocking lets an owner that is deleted in the foreground go before the child has gone. It also spares the operator the right to set
// finalizers on the owner, which clusters may ask of those who block its deletion.
var NotBlocking interface {
	ReferenceOption
	AdoptOption
	ApplyOption
	CreateOption
} = notBlocking{}

// TakeOver lets [Apply] change, and adopt, an object that is there already and has another owner or none.
var TakeOver ApplyOption = takeOver{}

// Nested labels templates inside of the child, too. A path leads to something with metadata, such as "spec.template" in a Deployment; where a
// list is on the way, to each of its items. A path to what is not there is passed over.
func Nested(paths ...string) interface {
	LabelOption
	AdoptOption
	ApplyOption
	CreateOption
} {
	return nested(paths)
}

// WithLabels gives the child these labels instead of its owner's; none, if there are none.
func WithLabels(labels map[string]string) interface {
	AdoptOption
	ApplyOption
	CreateOption
} {
	if labels == nil {
		return withLabels{}
	}
	return withLabels(maps.Clone(labels))
}

type (
	forced        struct{}
	strict        struct{}
	notController struct{}
	notBlocking   struct{}
	takeOver      struct{}
	nested        []string
	withLabels    map[string]string
)

func (forced) toNaming(o *options)    { o.forced = true }
func (forced) toNamespace(o *options) { o.forced = true }
func (forced) toLabel(o *options)     { o.forced = true }
func (forced) toAdopt(o *options)     { o.forced = true }

func (strict) toNaming(o *options) { o.strict = true }
func (strict) toAdopt(o *options)  { o.strict = true }

func (notController) toReference(o *options) { o.notController = true }
func (notController) toAdopt(o *options)     { o.notController = true }
func (notController) toApply(o *options)     { o.notController = true }
func (notController) toCreate(o *options)    { o.notController = true }

func (notBlocking) toReference(o *options) { o.notBlocking = true }
func (notBlocking) toAdopt(o *options)     { o.notBlocking = true }
func (notBlocking) toApply(o *options)     { o.notBlocking = true }
func (notBlocking) toCreate(o *options)    { o.notBlocking = true }

func (takeOver) toApply(o *options) { o.takeOver = true }

func (n nested) toLabel(o *options)  { o.nested = append(o.nested, n...) }
func (n nested) toAdopt(o *options)  { o.nested = append(o.nested, n...) }
func (n nested) toApply(o *options)  { o.nested = append(o.nested, n...) }
func (n nested) toCreate(o *options) { o.nested = append(o.nested, n...) }

func (w withLabels) toAdopt(o *options)  { o.labels = w }
func (w withLabels) toApply(o *options)  { o.labels = w }
func (w withLabels) toCreate(o *options) { o.labels = w }

// collect adds up options; to is the method of their interface.
func collect[O any](given []O, to func(O, *options)) (all options) {
	for _, option := range given {
		to(option, &all)
	}
	return all
}
