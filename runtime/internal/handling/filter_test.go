package handling

import (
	"context"
	"errors"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/kopfgen/kopfgen/runtime/internal/progress"
	"github.com/kopfgen/kopfgen/runtime/internal/tree"
)

func selector(t *testing.T, s string) labels.Selector {
	t.Helper()
	parsed, err := labels.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

func equals(want any) Criterion {
	return func(value any, present bool) (bool, error) { return present && tree.Equal(value, want), nil }
}

func absent(_ any, present bool) (bool, error)  { return !present, nil }
func present(_ any, present bool) (bool, error) { return present, nil }

func TestFilters(t *testing.T) {
	field := []string{"spec", "size"}
	for name, c := range map[string]struct {
		handler Handler
		// before and now are the spec; before is empty if there was no state before.
		before, now    string
		matters, match bool
	}{
		"none":                              {Handler{}, `{}`, `{}`, true, true},
		"name":                              {Handler{Name: "obj"}, `{}`, `{}`, true, true},
		"another name":                      {Handler{Name: "other"}, `{}`, `{}`, false, false},
		"name by pattern":                   {Handler{Name: "o[ab]*"}, `{}`, `{}`, true, true},
		"namespace by pattern":              {Handler{Namespace: "n?"}, `{}`, `{}`, true, true},
		"another namespace":                 {Handler{Namespace: "default"}, `{}`, `{}`, false, false},
		"label":                             {Handler{Labels: selector(t, "tier in (web,api)")}, `{}`, `{}`, true, true},
		"empty label":                       {Handler{Labels: selector(t, "empty=")}, `{}`, `{}`, true, true},
		"label present":                     {Handler{Labels: selector(t, "empty")}, `{}`, `{}`, true, true},
		"label absent":                      {Handler{Labels: selector(t, "!tier")}, `{}`, `{}`, false, false},
		"another label":                     {Handler{Labels: selector(t, "tier=db")}, `{}`, `{}`, false, false},
		"annotation":                        {Handler{Annotations: selector(t, "note=yes")}, `{}`, `{}`, true, true},
		"another annotation":                {Handler{Annotations: selector(t, "note=no")}, `{}`, `{}`, false, false},
		"field now":                         {Handler{Field: field}, `{}`, `{"size":1}`, true, true},
		"field before":                      {Handler{Field: field}, `{"size":1}`, `{}`, true, true},
		"field nowhere":                     {Handler{Field: field}, `{}`, `{}`, false, false},
		"field is null":                     {Handler{Field: field}, `{}`, `{"size":null}`, true, true},
		"field below no object":             {Handler{Field: append(field, "x")}, `{}`, `{"size":1}`, false, false},
		"field, nothing before":             {Handler{Field: field}, ``, `{"size":1}`, true, true},
		"value now":                         {Handler{Field: field, Value: equals(int64(2))}, `{"size":1}`, `{"size":2}`, true, true},
		"value before":                      {Handler{Field: field, Value: equals(int64(1))}, `{"size":1}`, `{"size":2}`, true, true},
		"value neither":                     {Handler{Field: field, Value: equals(int64(3))}, `{"size":1}`, `{"size":2}`, false, false},
		"value absent before":               {Handler{Field: field, Value: absent}, `{}`, `{"size":2}`, true, true},
		"value absent neither":              {Handler{Field: field, Value: absent}, `{"size":1}`, `{"size":2}`, false, false},
		"old":                               {Handler{Field: field, Old: equals(int64(1))}, `{"size":1}`, `{"size":2}`, true, true},
		"another old":                       {Handler{Field: field, Old: equals(int64(2))}, `{"size":1}`, `{"size":2}`, true, false},
		"old absent":                        {Handler{Field: field, Old: absent}, ``, `{"size":2}`, true, true},
		"new":                               {Handler{Field: field, New: equals(int64(2))}, `{"size":1}`, `{"size":2}`, true, true},
		"another new":                       {Handler{Field: field, New: equals(int64(1))}, `{"size":1}`, `{"size":2}`, true, false},
		"old and new":                       {Handler{Field: field, Old: present, New: absent}, `{"size":1}`, `{}`, true, true},
		"when":                              {Handler{When: func(*Attempt) (bool, error) { return true, nil }}, `{}`, `{}`, true, true},
		"not when":                          {Handler{When: func(*Attempt) (bool, error) { return false, nil }}, `{}`, `{}`, false, false},
		"a label before all, then not when": {Handler{Labels: selector(t, "tier=db"), When: func(*Attempt) (bool, error) { panic("asked") }}, `{}`, `{}`, false, false},
		"when sees the whole object": {Handler{Field: field, When: func(a *Attempt) (bool, error) {
			return string(a.Old) == `{"spec":{"size":1}}` && strings.HasPrefix(string(a.New), `{"metadata":`) && len(a.Diff) == 2 && a.Name == "obj", nil
		}}, `{"size":1}`, `{"size":2}`, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			o := newObject(t, `{"metadata":{"labels":{"tier":"web","empty":""},"annotations":{"note":"yes"}},"spec":`+c.now+`}`)
			c.handler.ID = "h"
			essence := map[string]any{"metadata": map[string]any{"labels": map[string]any{"tier": "web"}}, "spec": o.state["spec"]}
			s := &State{Resource: &Resource{Handlers: []Handler{c.handler}}, Object: o.state, Essence: essence, Logger: discard}
			if c.before != "" {
				before, err := tree.Decode([]byte(c.before))
				if err != nil {
					t.Fatal(err)
				}
				s.Base = map[string]any{"spec": before}
			}
			f := filters{state: s}
			matters, err := f.matters(&s.Resource.Handlers[0])
			if matters != c.matters || err != nil {
				t.Errorf("matters %v, error %v", matters, err)
			}
			match, err := f.match(&s.Resource.Handlers[0], s.Base)
			if match != c.match || err != nil {
				t.Errorf("match %v, error %v", match, err)
			}
		})
	}
}

