// Package model stands between the roles of an engine and a model server.
//
//	a role's question ─▶ Ask: fit to the context ─▶ Model: budget, cache,
//	identical requests joined, queue, time limit ─▶ Client ─▶ server
//	the role's value  ◀─ Ask: read tolerantly, repair once ◀──────── reply
//
// A Client makes one request over one protocol. A Model is what all stages of
// a process share of one model on one server. Ask turns a prompt into a typed
// value, whatever the model makes of it.
//
// The files, in reading order:
//
//	client.go      Client: one request; ollama/ and openai/ are its protocols
//	model.go       Model: Chat and Embed, with budget, slots and time limit
//	flight.go      identical requests joined, each waiting as long as it may
//	slots.go       the requests at a server at once, the most urgent first;
//	               pace.go, how long replies take
//	cache.go       replies and vectors kept by the process
//	store.go       Store: replies kept beyond it, by question
//	tokens.go      how long a prompt is, learnt from what servers count
//	each.go        calls side by side
//	ask.go         Ask: fit to the context, read, repair once
//	object.go      Object: the JSON object in a reply; objects.go, lists of them;
//	               lenient.go, JSON as models write it
//	written.go     the text of a reply while it is being written
//	confidence.go  how sure a model was of a text
//	observe.go     what an observer is told
//	scripted.go    Scripted: a Client whose replies are set, for tests
package model
