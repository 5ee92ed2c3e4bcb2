// Package kopf is the vocabulary of an operator's author: the errors that say how to go on, the change that a handler was called for, the
// patch that it may ask for, the policy of its retries, and its sub-handlers.
//
// It imports only the standard library and one small internal package, so that handlers, and packages that they share, can be compiled and
// tested as plain Go. What runs an operator is package operator, which generated code calls.
//
// A handler is a function with a marker. What it returns says what happens next:
//
//   - nil: it is done for this change; a result, if any, goes to the status;
//   - [Temporary]: it is called again after a delay;
//   - [Wait]: the same, but nothing is wrong and no retry is used up;
//   - [Permanent]: it is given up for this change;
//   - any other error is treated as the handler's [ErrorsMode] says, by default as temporary.
package kopf
