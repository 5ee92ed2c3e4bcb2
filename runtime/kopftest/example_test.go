package kopftest_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kopfgen/kopfgen/runtime/kopftest"
)

// TestStory shows what there is. An author passes Operator, which is generated, to kopftest.New.
func TestStory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stage := kopftest.New(t, things(stubborn(3)))

		// A typed object or YAML; when Create returns, the operator has done what there was to do.
		a := stage.Create(`{apiVersion: test.kopf.dev/v1, kind: Thing, metadata: {name: a}, spec: {size: 1}}`)
		a.Expect(`progress: {made: {retries: 1, message: not yet}}`)

		// Time passes when the test says so.
		stage.Advance(10 * time.Minute)
		a.Expect(`progress: {made: {retries: 2}}`)

		// A new process finds what the old one left in the object.
		stage.Restart()

		// The next patch but one is refused; the operator tries again.
		stage.Fail(kopftest.Patch, 2, kopftest.Fault{Status: http.StatusConflict})
		took := a.Within(time.Hour, `{status: {made: made}, progress: null}`)
		if took < 10*time.Minute || took > 11*time.Minute {
			t.Errorf("it took %v", took)
		}

		a.Patch(`spec: {size: 2}`)
		a.Expect(`handled: {spec: {size: 2}}`)
		a.Delete()
		a.Expect(kopftest.Gone)
	})
}
