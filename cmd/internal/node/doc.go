// Package node is the part of the pipeline that runs in this process: the stages'
// workers, the indexes that they read, and what they ask.
//
//	node.go         Node: start, wire, stop
//	retrieval.go    the configured searchers, put together
//	stores.go       stores that follow the document stream, and how each is opened
//	readiness.go    which documents the stores hold: what is read for a question, and when the node is ready
//	positions.go    how far an index is, told to other processes and asked of them
//
// The store in Weaviate, which all processes share:
//
//	weaviate.go        one process fills it, all search it
//	weaviateread.go    how far it is
//	weaviateclient.go  its HTTP client
package node
