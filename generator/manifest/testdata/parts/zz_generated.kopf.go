// Package parts declares Whole once more here, as a stale file may do.
package parts

// Whole is gone.
type Whole struct{ Gone gone }
