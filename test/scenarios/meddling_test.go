package scenarios

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/kopfgen/kopfgen/runtime/operator"
)

const lastHandled = "kopf.zalando.org/last-handled-configuration"

// TestRecordRemoved removes the record of a handler that waits: it starts anew, at once, as nothing says that it was called.
func TestRecordRemoved(t *testing.T) {
	s := begin(t)
	op := s.Run(of(s.handler(operator.OnCreate, "sure", fine), s.handler(operator.OnCreate, "made", func(ctx context.Context, c *operator.Call[operator.None]) (any, error) {
		if len(s.noted("one create made")) > 2 {
			return nil, nil
		}
		return failing(1, time.Hour)(ctx, c)
	})))
	one := s.subject("one", "spec: {v: 1}")
	one.Until("it waits", `progress: {made: {retries: 1}, sure: {success: true}}`)
	one.Patch(`metadata: {annotations: {kopf.zalando.org/made: null}}`)
	one.Until("it waits again", `progress: {made: {retries: 1}, sure: {success: true}}`)
	one.Patch(`metadata: {annotations: {kopf.zalando.org/made: "{}"}}`)
	one.Until("it is done", `{handled: {spec: {v: 1}}, progress: null}`)
	op.Stop()
	s.expect("one create ", `sure#0 ->{"spec":{"v":1}}`,
		`made#0 ->{"spec":{"v":1}}`, `made#0 ->{"spec":{"v":1}}`, `made#0 ->{"spec":{"v":1}}`)
}

// TestLastHandledRemoved removes the last handled state, of an object at rest and of one that is being updated: both are new then.
func TestLastHandledRemoved(t *testing.T) {
	s := begin(t)
	op := s.Run(of(s.handler(operator.OnCreate, "made", fine), s.handler(operator.OnUpdate, "changed", failing(1, time.Hour))))
	one := s.subject("one", "spec: {v: 1}")
	one.Until("it is handled", `handled: {spec: {v: 1}}`)
	one.Patch(`metadata: {annotations: {` + lastHandled + `: null}}`)
	one.Until("it is handled again", `{handled: {spec: {v: 1}}, progress: null}`)
	one.Patch(`spec: {v: 2}`)
	one.Until("the update waits", `progress: {changed: {retries: 1}}`)
	one.Patch(`metadata: {annotations: {` + lastHandled + `: null}}`)
	one.Until("it is handled once more", `{handled: {spec: {v: 2}}, progress: null}`)
	op.Stop()
	s.expect("one ", `create made#0 ->{"spec":{"v":1}}`, `create made#0 ->{"spec":{"v":1}}`,
		`update changed#0 {"spec":{"v":1}}->{"spec":{"v":2}}`, `create made#0 ->{"spec":{"v":2}}`)
}

// TestNeighbours has two operators on one object, each with a prefix and a finalizer of its own. Neither takes the other's writes for changes.
func TestNeighbours(t *testing.T) {
	s := begin(t)
	operatorOf := func(domain string) operator.Definition {
		d := of(
			s.handler(operator.OnCreate, domain+"/made", failing(2, 100*time.Millisecond)),
			s.handler(operator.OnUpdate, domain+"/changed", failing(1, 100*time.Millisecond)),
			s.handler(operator.OnDelete, domain+"/left", failing(1, 100*time.Millisecond)),
		)
		if domain != "kopf.zalando.org" {
			d.Defaults = operator.Defaults{Prefix: domain, Finalizer: domain + "/guard"}
		}
		return d
	}
	domains := []string{"kopf.zalando.org", "a.example.com", "kopf.example.com"}
	var stops []func()
	for _, domain := range domains {
		stops = append(stops, s.Run(operatorOf(domain)).Stop)
	}
	one := s.subject("one", "spec: {v: 1}")
	one.Until("it is handled by all", handledBy(domains, `{"spec":{"v":1}}`))
	one.Patch(`spec: {v: 2}`)
	one.Until("the change is handled by all", handledBy(domains, `{"spec":{"v":2}}`))
	time.Sleep(time.Second)
	one.Delete()
	one.UntilGone()
	for _, stop := range stops {
		stop()
	}
	for _, d := range domains {
		s.expect("one create "+d, `/made#0 ->{"spec":{"v":1}}`, `/made#1 ->{"spec":{"v":1}}`, `/made#2 ->{"spec":{"v":1}}`)
		s.expect("one update "+d, `/changed#0 {"spec":{"v":1}}->{"spec":{"v":2}}`, `/changed#1 {"spec":{"v":1}}->{"spec":{"v":2}}`)
		s.expect("one delete "+d, `/left#0 {"spec":{"v":2}}->{"spec":{"v":2}}`, `/left#1 {"spec":{"v":2}}->{"spec":{"v":2}}`)
	}
}

// handledBy describes an object whose state was handled by the operators with the prefixes, of which the first is Kopf's.
func handledBy(prefixes []string, state string) string {
	annotations := map[string]any{}
	for _, p := range prefixes[1:] {
		annotations[p+"/last-handled-configuration"] = state + "\n"
		annotations[p+"/kopf-managed"] = "yes"
		annotations[p+"/"+p+".made"], annotations[p+"/"+p+".changed"] = nil, nil
	}
	text, err := json.Marshal(map[string]any{
		"metadata": map[string]any{"annotations": annotations}, "handled": json.RawMessage(state), "progress": nil,
	})
	if err != nil {
		panic(err)
	}
	return string(text)
}

// TestHandlersGoFromTheCode restarts an operator without the handlers for which objects wait, and with one under another name.
func TestHandlersGoFromTheCode(t *testing.T) {
	s := begin(t)
	first := s.Run(of(
		s.handler(operator.OnCreate, "old", failing(1, time.Hour)),
		s.handler(operator.OnCreate, "sure", fine),
		s.handler(operator.OnDelete, "left", failing(1, time.Hour)),
	))
	waiting, leaving := s.subject("waiting", "spec: {v: 1}"), s.subject("leaving", "spec: {v: 1}")
	waiting.Until("it waits", `progress: {old: {retries: 1}}`)
	leaving.Until("it waits", `progress: {old: {retries: 1}}`)
	leaving.Delete()
	leaving.Until("its deletion waits", `progress: {left: {retries: 1}}`)
	first.Stop()

	second := s.Run(of(s.handler(operator.OnCreate, "renamed", fine), s.handler(operator.OnCreate, "sure", fine)))
	leaving.UntilGone()
	waiting.Until("it is free and handled", `{metadata: {finalizers: null}, handled: {spec: {v: 1}}, progress: {sure: null}}`)
	second.Stop()
	s.expect("waiting ", `create old#0 ->{"spec":{"v":1}}`, `create sure#0 ->{"spec":{"v":1}}`, `create renamed#0 ->{"spec":{"v":1}}`)

	// What the first one left is nobody's, as in Kopf, and no harm: not even to the first one, should it come back.
	third := s.Run(of(s.handler(operator.OnCreate, "old", fine), s.handler(operator.OnUpdate, "changed", fine)))
	waiting.Until("nothing is left", `{handled: {spec: {v: 1}}, progress: null}`)
	third.Stop()
	if calls := s.noted("waiting"); len(calls) != 3 {
		t.Errorf("calls %q", calls)
	}
}
