// Package exampletest lets the tests of the examples play their operators on a real API server, in a few lines each:
//
//	func TestMain(m *testing.M) { os.Exit(exampletest.Main(m)) }
//
//	func TestGreeting(t *testing.T) {
//		stage := exampletest.New(t)
//		op := stage.Run(Operator())
//		world := stage.Apply("object.yaml")["world"]
//		world.Until("it is greeted", `status: {greet: {text: "hello, world"}}`)
//		op.Stop()
//	}
//
// A [Stage] is a namespace and the definitions of the example. A [Run] is an operator at work, with its log. An [Object] is watched from
// its creation on, so that a test can ask for states that pass quickly. What is waited for is written as the part of the object that is
// to be seen, with Kopf's annotations taken apart; see [Object.Until]. A test that fails shows the object and the log.
package exampletest

import (
	"testing"
	"time"

	"github.com/kopfgen/kopfgen/internal/controlplane"
)

// patience is how long a test waits for anything. It is far more than anything takes, since a busy machine is no failure.
const patience = time.Minute

// Main runs the tests of an example and stops the API server that they share. It returns the exit status.
func Main(m *testing.M) int { return controlplane.Main(m) }
