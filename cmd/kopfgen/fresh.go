package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/kopfgen/kopfgen/generator/output"
)

// record is what a run without complaints leaves in the user's cache: digests of everything that went in and of what came out. As long as
// both are the same, the next run has nothing to do and can skip the go command, where it would spend most of its time.
type record struct {
	Inputs  string            `json:"inputs"`
	Outputs map[string]string `json:"outputs"` // digests by path
}

// recordPath is where the record of this command line in this directory is kept, or "" if there is no cache.
func recordPath(dir string, f flags, packages []string) string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	key := sha256.Sum256(fmt.Appendf(nil, "%q %q %q %q", dir, f.crdDir, f.tags, packages))
	return filepath.Join(cache, "kopfgen", hex.EncodeToString(key[:16])+".json")
}

// fresh reports whether the recorded run read what is there now, and what it wrote is still there.
func fresh(path, inputs string) bool {
	data, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	var r record
	if json.Unmarshal(data, &r) != nil || r.Inputs != inputs || inputs == "" {
		return false
	}
	for file, want := range r.Outputs {
		there, err := os.ReadFile(file)
		if err != nil || digest(there) != want {
			return false
		}
	}
	return true
}

// keep writes the record of a run. If it cannot, the next run just does the work again.
func keep(path, inputs string, files []output.File) {
	r := record{Inputs: inputs, Outputs: map[string]string{}}
	for _, f := range files {
		r.Outputs[f.Path] = digest(f.Data)
	}
	data, err := json.Marshal(r)
	if err != nil || path == "" || inputs == "" {
		return
	}
	_ = writeFile(output.File{Path: path, Data: data})
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
