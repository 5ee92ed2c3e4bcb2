// Package source loads the author's packages for the generator: syntax with comments and types of the packages whose markers count,
// export data for everything that they import.
//
// It is the first stage of the generator, and calls package markers on every file. While loading, generated files from earlier runs, stale
// or broken as they may be, are replaced by empty ones, and the errors that this causes are dropped. Every other error of the compiler
// becomes a diagnostic.
package source
