package kopf

// Memo is memory that the handlers of one object share for as long as the process runs and the object exists. An object has one memo for
// each type T, which starts as the zero value.
type Memo[T any] struct{ Value T }
