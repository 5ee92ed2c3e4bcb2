package binding

import (
	"go/types"
	"strings"

	"github.com/kopfgen/kopfgen/generator/model"
	"github.com/kopfgen/kopfgen/generator/schema"
)

// isLive recognises kopf.Live[T].
func isLive(t types.Type) bool { return schema.Is(t, model.KopfPath, "Live") }

// typeArgument is the i-th type argument of an instantiated type.
func typeArgument(t types.Type, i int) types.Type {
	return types.Unalias(t).(*types.Named).TypeArgs().At(i)
}

// bindLive finds out which part of the object a kopf.Live[T] follows.
func (c *call) bindLive(p *model.Param) {
	p.Live = typeArgument(p.Type, 0)
	k := c.site.Kind
	var fit []string
	for _, part := range []struct {
		path []string
		t    types.Type
	}{{nil, named(k.Type)}, {[]string{"spec"}, k.Spec}, {[]string{"status"}, k.Status}} {
		if part.t == nil {
			continue
		}
		fit = append(fit, "kopf.Live["+c.spell(part.t)+"]")
		if types.Identical(types.Unalias(p.Live), part.t) {
			p.Part.Path = part.path
			c.nameable(p, p.Live)
			return
		}
	}
	if schema.Unstructured(p.Live) || is(model.KopfPath, "Raw")(p.Live) {
		return
	}
	fit = append(fit, "kopf.Live[kopf.Raw]")
	c.fail(c.place[p], codeUnfit, "what would fit: "+strings.Join(fit, ", "), "%s is not the type of the object, of its spec or of its status", c.spell(p.Live))
}

// named is a named type as a type, nil if it is nil.
func named(t *types.Named) types.Type {
	if t == nil {
		return nil
	}
	return t
}
