package binding

import (
	"go/types"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/schema"
)

// offer is one thing that a parameter can take.
type offer struct {
	kind  model.ParamKind
	roles Role
	// kinds are the kinds of handlers that may take it, and whose filters may; zero means all.
	kinds model.Kind
	// name is the name that the parameter must have; most things are bound by type alone.
	name string
	// spelling is the type for messages, and fits recognises it.
	spelling string
	fits     func(types.Type) bool
	// key identifies what may only be taken once; by default it is the name, else the spelling.
	key string
	// bind completes the parameter.
	bind func(*model.Param)
	// instead is the hint where the thing is not offered to the role, and onlyFor where it is not offered to the kind of handler.
	instead, onlyFor string
	// edits means that the thing is patched back.
	edits bool
}

// allOffers lists everything there is, in the order of the rules, including what this call is not offered.
func (c *call) allOffers() []offer {
	all := c.byType()
	all = append(all, c.objectOffers()...)
	all = append(all, c.providerOffers()...)
	return append(all, c.byName()...)
}

// byType lists what is bound by its type and is not part of an object.
func (c *call) byType() []offer {
	anyCall := Handler | Activity
	client, clientless := c.client()
	return []offer{
		{kind: model.ParamContext, roles: anyCall, spelling: "context.Context", fits: is("context", "Context"),
			instead: "filters, and functions that are evaluated once, must answer at once"},
		{kind: model.ParamLogger, roles: anyCall | Filter, spelling: "*slog.Logger", fits: pointerTo("log/slog", "Logger"),
			instead: startupOnly},
		{kind: model.ParamDiff, roles: Handler | Filter, kinds: model.OnChange, spelling: "kopf.Diff", fits: is(model.KopfPath, "Diff"),
			instead: objectsOnly, onlyFor: changesOnly},
		{kind: model.ParamReasonType, roles: Handler | Filter, kinds: model.OnChange, spelling: "kopf.Reason", fits: is(model.KopfPath, "Reason"),
			instead: objectsOnly, onlyFor: changesOnly},
		{kind: model.ParamEventType, roles: Handler | Filter, kinds: model.OnEvent, spelling: "kopf.EventType", fits: is(model.KopfPath, "EventType"),
			instead: eventsOnly, onlyFor: eventsOnly},
		{kind: model.ParamLive, roles: Handler, kinds: besides, spelling: "kopf.Live[T]", fits: isLive, bind: c.bindLive,
			instead: besidesOnly, onlyFor: "take the object, its spec or its status by value"},
		{kind: model.ParamStopped, roles: Handler, kinds: besides, spelling: "kopf.Stopped", fits: is(model.KopfPath, "Stopped"),
			instead: besidesOnly, onlyFor: "take a context.Context, which ends when the call is to end"},
		{spelling: "kopf.Recorder", fits: is(model.KopfPath, "Recorder"), instead: "this version does not post Kubernetes events yet"},
		{kind: model.ParamPatch, roles: Handler, kinds: editing, spelling: "*kopf.Patch", fits: pointerTo(model.KopfPath, "Patch"),
			edits: true, instead: objectsOnly},
		{kind: model.ParamRaw, roles: Handler | Filter, spelling: "kopf.Raw", fits: is(model.KopfPath, "Raw"), instead: objectsOnly},
		{kind: model.ParamMemo, roles: Handler | Filter, spelling: "*kopf.Memo[T]", fits: isMemo, bind: c.bindMemo, instead: objectsOnly},
		{kind: model.ParamIndex, roles: anyCall | Filter, kinds: editing, spelling: "kopf.Index[K, V]", fits: isIndex, bind: c.bindIndex,
			instead: "indexes are empty then", onlyFor: indexAlone},
		{kind: model.ParamConfig, roles: client | Filter, spelling: "*rest.Config", fits: pointerTo("k8s.io/client-go/rest", "Config"),
			instead: clientless},
		{kind: model.ParamDynamic, roles: client, spelling: "dynamic.Interface", fits: is("k8s.io/client-go/dynamic", "Interface"),
			instead: clientless},
		{kind: model.ParamClient, roles: client, spelling: "*client.Client", fits: pointerTo(model.ClientPath, "Client"), instead: clientless},
		{kind: model.ParamSettings, roles: Startup, spelling: "*operator.Settings", fits: pointerTo(model.OperatorPath, "Settings"),
			instead: "settings are changed at startup only"},
	}
}

