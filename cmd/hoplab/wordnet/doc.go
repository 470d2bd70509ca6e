// Package wordnet reduces WordNet (Princeton University, version 3.0) to the table
// of related words that package lang embeds.
//
//	wndb.go     the files of the database, as wndb(5WN) describes them
//	related.go  words with a sense in common, or derived from each other
//	write.go    the table, written
package wordnet
