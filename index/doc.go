// Package index is what the stores of passages have in common; around it lies
// all that gets documents in and passages out. The example below indexes a few
// documents in memory and searches them.
//
// Documents in, in the order in which one travels:
//
//	document    files, folders and stdin read into documents, documents cut into passages
//	docstream   documents to the stream, and from the stream into stores
//
// Stores, each filled by a follower of the stream:
//
//	bleve       passages by their words: BM25, phrases, words to leave out
//	links       passages by their words and by whom they name
//	vector      passages by meaning, all in memory
//	weaviate    any of these in a Weaviate server, for what outgrows one machine
//
// Passages out:
//
//	searcher    ways of searching over stores, their fusion, and the table of them
//	web         a search engine's results as passages
//
// Below and beside them:
//
//	lang        English without a model: tokens, names, dates, kinds of answers
//	durable     streams and consumers that a restarted server still sees
//	internal    the heap that keeps the best few
//	sample      the small corpus that the program ships
//	golden      what every searcher finds on every data set, as a file
//	testkit     for tests: public data sets, real servers, what every store must do
//
// Here in the middle:
//
//	store.go    Store, what every store can do, and Position, how far it has read
//	query.go    Query, for stores that take more than a text
//	bm25.go     BM25, the parameters of scores by words
//
// The document stream is the authority; a store is a copy that remembers how
// far it has read, in the same batch as what it read. A store may therefore
// be deleted at any time: the next follower fills it again.
//
// Everything that can be wrong with a user's file is reported with file,
// line and what to do, and never stops the rest from being read. Everything
// that can be wrong with a question's text is harmless: no query language is
// ever parsed.
package index