// client returns the roles that can have clients of the API server, and the hint for those that cannot.
func (c *call) client() (Role, string) {
	roles := Handler | Activity&^Login
	if c.LogsIn {
		roles &^= Startup
	}
	switch c.site.Role {
	case Login:
		return roles, "it is what login handlers make"
	case Startup:
		return roles, "it is made by login handlers, which come after the startup handlers"
	case Filter:
		return roles, "filters see only their object"
	}
	return roles, startupOnly
}

// editing are the kinds of handlers whose changes to the object are patched back.
const editing = model.OnObject &^ model.OnIndex

// besides are the kinds of handlers that run beside an object.
const besides = model.OnDaemon | model.OnTimer

const (
	objectsOnly = "only handlers of objects can take it"
	changesOnly = "only handlers of create, update, delete, resume and field can take it"
	eventsOnly  = "only handlers of event can take it"
	besidesOnly = "only daemons and timers can take it"
	indexAlone  = "the rows of an object come from that object alone: look others up where the index is used"
	startupOnly = "take what startup handlers return, or nothing"
)

// objectOffers lists the object and its parts.
func (c *call) objectOffers() []offer {
	k := c.site.Kind
	if k == nil {
		return nil
	}
	var all []offer
	add := func(key string, path []string, t types.Type, asPointer bool) {
		spelling := c.spell(t)
		all = append(all, offer{kind: model.ParamPart, roles: Handler | Filter, spelling: spelling, fits: identical(t), key: key, bind: c.bindPart(path, t)})
		if asPointer {
			all = append(all, offer{kind: model.ParamEdit, roles: Handler, kinds: editing, spelling: "*" + spelling, fits: identical(types.NewPointer(t)), key: "*" + key,
				bind: c.bindPart(path, t), edits: true})
		}
	}
	if k.Type != nil {
		add("", nil, k.Type, true)
		if k.Spec != nil {
			add("spec", []string{"spec"}, k.Spec, true)
		}
		if k.Status != nil && !(k.Spec != nil && types.Identical(k.Spec, k.Status)) {
			add("status", []string{"status"}, k.Status, true)
		}
		if meta := metaType(k); meta != nil {
			add("metadata", []string{"metadata"}, meta, true)
		}
	}
	untyped := func(p *model.Param) {
		elem, _ := schema.Deref(p.Type)
		c.bindPart(nil, elem)(p)
	}
	return append(all,
		offer{kind: model.ParamEdit, roles: Handler, kinds: editing, spelling: "*unstructured.Unstructured", fits: isUnstructured, key: "*", bind: untyped, edits: true},
		offer{kind: model.ParamPart, roles: Handler | Filter, spelling: "unstructured.Unstructured", fits: schema.Unstructured, key: "", bind: untyped})
}

func metaType(k *schema.Kind) types.Type {
	f, ok := schema.Member(k.Type, "metadata")
	if !ok {
		return nil
	}
	t, _ := schema.Deref(f.Type())
	if !schema.ObjectMeta(t) {
		return nil
	}
	return t
}

// providerOffers lists the results of startup handlers.
func (c *call) providerOffers() []offer {
	var all []offer
	for _, provider := range c.Providers {
		all = append(all, offer{kind: model.ParamProvider, roles: Handler | Activity | Filter | Switch, spelling: c.spell(provider.Type),
			fits: identical(provider.Type), key: "provider " + types.TypeString(provider.Type, nil),
			bind: func(p *model.Param) { p.Provider, provider.Used = provider, true }})
	}
	return all
}