func TestFiltersThatFail(t *testing.T) {
	field := []string{"spec"}
	for name, h := range map[string]Handler{
		"when":            {When: func(*Attempt) (bool, error) { return true, errors.New("oops") }},
		"when panics":     {When: func(*Attempt) (bool, error) { panic("oops") }},
		"value":           {Field: field, Value: func(any, bool) (bool, error) { return true, errors.New("oops") }},
		"value panics":    {Field: field, Value: func(any, bool) (bool, error) { panic(errors.New("oops")) }},
		"old":             {Field: field, Old: func(any, bool) (bool, error) { return false, errors.New("oops") }},
		"name is garbage": {Name: "[oops"},
	} {
		t.Run(name, func(t *testing.T) {
			o := newObject(t, `{"spec":{}}`)
			h.ID, h.On = "culprit", progress.Create
			o.with(fine, h, Handler{ID: "other", On: progress.Create})
			o.round(t.Context())
			if err := o.last.Err; err == nil || !strings.Contains(err.Error(), `"culprit"`) {
				t.Errorf("error %v", err)
			}
			if len(o.calls) > 0 || len(o.writes) > 0 || o.last.Handled {
				t.Errorf("calls %v, round %+v", o.calls, o.last)
			}
		})
	}
}

func TestConditionsAreAskedOnceForOneChange(t *testing.T) {
	asked := 0
	o := newObject(t, `{"spec":{}}`)
	o.with(fine, Handler{ID: "h", On: progress.Create | progress.Update | progress.Delete, When: func(*Attempt) (bool, error) {
		asked++
		return true, nil
	}})
	o.round(t.Context())
	if !o.last.AddFinalizer {
		t.Fatal("the object does not wait")
	}
	asked = 0
	o.round(t.Context())
	if asked != 1 || len(o.calls) != 1 {
		t.Errorf("asked %d times, calls %v", asked, o.calls)
	}
}

// An object that no handler is for is left alone, whatever happens to it; once a handler is for it, that is its creation.
func TestStealth(t *testing.T) {
	o := newObject(t, `{"spec":{"x":1}}`)
	o.initial = true
	o.with(fine,
		Handler{ID: "made", On: progress.Create, Labels: selector(t, "ours")},
		Handler{ID: "changed", On: progress.Update, Labels: selector(t, "ours")},
		Handler{ID: "found", On: progress.Resume, Labels: selector(t, "ours")})
	for range 2 {
		if o.round(context.Background()) || o.log.Len() > 0 || o.last.Handled {
			t.Errorf("%+v\n%s", o.last, o.log.String())
		}
		o.set(int64(2), "spec", "x")
	}
	o.set("yes", "metadata", "labels", "ours")
	o.round(t.Context())
	if calls := o.called(); len(calls) != 1 || !strings.HasPrefix(calls[0], "create made") {
		t.Errorf("calls %v", calls)
	}
}

func TestFiltersOfOtherKinds(t *testing.T) {
	phase := []string{"status", "phase"}
	for name, c := range map[string]struct {
		handler Handler
		want    bool
	}{
		"none":                      {Handler{}, true},
		"label":                     {Handler{Labels: selector(t, "tier=web")}, true},
		"another label":             {Handler{Labels: selector(t, "tier=db")}, false},
		"another name":              {Handler{Name: "other"}, false},
		"another namespace":         {Handler{Namespace: "other"}, false},
		"outside of the essence":    {Handler{Field: phase}, true},
		"another value":             {Handler{Field: phase, Value: equals("Done")}, false},
		"a value":                   {Handler{Field: phase, Value: equals("Ready")}, true},
		"a field that is not there": {Handler{Field: []string{"status", "x"}}, false},
		"absent":                    {Handler{Field: []string{"status", "x"}, Value: absent}, true},
		"a null":                    {Handler{Field: []string{"status", "gone"}}, true},
		"when": {Handler{When: func(a *Attempt) (bool, error) {
			return a.EventType == "ADDED" && a.Old == nil && a.New == nil && a.Reason == "" && strings.Contains(string(a.Object), "Ready"), nil
		}}, true},
		"not when": {Handler{When: func(*Attempt) (bool, error) { return false, nil }}, false},
	} {
		t.Run(name, func(t *testing.T) {
			o := newObject(t, `{"metadata":{"labels":{"tier":"web"}},"status":{"phase":"Ready","gone":null}}`)
			raw, _ := tree.Encode(o.state)
			s := &State{Resource: &Resource{}, Raw: raw, Object: o.state, Logger: discard}
			if got, err := s.Matches(&c.handler, "ADDED"); err != nil || got != c.want {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
	o := newObject(t, `{}`)
	s := &State{Resource: &Resource{}, Object: o.state, Logger: discard}
	if _, err := s.Matches(&Handler{ID: "h", When: func(*Attempt) (bool, error) { panic("no") }}, ""); err == nil || !strings.Contains(err.Error(), `a filter of handler "h": panic: no`) {
		t.Errorf("a panic of a filter: %v", err)
	}
}
