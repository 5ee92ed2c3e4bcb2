package annotation

import (
	"encoding/base64"
	"strings"

	"golang.org/x/crypto/blake2b"
)

const (
	// nameLimit is how long Kubernetes lets the part after the slash be. Kopf's first rule applied it to the whole name.
	nameLimit = 63
	// suffixRoom is what is kept free for a hash and the hyphen before it.
	suffixRoom = 7
	hashSize   = 4
)

var safe = strings.NewReplacer("/", ".", "<", "_", ">", "_")

// V2 returns the name of the annotation for a key, which is the id of a handler or one of the constants, by Kopf's current rule: slashes
// and angle brackets are replaced, nothing else; a name that is too long is cut and ends in a hash of the original key.
func V2(prefix, key string) string {
	name := []rune(safe.Replace(key))
	if len(name) <= nameLimit {
		return prefix + "/" + string(name)
	}
	return prefix + "/" + string(name[:nameLimit-suffixRoom]) + suffix(key)
}

// V1 returns the name by the rule of old versions of Kopf, under which current versions still keep a copy. The prefix counts towards the
// limit, and the hash is that of the key after the replacements.
func V1(prefix, key string) string {
	name := []rune(safe.Replace(key))
	room := nameLimit - len([]rune(prefix+"/"))
	if len(name) <= room {
		return prefix + "/" + string(name)
	}
	cut := room - suffixRoom
	if cut < 0 {
		// With a long prefix the bound is negative, which Python counts from the end.
		cut += len(name)
	}
	return prefix + "/" + string(name[:max(cut, 0)]) + suffix(string(name))
}

// suffix returns a hyphen and the hash of key. The hash is BLAKE2b with an output of four bytes, which differs from the first four bytes of a longer one.
func suffix(key string) string {
	h, err := blake2b.New(hashSize, nil)
	if err != nil {
		panic(err) // the size is a constant that is permitted, and there is no MAC key
	}
	h.Write([]byte(key))
	text := base64.StdEncoding.EncodeToString(h.Sum(nil))
	return "-" + strings.TrimRight(strings.NewReplacer("+", "-", "/", ".").Replace(text), "=-.")
}
