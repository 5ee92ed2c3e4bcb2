package model

import (
	"go/constant"
	"go/token"
	"go/types"
)

// Param is a parameter of an author's function, or a field of a struct that is filled by its tags, and where its value comes from.
type Param struct {
	Kind ParamKind
	Name string     // of the parameter or field
	Type types.Type // as declared
	Pos  token.Position

	// Provider is what a ParamProvider takes.
	Provider *Provider
	// Memo is the memo of a ParamMemo.
	Memo *Memo
	// Index is what a ParamIndex takes.
	Index *Index
	// Live is the T of a ParamLive; the path of its Part leads to what the object shows of it.
	Live types.Type
	// Key is the key of a ParamLabel or ParamAnnotation. Their Type is string, or *string that is nil where there is none.
	Key string
	// Value is the value of a ParamParam, representable in its Type.
	Value constant.Value
	// Part says where in the view a ParamPart is found.
	Part Part
	// Fields are the fields of a ParamTagged that are filled; those tagged "-" are left out.
	Fields []*Param
}

// ParamKind says where the value of a parameter comes from.
type ParamKind int

// The sources of a parameter.
const (
	// ParamContext is the context.
	ParamContext ParamKind = iota + 1
	// ParamLogger is the *slog.Logger of the call.
	ParamLogger

	// ParamPart is a part of the view by value: the object itself if Part.Steps is empty, its spec, status, metadata or a tagged field.
	ParamPart
	// ParamEdit is a pointer into the view, whose changes are patched back: to the whole object if Part.Path is empty, else to the member
	// that Part.Path names ("spec", "status" or "metadata").
	ParamEdit
	// ParamRaw is the whole object as kopf.Raw.
	ParamRaw

	// ParamOld and ParamNew are the states of Func.Change.
	ParamOld
	ParamNew
	// ParamDiff, ParamReasonType and ParamPatch are the kopf.Diff, kopf.Reason and *kopf.Patch of the call.
	ParamDiff
	ParamReasonType
	ParamPatch
	// ParamEventType is the kopf.EventType of an event.
	ParamEventType
	// ParamLive and ParamStopped are the kopf.Live[T] and the kopf.Stopped of a daemon or timer.
	ParamLive
	ParamStopped

	// ParamName to ParamRuntime are plain values of the call. ParamReason is the reason as a string.
	ParamName
	ParamNamespace
	ParamUID     // a string
	ParamUIDType // a types.UID
	ParamLabels
	ParamAnnotations
	ParamReason
	ParamRetry
	ParamStarted
	ParamRuntime
	// ParamParam is the literal of the marker's param argument.
	ParamParam
	// ParamLabel and ParamAnnotation are one label and one annotation; only fields of a ParamTagged have these kinds.
	ParamLabel
	ParamAnnotation

	// ParamConfig is the *rest.Config, ParamDynamic a dynamic.Interface, ParamClient the *client.Client, ParamSettings the *operator.Settings
	// of a startup handler.
	ParamConfig
	ParamDynamic
	ParamClient
	ParamSettings
	// ParamProvider is a result of a startup handler.
	ParamProvider
	// ParamMemo is a *kopf.Memo[T].
	ParamMemo
	// ParamIndex is a kopf.Index[K, V].
	ParamIndex
	// ParamTagged is a struct whose Fields are filled one by one.
	ParamTagged
)

// Edits reports whether the function takes something whose changes are patched back into its object, other than a *kopf.Patch.
func (f *Func) Edits() bool {
	for _, p := range f.Params {
		if p.Kind == ParamEdit {
			return true
		}
	}
	return false
}
