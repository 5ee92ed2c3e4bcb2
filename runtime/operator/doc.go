// Package operator is what generated code, programs that embed an operator, and main call: the description of an operator as data, the
// call that bound methods take their arguments from, and [Main] and [Run], which put the engine together and run it.
//
// Authors meet package kopf instead. The one thing they may want from here is *[Settings], in a startup handler.
//
// The engine lies in the internal packages below, in the order in which an event passes them: stream reads it, reactor gives its object a
// turn, cause names what happened, handling calls what is due, storage and patch write what came of it.
package operator
