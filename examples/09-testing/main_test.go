package main

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kopfgen/kopfgen/runtime/kopftest"
)

// order is what the tests create.
func order(pieces int) *Order {
	return &Order{ObjectMeta: metav1.ObjectMeta{Name: "chairs"}, Spec: OrderSpec{Item: "chair", Pieces: pieces}}
}

// open has the operator run with a stock of its own, in virtual time.
func open(t *testing.T, test func(t *testing.T, stage *kopftest.Stage, stock *Stock)) {
	synctest.Test(t, func(t *testing.T) {
		warehouse = &Stock{}
		test(t, kopftest.New(t, Operator), warehouse)
	})
}

func TestStockThatAnswersLater(t *testing.T) {
	open(t, func(t *testing.T, stage *kopftest.Stage, stock *Stock) {
		stock.Count(true)
		chairs := stage.Create(order(4))
		chairs.Expect(`progress: {reserve: {retries: 1, message: the stock is being counted}}`)

		stage.Advance(25 * time.Minute)
		chairs.Expect(`progress: {reserve: {retries: 3}}`)

		stock.Count(false)
		if took := chairs.Within(time.Hour, `status: {reserve: {pieces: 4, attempts: 4}}`); took != 5*time.Minute {
			t.Errorf("the next attempt came after %v", took)
		}
	})
}

func TestStockThatNeverAnswers(t *testing.T) {
	open(t, func(t *testing.T, stage *kopftest.Stage, stock *Stock) {
		stock.Count(true)
		chairs := stage.Create(order(4))
		took := chairs.Within(24*time.Hour, `progress: {reserve: {failure: true, retries: 6}}`)
		if took != 50*time.Minute {
			t.Errorf("the reservation was given up after %v", took)
		}
	})
}

func TestPaymentInTime(t *testing.T) {
	open(t, func(t *testing.T, stage *kopftest.Stage, stock *Stock) {
		chairs := stage.Create(order(4))
		stage.Advance(30*time.Hour + 20*time.Minute)
		chairs.Expect(`{status: {reserve: {attempts: 1}, payment: null}, progress: {payment: {success: false}}}`)

		chairs.Patch(`spec: {paid: true}`)
		chairs.Within(40*time.Minute, `{status: {payment: received}, progress: null}`)
	})
}

func TestPaymentThatDoesNotCome(t *testing.T) {
	open(t, func(t *testing.T, stage *kopftest.Stage, stock *Stock) {
		chairs := stage.Create(order(4))
		// At the 71st hour it is clear that another look would be too late.
		if took := chairs.Within(100*time.Hour, `{status: {payment: null}, progress: null}`); took != 71*time.Hour {
			t.Errorf("the payment was given up after %v", took)
		}
		if len(stage.Log("level=ERROR", "payment", "object.name=chairs")) != 1 {
			t.Error("that it was given up is not in the log")
		}
	})
}

// A new process goes on where the old one was: neither attempts nor the time limit begin again.
func TestRestart(t *testing.T) {
	open(t, func(t *testing.T, stage *kopftest.Stage, stock *Stock) {
		stock.Count(true)
		chairs := stage.Create(order(4))
		stage.Advance(15 * time.Minute)
		stage.Restart()
		chairs.Expect(`progress: {reserve: {retries: 2}}`)

		stage.Stop()
		stage.Advance(70 * time.Hour)
		stage.Start()
		chairs.Expect(`progress: {reserve: {retries: 3}, payment: {failure: false}}`)
		if took := chairs.Within(72*time.Hour, `progress: null`); took != time.Hour {
			t.Errorf("the payment was given up after %v", took)
		}
	})
}

// What was done and could not be saved is saved later, and not done again.
func TestServerInTrouble(t *testing.T) {
	for name, fault := range map[string]kopftest.Fault{
		"refuses":             {Status: http.StatusServiceUnavailable},
		"does not answer":     {LoseAnswer: true},
		"does not understand": {LoseRequest: true},
	} {
		t.Run(name, func(t *testing.T) {
			open(t, func(t *testing.T, stage *kopftest.Stage, stock *Stock) {
				stage.Fail(kopftest.Patch, 3, fault)
				chairs := stage.Create(order(4))
				chairs.Within(time.Minute, `status: {reserve: {pieces: 4}}`)
				if stock.Taken() != 4 {
					t.Errorf("%d pieces were taken", stock.Taken())
				}
			})
		})
	}
}

func TestCancel(t *testing.T) {
	open(t, func(t *testing.T, stage *kopftest.Stage, stock *Stock) {
		chairs := stage.Create(order(4))
		stock.Count(true)
		chairs.Delete()
		stage.Advance(time.Hour)
		chairs.Expect(`metadata: {finalizers: [kopf.zalando.org/KopfFinalizerMarker]}`)

		stock.Count(false)
		chairs.Within(10*time.Minute, kopftest.Gone)
		if stock.Taken() != 0 {
			t.Errorf("%d pieces were not put back", stock.Taken())
		}
	})
}

// The definition that was generated is used: its defaults, and what it drops.
func TestDefaults(t *testing.T) {
	open(t, func(t *testing.T, stage *kopftest.Stage, stock *Stock) {
		stage.Create(`{apiVersion: demo.kopf.dev/v1, kind: Order, metadata: {name: lamp}, spec: {item: lamp, colour: red}}`).
			Expect(`{spec: {pieces: 1, colour: null}, status: {reserve: {pieces: 1}}}`)
	})
}
