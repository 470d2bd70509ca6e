// Package architecture holds tests of the tree as a whole: which package may
// import which, how large a package may grow, how many files a stage, a role or
// a searcher is named in, and whether package comments name files that exist.
// There is no code in it but this map.
//
//	tree_test.go     the module's packages and their files
//	imports_test.go  imports point one way
//	size_test.go     packages that one can hold in the head
//	names_test.go    a stage, a role or a searcher is named in few files
//	maps_test.go     every package has a comment, and the files it names are there
//	race_test.go     the race detector looks at every package with goroutines
//	scratch_test.go  adding one touches few files (tag scratch)
package architecture
