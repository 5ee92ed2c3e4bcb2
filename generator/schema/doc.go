// Package schema answers what the generator asks about the kinds of objects and their JSON form: which Go types are kinds, of what group,
// version and resource; where a field path leads; what identifies the elements of a list.
//
// It works on go/types types, whether from source or export data, and on comments. It stands between package source, which loads the
// packages, and package binding, which matches parameters against what is found here.
package schema
