// Package storetest is what every store of passages must pass: one suite, so
// that the embedded stores and the remote one cannot drift apart.
//
//	Run       all of it against one kind of store      storetest.go
//	content   add, update, delete, chunks              content.go
//	structure headings and places, parts of documents  structure.go
//	queries   what a question may be, and text it hits queries.go
//	structured queries of parts that each do something structured.go
//	life      position, reset, reopen, close, cancel   life.go
//	load      searches during ingestion; many passages load.go
//	Embedder  vectors without a model, for dense ones  embedder.go
//	helpers   for the tests that a store has besides   helpers.go
//
// A store is told apart by what it promises (Options), not by its name: a
// lexical one finds nothing where no word is shared, a dense one always finds
// something; one ranks any number of equals by ID, another those it fetches.
// The words of the queries stand in the documents as they are, since not every
// store stems.
package storetest
