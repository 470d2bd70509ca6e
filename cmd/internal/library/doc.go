// Package library looks into what is indexed, for people and for scripts.
//
//	library.go    Library: a connection to the document stream, which it never makes
//	documents.go  the documents, one row each
//	show.go       one document: its passages, as stores cut them
//	nearest.go    the IDs that a wrong one may mean
//	search.go     Search: passages found by running workers, or by stores of this process
//	marks.go      where the words of a query stand in a text
//	print.go      all of that as text
//
// A document too long for one message is stored as several; here it is one.
package library
