package reactor

// entry is all that is remembered of an object at rest.
type entry struct {
	// state is the digest of everything that could change what is to be done, as of the newest state seen.
	state uint64
	// version is the highest resource version seen, in events and in answers to patches.
	version uint64
	// epoch is the list that the object was last seen in, or after.
	epoch uint32
	// initial tells that the object was found by a list and has not been handled since.
	initial bool
	// raised tells that the version was seen after the last list had begun, other than in it.
	raised bool
	// work is nil at rest.
	work *work
}
