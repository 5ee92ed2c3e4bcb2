package emit

import (
	"go/constant"
	"go/types"
	"testing"
	"time"

	"github.com/dave/jennifer/jen"

	"github.com/kopfgen/kopfgen/generator/model"
)

func TestPolicies(t *testing.T) {
	p := author(t, "package demo")
	for want, m := range map[string]model.Policy{
		"kopf.Policy{Retries: 5}": {Retries: model.Number{Value: 5}},
		"kopf.Policy{Retries: kopf.Unlimited, Timeout: kopf.Unlimited}":              {Retries: model.Number{None: true}, Timeout: model.Duration{None: true}},
		"kopf.Policy{Timeout: 90 * time.Minute}":                                     {Timeout: model.Duration{Value: 90 * time.Minute}},
		"kopf.Policy{Timeout: time.Hour}":                                            {Timeout: model.Duration{Value: time.Hour}},
		"kopf.Policy{Timeout: 1500 * time.Millisecond}":                              {Timeout: model.Duration{Value: 1500 * time.Millisecond}},
		"kopf.Policy{Timeout: 3}":                                                    {Timeout: model.Duration{Value: 3}},
		"kopf.Policy{Backoff: kopf.Backoff{From: kopf.AtOnce}}":                      {Backoff: model.Backoff{AtOnce: true}},
		"kopf.Policy{Backoff: kopf.Backoff{From: 10 * time.Second}}":                 {Backoff: model.Backoff{From: 10 * time.Second}},
		"kopf.Policy{Backoff: kopf.Backoff{From: time.Second, To: 5 * time.Minute}}": {Backoff: model.Backoff{From: time.Second, To: 5 * time.Minute}},
		"kopf.Policy{Errors: kopf.ErrorsPermanent}":                                  {Errors: "permanent"},
	} {
		pr := newTestPrinter(&model.Operator{Package: p})
		same(t, source(t, pr, jen.Var().Id("_").Op("=").Add(pr.policy(m))), "var _ = "+want)
	}
	pr := newTestPrinter(&model.Operator{Package: p})
	if pr.policy(model.Policy{}) != nil {
		t.Error("an empty policy is printed")
	}
}

func TestPolicyFunc(t *testing.T) {
	p := author(t, `package demo
		var tries int64
		func pause() int64 { return 0 }`)
	pr := newTestPrinter(&model.Operator{Package: p})
	m := model.Policy{
		Retries: model.Number{Eval: &model.Eval{Var: &model.Ref{Package: p, Name: "tries"}, Type: types.Typ[types.Int64]}},
		Backoff: model.Backoff{Eval: &model.Eval{Func: &model.Func{Ref: model.Ref{Package: p, Name: "pause"}}}},
	}
	same(t, source(t, pr, jen.Var().Id("_").Op("=").Add(pr.policyFunc(m, &model.Func{Ref: model.Ref{Package: p, Name: "Greet"}}))), "var _ = h.policyGreet")
	same(t, source(t, pr, pr.methods...), `
func (h *handlers) policyGreet() kopf.Policy {
	backoff := pause()
	if backoff <= 0 {
		backoff = kopf.AtOnce
	}
	return kopf.Policy{Retries: int(tries), Backoff: kopf.Backoff{From: backoff}}
}`)
}

func TestConstants(t *testing.T) {
	p := author(t, "package demo")
	for want, v := range map[string]constant.Value{
		`"a\"b"`:                       constant.MakeString(`a"b`),
		"true":                         constant.MakeBool(true),
		"-3":                           constant.MakeInt64(-3),
		"uint64(18446744073709551615)": constant.MakeUint64(1<<64 - 1),
		"0.5":                          constant.MakeFloat64(0.5),
		"2.0":                          constant.ToFloat(constant.MakeFloat64(2)),
	} {
		pr := newTestPrinter(&model.Operator{Package: p})
		same(t, source(t, pr, jen.Var().Id("_").Op("=").Add(constantOf(v))), "var _ = "+want)
	}
}
