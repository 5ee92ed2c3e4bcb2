// Package operator is what generated code, and programs that embed an operator, call: [Definition] describes an operator as data, [Call] is
// what bound methods take their arguments from, and [Main] and [Run] put the engine together and run it.
//
// Authors use package kopf instead. The one thing that they may want from here is *[Settings], in a startup handler.
//
// The engine lies in the internal packages below, in the order in which an event passes them: stream reads it, reactor gives its object a
// turn, cause names what happened, handling calls what is due, storage and patch write what came of it.
package operator
