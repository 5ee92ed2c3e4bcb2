// Package schema answers what the generator asks about the kinds of objects and their JSON form: which Go types are kinds, of what group,
// version and resource; where a field path leads; what identifies the elements of a list.
//
// It works on go/types types, from source or export data alike, plus the comments of the author's packages. It stands between package
// source, which loads, and package binding, which matches parameters against what is found here.
package schema
