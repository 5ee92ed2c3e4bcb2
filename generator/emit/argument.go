package emit

import (
	"go/types"

	"github.com/dave/jennifer/jen"

	"github.com/kopfgen/kopfgen/generator/model"
)

// getters are the methods of operator.Call and operator.Startup that return plain values.
var getters = map[model.ParamKind]string{
	model.ParamLogger:      "Logger",
	model.ParamRaw:         "Raw",
	model.ParamDiff:        "Diff",
	model.ParamReasonType:  "Reason",
	model.ParamPatch:       "Patch",
	model.ParamName:        "Name",
	model.ParamNamespace:   "Namespace",
	model.ParamUID:         "UID",
	model.ParamLabels:      "Labels",
	model.ParamAnnotations: "Annotations",
	model.ParamRetry:       "Retry",
	model.ParamStarted:     "Started",
	model.ParamRuntime:     "Runtime",
	model.ParamConfig:      "Config",
	model.ParamSettings:    "Settings",
	model.ParamEventType:   "EventType",
	model.ParamStopped:     "Stopped",
}

// argument prints the value of a parameter.
func (b *body) argument(m *model.Param) *jen.Statement {
	if getter, ok := getters[m.Kind]; ok {
		return b.the(b.source).Dot(getter).Call()
	}
	switch m.Kind {
	case model.ParamContext:
		return b.the("ctx")
	case model.ParamOld:
		return b.the("old")
	case model.ParamNew:
		return b.the("new")
	case model.ParamUIDType:
		return b.names.qualified("k8s.io/apimachinery/pkg/types", "types", "UID").Call(b.the(b.source).Dot("UID").Call())
	case model.ParamReason:
		return jen.String().Call(b.the(b.source).Dot("Reason").Call())
	case model.ParamParam:
		return jen.Add(constantOf(m.Value))
	case model.ParamLabel:
		return b.lookup(m, "Label")
	case model.ParamAnnotation:
		return b.lookup(m, "Annotation")
	case model.ParamProvider:
		return b.the("h").Dot(b.fields.providers[m.Provider])
	case model.ParamMemo:
		return b.operator("Memo").Call(b.the(b.source), jen.Op("&").Add(b.the("h")).Dot(b.fields.memos[m.Memo]))
	case model.ParamIndex:
		return b.the("h").Dot(b.fields.indexes[m.Index])
	case model.ParamLive:
		return b.operator("Live").Types(b.typ(m.Live)).Call(append([]jen.Code{b.the(b.source)}, lits(m.Part.Path)...)...)
	case model.ParamDynamic:
		return b.dynamicClient()
	case model.ParamClient:
		return b.typedClient()
	case model.ParamPart:
		return b.part(m)
	case model.ParamEdit:
		return b.edit(m)
	case model.ParamTagged:
		return b.tagged(m)
	}
	b.fail("parameter %s of kind %d cannot be printed", m.Name, m.Kind)
	return jen.Nil()
}

// lookup prints one label or annotation: an empty string, or a nil pointer, if there is none.
func (b *body) lookup(m *model.Param, getter string) *jen.Statement {
	name := b.local(lowerFirst(m.Name))
	get := b.the(b.source).Dot(getter).Call(jen.Lit(m.Key))
	if _, pointer := m.Type.Underlying().(*types.Pointer); !pointer {
		b.add(jen.List(jen.Id(name), jen.Id("_")).Op(":=").Add(get))
		return jen.Id(name)
	}
	b.add(
		jen.Var().Id(name).Op("*").String(),
		jen.If(jen.List(jen.Id("v"), jen.Id("ok")).Op(":=").Add(get), jen.Id("ok")).Block(jen.Id(name).Op("=").Op("&").Id("v")),
	)
	return jen.Id(name)
}

// tagged prints a struct that is filled by its tags.
func (b *body) tagged(m *model.Param) *jen.Statement {
	var l literal
	for _, f := range m.Fields {
		l.row(entry{f.Name, b.argument(f)})
	}
	if len(l.rows) > 3 {
		return l.lines(b.typ(m.Type))
	}
	return l.line(b.typ(m.Type))
}
