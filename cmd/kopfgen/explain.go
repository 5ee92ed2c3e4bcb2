package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/kopfgen/kopfgen/generator/model"
)

// explain prints what an operator watches, and where each parameter of its functions gets its value.
func explain(w io.Writer, op *model.Operator) {
	fmt.Fprintf(w, "operator %s, package %s\n", op.Name, op.Package.Path())
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	defer t.Flush()
	for _, a := range op.Activities {
		fmt.Fprintf(t, "  %s\t%s\n", names(a.On), signature(&a.Func))
	}
	for _, r := range op.Resources {
		fmt.Fprintf(t, "  %s.%s/%s\n", r.Plural, r.Group, r.Version)
		fmt.Fprintf(t, "    watches\t%s\n", selection(r.Watch))
		fmt.Fprintf(t, "    finalizer\t%s\n", because(r.Watch.Finalizer, "yes, objects wait for the handlers of deletions", "no"))
		fmt.Fprintf(t, "    last state\t%s\n", because(r.Watch.Base, "kept in an annotation", "not kept"))
		for _, path := range r.Watch.Extra {
			fmt.Fprintf(t, "    also watches\t%s\n", strings.Join(path, "."))
		}
		for _, h := range r.Handlers {
			fmt.Fprintf(t, "    %s\t%s\t%s\n", h.ID, names(h.On), signature(&h.Func))
		}
	}
}

func names(k model.Kind) string {
	list := k.Names()
	for i, name := range list {
		list[i] = strings.ToLower(strings.TrimPrefix(name, "On"))
	}
	return strings.Join(list, "+")
}

func selection(w model.Watch) string {
	var parts []string
	if w.Labels != "" {
		parts = append(parts, "labels "+w.Labels)
	}
	if w.Fields != "" {
		parts = append(parts, "fields "+w.Fields)
	}
	if len(parts) == 0 {
		return "all objects"
	}
	return strings.Join(parts, ", ")
}

func because(b bool, yes, no string) string {
	if b {
		return yes
	}
	return no
}

// signature prints a function with the source of each parameter.
func signature(fn *model.Func) string {
	params := make([]string, len(fn.Params))
	for i, p := range fn.Params {
		params[i] = p.Name + ": " + sourceOf(p)
	}
	name := fn.Name
	if fn.ReceiverName != "" {
		name = fn.ReceiverName + "." + name
	}
	return name + "(" + strings.Join(params, ", ") + ")"
}

// sources name where values come from, for the kinds of parameters that need no more than a word; sourceOf knows the others.
var sources = map[model.ParamKind]string{
	model.ParamContext: "context", model.ParamLogger: "logger", model.ParamRaw: "whole object", model.ParamOld: "old state",
	model.ParamNew: "new state", model.ParamDiff: "diff", model.ParamReasonType: "reason", model.ParamPatch: "patch", model.ParamName: "name",
	model.ParamNamespace: "namespace", model.ParamUID: "uid", model.ParamUIDType: "uid", model.ParamLabels: "labels",
	model.ParamAnnotations: "annotations", model.ParamReason: "reason", model.ParamRetry: "attempts so far", model.ParamStarted: "time of the first attempt",
	model.ParamRuntime: "time since the first attempt", model.ParamParam: "param=", model.ParamConfig: "client configuration",
	model.ParamDynamic: "dynamic client", model.ParamClient: "client", model.ParamSettings: "settings", model.ParamMemo: "memory of the object",
}

func sourceOf(p *model.Param) string {
	if s, ok := sources[p.Kind]; ok {
		return s
	}
	path := strings.Join(p.Part.Path, ".")
	if path == "" {
		path = "the object"
	}
	switch p.Kind {
	case model.ParamPart:
		return path
	case model.ParamEdit:
		return path + ", patched back"
	case model.ParamLabel:
		return "label " + p.Key
	case model.ParamAnnotation:
		return "annotation " + p.Key
	case model.ParamProvider:
		return "from " + p.Provider.From.Func.Name
	case model.ParamTagged:
		fields := make([]string, len(p.Fields))
		for i, f := range p.Fields {
			fields[i] = f.Name + ": " + sourceOf(f)
		}
		return "{" + strings.Join(fields, ", ") + "}"
	}
	return "?"
}
