package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	kopf "github.com/kopfgen/kopfgen/runtime"
	"github.com/kopfgen/kopfgen/runtime/operator"
)

// The environment of the processes, of either peer.
const (
	envDefinition = "HARNESS_DEFINITION" // of Go processes only: the name of a definition that Main was given
	envOperator   = "HARNESS_OPERATOR"   // an Operator as JSON
	envPrompter   = "HARNESS_PROMPTER"   // the URL of the prompter
	envRun        = "HARNESS_RUN"        // the name of the process
)

// described is the name of the definition that is made of an Operator.
const described = "described"

// kinds are the handler kinds of descriptions.
var kinds = map[string]operator.Kind{
	"create": operator.OnCreate, "update": operator.OnUpdate, "delete": operator.OnDelete,
	"resume": operator.OnResume, "field": operator.OnField,
}

// definition makes of the description in the environment what the generator makes of an author's package.
func definition() (operator.Definition, error) {
	var o Operator
	if err := json.Unmarshal([]byte(os.Getenv(envOperator)), &o); err != nil {
		return operator.Definition{}, fmt.Errorf("reading %s: %w", envOperator, err)
	}
	r := operator.Resource{
		Group: o.Resource.Group, Version: o.Resource.Version, Kind: o.Resource.Kind, Plural: o.Resource.Plural,
		Namespaced: true,
	}
	for _, h := range o.Handlers {
		kind, ok := kinds[h.On]
		if !ok {
			return operator.Definition{}, fmt.Errorf("handler %s is on %q", h.ID, h.On)
		}
		r.Watch.Finalizer = r.Watch.Finalizer || kind == operator.OnDelete
		bound := operator.Handler{ID: h.FullID(), On: kind, Policy: h.policy(), Run: operator.BindChange(perform(h.FullID()))}
		if h.Field != "" {
			bound.Field = strings.Split(h.Field, ".")
		}
		r.Handlers = append(r.Handlers, bound)
	}
	return operator.Definition{Name: "harness", Resources: []operator.Resource{r}}, nil
}

func (h Handler) policy() kopf.Policy {
	return kopf.Policy{
		Retries: h.Retries,
		Timeout: time.Duration(h.Timeout * float64(time.Second)),
		Backoff: kopf.Backoff{From: Backoff},
	}
}

// Backoff is the delay after arbitrary errors, on both sides.
const Backoff = time.Second

// whole is what the handlers of descriptions read of their object.
type whole = operator.Spec[kopf.Raw]

// perform returns a bound handler that does as the prompter says.
func perform(id string) func(ctx context.Context, c *operator.Call[whole], old, now kopf.Raw) (any, error) {
	return func(ctx context.Context, c *operator.Call[whole], old, now kopf.Raw) (any, error) {
		call, err := describe(c, id, old, now)
		if err != nil {
			return nil, err
		}
		answer, err := Ask(ctx, call)
		if err != nil {
			return nil, err
		}
		if answer.Fail == "" && len(answer.Subs) > 0 {
			return answer.Result, kopf.Execute(ctx, subs(call, answer.Subs)...)
		}
		return answer.outcome()
	}
}

// describe says what the handler knows.
func describe(c *operator.Call[whole], id string, old, now kopf.Raw) (Call, error) {
	var object struct {
		Metadata struct {
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
	}
	if err := c.Raw().Decode(&object); err != nil {
		return Call{}, err
	}
	return Call{
		Handler: id, Object: c.Name(), UID: c.UID(), Version: object.Metadata.ResourceVersion,
		Reason: string(c.Reason()), Retry: c.Retry(),
		Old: orNull(old), New: orNull(now), Spec: orNull(c.Object().Spec),
	}, nil
}

func orNull(r kopf.Raw) json.RawMessage {
	if r == nil {
		return json.RawMessage("null")
	}
	return json.RawMessage(r)
}

// subs makes sub-handlers that ask for themselves. They do not know the number of their own attempts, which is left at -1.
func subs(parent Call, ids []string) []kopf.Sub {
	var list []kopf.Sub
	for _, id := range ids {
		call := parent
		call.Handler, call.Retry = parent.Handler+"/"+id, -1
		list = append(list, kopf.Sub{ID: id, Policy: kopf.Policy{Backoff: kopf.Backoff{From: Backoff}},
			Run: func(ctx context.Context) (any, error) {
				answer, err := Ask(ctx, call)
				if err != nil {
					return nil, err
				}
				return answer.outcome()
			}})
	}
	return list
}

// outcome turns an answer without sub-handlers into what a handler returns.
func (a Answer) outcome() (any, error) {
	err := errors.New(a.Message)
	switch a.Fail {
	case "":
		return a.Result, nil
	case "temporary":
		return nil, kopf.Temporary(err, time.Duration(a.Delay*float64(time.Second)))
	case "permanent":
		return nil, kopf.Permanent(err)
	}
	return nil, err
}
