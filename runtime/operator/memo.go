package operator

import (
	kopf "github.com/kopfgen/kopfgen/runtime"
)

// MemoKey tells the memos of one type apart from others; generated code keeps one for each type.
type MemoKey[T any] struct{ _ byte }

// Memo returns the memo of the call's object under key, the same for every handler and call while the object exists.
func Memo[T, V any](c *Call[V], key *MemoKey[T]) *kopf.Memo[T] {
	return c.attempt.Memos.Get(key, func() any { return new(kopf.Memo[T]) }).(*kopf.Memo[T])
}
