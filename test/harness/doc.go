// Package harness runs one operator in two languages. An [Operator] is a description: resource, handlers, filters, limits. From it, a
// process of this runtime or of real Kopf is started by [Start], under the same handler ids, so that one can take over from the other; a
// process can be stopped like any other, or killed.
//
// What the handlers do is not part of the description. Each of them asks the [Prompter], a server within the test, and does as it is told:
// succeed, fail, return something, run sub-handlers, or wait until the test lets it go. So the test knows every call, from whichever
// process, and decides about it in one place.
//
// A [Proxy] between a process and the API server records all requests.
//
// The Go processes are the test binary itself: a package that uses the harness calls [Main] from its TestMain.
package harness
