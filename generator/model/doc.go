// Package model is what the generator has understood of an operator: every name resolved, every parameter bound, every mistake gone.
//
// Package generator builds it from the author's packages; packages emit and manifest print it. It holds no behaviour but small questions
// about itself, and nothing in it needs the author's source any more: types are go/types types, everything else is plain data.
// Slices are in the order in which generated code lists their elements: the operator's package first, then other packages by import path,
// and in each the order of the source, except that startup handlers follow those whose results they take.
package model
