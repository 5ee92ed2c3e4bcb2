package skim

import "hash/maphash"

// seed is that of all digests of this process; they mean nothing in another one.
var seed = maphash.MakeSeed()

func hash(text []byte) uint64       { return maphash.Bytes(seed, text) }
func hashString(text string) uint64 { return maphash.String(seed, text) }

// digest returns the contribution of a member: the text of its name and value, at the place that salt stands for. Contributions are added,
// so that the order of members makes no difference; they must therefore not be related to one another, which the mixing takes care of.
func digest(member []byte, salt uint64) uint64 { return mix(hash(member) ^ salt) }

// mix is the finalizer of MurmurHash3.
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
