// Package node is the part of the pipeline that runs in this process: the stages'
// workers, the indexes that they read, and what they ask.
//
//	node.go         Node: start, wire, stop
//	retrieval.go    the configured searchers, put together
//	search.go       what a search for passages asks and replies
//	passages.go     Search: passages for people, from the configured searchers or one of them
//	stores.go       stores that follow the document stream, and how each is opened
//	setup.go        Setup: what the pipeline keeps on the server, made before anything runs
//	readiness.go    which documents the stores hold: what is read for a question, and when the node is ready
//	storage.go      how much of the server's store and memory traces and answers may take
//	positions.go    how far an index is, told to other processes and asked of them
//
// The store in Weaviate, which all processes share:
//
//	weaviate.go        one process fills it, all search it
//	weaviateread.go    how far it is
//	weaviateclient.go  its HTTP client
package node
