// Package model describes an operator as the generator has understood it: every name is resolved, every parameter bound, every mistake
// reported.
//
// Package generator builds a model from the author's packages; packages emit and manifest print it. A model has no behaviour beyond small
// questions about itself, and needs the author's source no more: types are go/types types, everything else is plain data.
// Slices are in the order in which generated code lists their elements: the operator's package first, then other packages by import path,
// and in each the order of the source, except that startup handlers follow those whose results they take.
package model
