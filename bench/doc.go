// Command bench measures kopfgen beside its peers, Kopf and controller-runtime; make bench runs it, and docs/benchmarks.md explains what
// it prints.
//
// Three operators that do the same, below peers, take turns on one private control plane, for several rounds. What is measured in one
// round is in round.go, what is done once in size.go, generator.go, event.go and handlers.go. The rest serves them: operator.go runs a
// peer as a process and reads what the kernel counts about it; cluster.go, objects.go and tracker.go create objects and see them handled;
// result.go and target.go make medians, ratios and verdicts of it.
//
// Nothing is judged but reported: a missed target is no failure. Everything is bound to 127.0.0.1, ends in bounded time, and leaves
// nothing behind, also when it is interrupted. It needs Linux, for /proc.
package main
