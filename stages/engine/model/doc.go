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
//	flight.go      identical requests joined
//	cache.go       replies and vectors kept
//	tokens.go      how long a prompt is, learnt from what servers count
//	each.go        calls side by side
//	ask.go         Ask: fit to the context, read, repair once
//	object.go      Object: the JSON object in a reply; objects.go, lists of them;
//	               lenient.go, JSON as models write it
//	confidence.go  how sure a model was of a text
//	observe.go     what an observer is told
//	scripted.go    Scripted: a Client whose replies are set, for tests
package model
