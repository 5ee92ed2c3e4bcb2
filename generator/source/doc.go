// Package source loads the author's packages for the generator: syntax with comments and types of the packages whose markers count,
// export data for everything that they import.
//
// It is the first stage after package markers, which it calls on every file. What it returns compiles, apart from what only the generated
// files will declare: their own stale or broken remains are replaced by empty files while loading, and the errors that their absence causes
// are dropped. Every other error of the compiler becomes a diagnostic.
package source
