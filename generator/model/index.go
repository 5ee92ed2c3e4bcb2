package model

import (
	"go/token"
	"go/types"
)

// Index is one in-memory index of an operator, which one or several index handlers fill.
type Index struct {
	ID string
	// Key and Value are the K and the V of kopf.Index[K, V].
	Key, Value types.Type
	// Func is the name of the first function that fills it, and Pos where that says so.
	Func string
	Pos  token.Position
}

// Rows is the form in which an index function returns the rows of its object; an error may follow in each of them.
type Rows int

// The forms of rows.
const (
	RowsNone     Rows = iota
	RowsPair          // K, V
	RowsPairIf        // K, V, bool
	RowsMap           // map[K]V
	RowsMultiMap      // map[K][]V
)
