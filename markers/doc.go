// Package markers reads the comment markers of an operator's source: the grammar, its definitions and help texts.
//
//	//+kopf:on=create,kind=Greeter,retries=5        on a function: a handler; a function may carry several
//	//+kopf:operator=greeter,retries=3              above the package clause: the operator and its defaults
//
// It is the first stage of the generator and needs no type information: [Collect] takes one parsed file and returns the markers of its
// functions as typed arguments, each with its position. Whether a Go identifier exists, a field path leads somewhere or a literal fits
// the field is decided by package generator, which holds the types.
//
// Nothing an author writes is ignored. Every "+kopf" line that is not understood, stands where it means nothing, repeats an argument or
// loses text is reported at the exact token, each mistake once, with a way out. That is why the package has its own lexer: that of
// controller-tools has no positions, forgets quotes, lets the last of two equal arguments win and drops what stands before a space and a
// delimiter. The definitions are still those of controller-tools ([Registry]), so that tools which print its help can print ours.
//
// # What is a marker
//
// A line comment whose text is "+kopf:…", right after the slashes or after one space, in a function's doc comment or in the comment
// group that ends exactly one blank line above it. The same holds for the package clause and +kopf:operator.
// Prose that mentions +kopf: in the middle of a line is not a marker. Nor is a line of an example in a doc comment, if it has its own
// slashes, as in the source ("//	//+kopf:on=create"); without them it is reported, because the formatter turns any indented marker into
// an example, and the author may have meant a marker.
package markers
