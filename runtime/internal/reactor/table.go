package reactor

import (
	"hash/maphash"

	"github.com/kopfgen/kopfgen/runtime/internal/skim"
)

// entry is all that is remembered of an object at rest.
type entry struct {
	// state is the digest, of the newest state seen, of everything that could change what is to be done.
	state uint64
	// version is that of the newest state seen, in events and in answers, as number returns it; 0 is none.
	version uint64
	// epoch is the list that the object was last seen in, or after.
	epoch uint32
	// initial tells that the object was found by a list and has not been handled since.
	initial bool
	// ahead tells that the version is that of an answer, and that no event or list has confirmed it yet.
	ahead bool
}

var seed = maphash.MakeSeed()

// number returns the version of a state, and whether a higher one is newer. An aggregated API may have versions that are not numbers; then
// it is a digest, which tells only whether two versions are the same.
func number(o *skim.Object) (version uint64, ordered bool) {
	if version, ordered = o.Number(); !ordered && len(o.Version) > 0 {
		version = maphash.Bytes(seed, o.Version)
	}
	return version, ordered
}
