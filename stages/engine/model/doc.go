// Package model stands between the roles of an engine and a model server.
//
//	a role's question ─▶ Ask: fit to the context ─▶ Model: budget, cache,
//	identical requests joined, queue, time limit ─▶ Client ─▶ server
//	the role's value  ◀─ Ask: read tolerantly, repair once ◀──────── reply
//
// A Client makes one request over one protocol. A Model is what all stages of
// a process share of one model on one server. Ask turns a prompt into a typed
// value, whatever the model makes of it.
package model