// byName lists the plain values, which need their exact name as well.
func (c *call) byName() []offer {
	const (
		object  = Handler | Filter
		retried = Handler | Activity
	)
	stringType, intType := types.Typ[types.String], types.Typ[types.Int]
	stringMap := types.NewMap(stringType, stringType)
	return []offer{
		{kind: model.ParamName, roles: object, name: "name", spelling: "string", fits: identical(stringType), instead: objectsOnly},
		{kind: model.ParamNamespace, roles: object, name: "namespace", spelling: "string", fits: identical(stringType), instead: objectsOnly},
		{kind: model.ParamUID, roles: object, name: "uid", spelling: "string", fits: identical(stringType), key: "uid", instead: objectsOnly},
		{kind: model.ParamUIDType, roles: object, name: "uid", spelling: "types.UID", fits: is("k8s.io/apimachinery/pkg/types", "UID"), key: "uid", instead: objectsOnly},
		{kind: model.ParamReason, roles: object, kinds: model.OnChange, name: "reason", spelling: "string", fits: identical(stringType), instead: objectsOnly, onlyFor: changesOnly},
		{kind: model.ParamLabels, roles: object, name: "labels", spelling: "map[string]string", fits: identical(stringMap), instead: objectsOnly},
		{kind: model.ParamAnnotations, roles: object, name: "annotations", spelling: "map[string]string", fits: identical(stringMap), instead: objectsOnly},
		{kind: model.ParamRetry, roles: retried, name: "retry", spelling: "int", fits: identical(intType), instead: notRetried},
		{kind: model.ParamStarted, roles: retried, name: "started", spelling: "time.Time", fits: is("time", "Time"), instead: notRetried},
		{kind: model.ParamRuntime, roles: retried, name: "runtime", spelling: "time.Duration", fits: is("time", "Duration"), instead: notRetried},
		{kind: model.ParamParam, roles: retried, name: "param", spelling: "a basic type", fits: isBasic, bind: c.bindParam, instead: notRetried},
		{name: "operation", spelling: "string", fits: identical(stringType), instead: admissionOnly},
		{name: "subresource", spelling: "string", fits: identical(stringType), instead: admissionOnly},
		{name: "dryRun", spelling: "bool", fits: identical(types.Typ[types.Bool]), instead: admissionOnly},
	}
}

const (
	notRetried    = "filters, and functions that are evaluated once, are not retried and take no param="
	admissionOnly = "only admission handlers can take it, and this version does not support them yet"
)

// plainName reports whether a name belongs to a plain value.
func (c *call) plainName(name string) bool {
	for _, o := range c.offers {
		if o.name == name {
			return true
		}
	}
	return false
}

// may reports whether this call can have something.
func (c *call) may(o *offer) bool { return o.roles&c.site.Role != 0 && c.ofKind(o) }

// ofKind reports whether the kinds of handlers that the function belongs to may take something. Functions that belong to the operator have none.
func (c *call) ofKind(o *offer) bool {
	return o.kinds == 0 || c.site.Role&(Handler|Filter) == 0 || c.site.On&^o.kinds == 0
}

// offered lists what this call can have.
func (c *call) offered() []offer {
	var all []offer
	for _, o := range c.offers {
		if c.may(&o) {
			all = append(all, o)
		}
	}
	return all
}

func identical(want types.Type) func(types.Type) bool {
	return func(t types.Type) bool { return types.Identical(types.Unalias(t), want) }
}

func is(path, name string) func(types.Type) bool {
	return func(t types.Type) bool { return schema.Is(t, path, name) }
}

func pointerTo(path, name string) func(types.Type) bool {
	return func(t types.Type) bool {
		p, ok := types.Unalias(t).(*types.Pointer)
		return ok && schema.Is(p.Elem(), path, name)
	}
}

func isUnstructured(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	return ok && schema.Unstructured(p.Elem())
}

func isMemo(t types.Type) bool { return pointerTo(model.KopfPath, "Memo")(t) }

func isBasic(t types.Type) bool {
	b, ok := types.Unalias(t).(*types.Basic)
	return ok && b.Info()&types.IsConstType != 0 && b.Info()&types.IsComplex == 0
}
