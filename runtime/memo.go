package kopf

// Memo is memory that the handlers of one object share for as long as the process runs and the object exists. Each type has a memo of its
// own on each object; the first handler finds the zero value.
type Memo[T any] struct{ Value T }
