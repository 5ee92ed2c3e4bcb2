package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/kopfgen/kopfgen/generator/model"
)

const restPath = "k8s.io/client-go/rest"

// dynamicClient prints the dynamic client, which is made when it is first asked for.
func (b *body) dynamicClient() *jen.Statement {
	return b.client(b.fields.dynamicClient(), b.names.qualified(dynamicPath, "dynamic", "NewForConfig"))
}

// typedClient prints the typed client, likewise.
func (b *body) typedClient() *jen.Statement {
	field, method := b.fields.typedClient()
	return b.client(field, b.the("h").Dot(method))
}

func (b *body) client(field string, make jen.Code) *jen.Statement {
	name, err := b.local("client"), b.local("err")
	b.add(
		jen.List(jen.Id(name), jen.Id(err)).Op(":=").Add(b.the("h")).Dot(field).Dot("Get").Call(b.the(b.source).Dot("Config").Call(), make),
		jen.If(jen.Id(err).Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Id(err))),
	)
	return jen.Id(name)
}

// clientMethod prints the method that makes the typed client: it knows the types that the operator's code uses it for.
func (f *fields) clientMethod() {
	b := f.newBody(nil)
	args := []jen.Code{jen.Id("cfg"), jen.Lit(f.op.Name)}
	for _, a := range f.op.Access {
		if a.Client {
			args = append(args, jen.Line().Add(f.names.qualified(model.ClientPath, "client", "Of").Types(f.typ(a.Type)).Call(
				jen.Lit(a.Group), jen.Lit(a.Version), jen.Lit(a.Kind), jen.Lit(a.Plural), jen.Lit(a.Namespaced))))
		}
	}
	if len(args) > 2 {
		args = append(args, jen.Line())
	}
	b.add(jen.Return(f.names.qualified(model.ClientPath, "client", "New").Call(args...)))
	params := []jen.Code{jen.Id("cfg").Op("*").Add(f.names.qualified(restPath, "rest", "Config"))}
	result := jen.Params(jen.Op("*").Add(f.names.qualified(model.ClientPath, "client", "Client")), jen.Error())
	f.method(f.newClient, params, result, b)
	last := &f.methods[len(f.methods)-1]
	*last = jen.Comment(f.newClient + " makes the client of the handlers, which knows the types that they use it for.").Line().Add(*last)
}
