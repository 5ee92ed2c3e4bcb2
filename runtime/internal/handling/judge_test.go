package handling

import (
	"errors"
	"fmt"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	kopf "github.com/kopfgen/kopfgen/runtime"
)

func TestJudge(t *testing.T) {
	oops := errors.New("oops")
	resource := schema.GroupResource{Resource: "things"}
	conflict := apierrors.NewConflict(resource, "x", oops)
	busy := apierrors.NewTooManyRequests("slow down", 7)
	ten := kopf.Backoff{From: 10 * time.Second}
	for name, c := range map[string]struct {
		policy kopf.Policy
		err    error
		tried  Attempted
		want   Verdict // Err stands for any error
	}{
		"success":                         {kopf.Policy{Retries: 1}, nil, Attempted{Retries: 1}, Verdict{Done: true}},
		"temporary":                       {kopf.Policy{}, kopf.Temporary(oops, time.Hour), Attempted{Retries: 1}, Verdict{Delay: time.Hour}},
		"temporary at once":               {kopf.Policy{}, kopf.Temporary(oops, 0), Attempted{Retries: 1}, Verdict{}},
		"temporary, wrapped":              {kopf.Policy{}, fmt.Errorf("x: %w", kopf.Temporary(oops, 5)), Attempted{Retries: 1}, Verdict{Delay: 5}},
		"temporary, joined":               {kopf.Policy{}, errors.Join(oops, kopf.Temporary(oops, 5)), Attempted{Retries: 1}, Verdict{Delay: 5}},
		"temporary whatever the mode":     {kopf.Policy{Errors: kopf.ErrorsPermanent}, kopf.Temporary(oops, 5), Attempted{Retries: 1}, Verdict{Delay: 5}},
		"permanent":                       {kopf.Policy{}, kopf.Permanent(oops), Attempted{Retries: 1}, Verdict{Done: true, Err: oops}},
		"permanent whatever the mode":     {kopf.Policy{Errors: kopf.ErrorsIgnored}, kopf.Permanent(oops), Attempted{Retries: 1}, Verdict{Done: true, Err: oops}},
		"the outermost word counts":       {kopf.Policy{}, kopf.Permanent(kopf.Temporary(oops, 5)), Attempted{Retries: 1}, Verdict{Done: true, Err: oops}},
		"the outermost word counts again": {kopf.Policy{}, kopf.Temporary(kopf.Permanent(oops), 5), Attempted{Retries: 1}, Verdict{Delay: 5}},
		"permanent conflict":              {kopf.Policy{}, kopf.Permanent(conflict), Attempted{Retries: 1}, Verdict{Done: true, Err: oops}},
		"last retry":                      {kopf.Policy{Retries: 3}, kopf.Temporary(oops, 5), Attempted{Retries: 3}, Verdict{Done: true, Exhausted: true, Err: oops}},
		"last but one":                    {kopf.Policy{Retries: 3}, kopf.Temporary(oops, 5), Attempted{Retries: 2}, Verdict{Delay: 5}},
		"unlimited":                       {kopf.Policy{Retries: kopf.Unlimited, Timeout: kopf.Unlimited}, kopf.Temporary(oops, 5), Attempted{Retries: 1000, Runtime: time.Hour}, Verdict{Delay: 5}},
		"the next would be too late":      {kopf.Policy{Timeout: time.Minute}, kopf.Temporary(oops, 10*time.Second), Attempted{Retries: 1, Runtime: 50 * time.Second}, Verdict{Done: true, Exhausted: true, Err: oops}},
		"the next is in time":             {kopf.Policy{Timeout: time.Minute}, kopf.Temporary(oops, 9*time.Second), Attempted{Retries: 1, Runtime: 50 * time.Second}, Verdict{Delay: 9 * time.Second}},
		"wait":                            {kopf.Policy{}, kopf.Wait(time.Second), Attempted{Retries: 1}, Verdict{Delay: time.Second, Waiting: true}},
		"wait costs no retry":             {kopf.Policy{Retries: 1}, kopf.Wait(time.Second), Attempted{Retries: 1}, Verdict{Delay: time.Second, Waiting: true}},
		"wait costs time":                 {kopf.Policy{Timeout: time.Second}, kopf.Wait(time.Second), Attempted{Retries: 1}, Verdict{Done: true, Exhausted: true, Err: oops}},
		"arbitrary":                       {kopf.Policy{}, oops, Attempted{Retries: 1}, Verdict{Delay: time.Minute}},
		"arbitrary, backoff":              {kopf.Policy{Backoff: ten}, oops, Attempted{Retries: 4}, Verdict{Delay: 10 * time.Second}},
		"arbitrary, no retries left":      {kopf.Policy{Backoff: ten, Retries: 4}, oops, Attempted{Retries: 4}, Verdict{Done: true, Exhausted: true, Err: oops}},
		"arbitrary, no time left":         {kopf.Policy{Backoff: ten, Timeout: 10 * time.Second}, oops, Attempted{Retries: 1}, Verdict{Done: true, Exhausted: true, Err: oops}},
		"arbitrary, permanent":            {kopf.Policy{Errors: kopf.ErrorsPermanent}, oops, Attempted{Retries: 1}, Verdict{Done: true, Err: oops}},
		"arbitrary, ignored":              {kopf.Policy{Errors: kopf.ErrorsIgnored}, oops, Attempted{Retries: 1}, Verdict{Done: true, Ignored: true}},
		"arbitrary, temporary":            {kopf.Policy{Errors: kopf.ErrorsTemporary}, oops, Attempted{Retries: 1}, Verdict{Delay: time.Minute}},
		"a panic is arbitrary":            {kopf.Policy{}, &PanicError{Value: kopf.Permanent(oops)}, Attempted{Retries: 1}, Verdict{Delay: time.Minute}},
		"conflict":                        {kopf.Policy{}, fmt.Errorf("updating: %w", conflict), Attempted{Retries: 1}, Verdict{Delay: time.Second}},
		"conflict, whatever the mode":     {kopf.Policy{Errors: kopf.ErrorsPermanent}, conflict, Attempted{Retries: 1}, Verdict{Delay: time.Second}},
		"conflict, no retries left":       {kopf.Policy{Retries: 1}, conflict, Attempted{Retries: 1}, Verdict{Done: true, Exhausted: true, Err: oops}},
		"the server names a delay":        {kopf.Policy{}, busy, Attempted{Retries: 1}, Verdict{Delay: 7 * time.Second}},
		"the server is busy":              {kopf.Policy{}, apierrors.NewTooManyRequests("slow down", 0), Attempted{Retries: 1}, Verdict{Delay: time.Second}},
		"the server is out of time":       {kopf.Policy{}, apierrors.NewServerTimeout(resource, "get", 3), Attempted{Retries: 1}, Verdict{Delay: 3 * time.Second}},
		"the server is away":              {kopf.Policy{}, apierrors.NewServiceUnavailable("x"), Attempted{Retries: 1}, Verdict{Delay: time.Second}},
		"what does not pass is arbitrary": {kopf.Policy{}, apierrors.NewNotFound(resource, "x"), Attempted{Retries: 1}, Verdict{Delay: time.Minute}},
		"what exists is arbitrary":        {kopf.Policy{}, apierrors.NewAlreadyExists(resource, "x"), Attempted{Retries: 1}, Verdict{Delay: time.Minute}},
		"an invalid object is arbitrary":  {kopf.Policy{}, &apierrors.StatusError{ErrStatus: metav1.Status{Reason: metav1.StatusReasonInvalid, Code: 422}}, Attempted{Retries: 1}, Verdict{Delay: time.Minute}},
	} {
		t.Run(name, func(t *testing.T) {
			got := Judge(c.policy, c.err, c.tried)
			if failed := got.Err != nil; failed != (c.want.Err != nil) {
				t.Errorf("error %v", got.Err)
			}
			if got.Err != nil && !errors.Is(got.Err, c.err) {
				t.Errorf("%v does not say why", got.Err)
			}
			got.Err = c.want.Err
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestExhausted(t *testing.T) {
	limited := kopf.Policy{Retries: 3, Timeout: time.Minute}
	for _, c := range []struct {
		policy kopf.Policy
		tried  Attempted
		want   bool
	}{
		{kopf.Policy{}, Attempted{Retries: 1000, Runtime: 1000 * time.Hour}, false},
		{kopf.Policy{Retries: kopf.Unlimited, Timeout: kopf.Unlimited}, Attempted{Retries: 1000, Runtime: time.Hour}, false},
		{limited, Attempted{Retries: 2, Runtime: time.Minute - 1}, false},
		{limited, Attempted{Retries: 3}, true},
		{limited, Attempted{Runtime: time.Minute}, true},
	} {
		if err := Exhausted(c.policy, c.tried); (err != nil) != c.want {
			t.Errorf("%+v after %+v: %v", c.policy, c.tried, err)
		}
	}
}

func TestDelay(t *testing.T) {
	rising := kopf.Backoff{From: time.Second, To: 10 * time.Second}
	for _, c := range []struct {
		backoff kopf.Backoff
		attempt int
		random  float64
		want    time.Duration
	}{
		{kopf.Backoff{}, 1, 0.5, time.Minute},
		{kopf.Backoff{From: kopf.AtOnce}, 1, 0.5, 0},
		{kopf.Backoff{From: time.Second}, 9, 0.5, time.Second},
		{rising, 1, 0, time.Second},
		{rising, 2, 0, 2 * time.Second},
		{rising, 4, 0, 8 * time.Second},
		{rising, 5, 0, 10 * time.Second},
		{rising, 1 << 40, 0, 10 * time.Second},
		{rising, 5, 1, 9 * time.Second},
		{rising, 2, 0.5, 1900 * time.Millisecond},
		{rising, 0, 0, time.Second},
	} {
		if got := Delay(c.backoff, c.attempt, c.random); got != c.want {
			t.Errorf("%+v after attempt %d: %v, want %v", c.backoff, c.attempt, got, c.want)
		}
	}
}
