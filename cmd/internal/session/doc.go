// Package session is what a command works through: a connection, a client, and
// workers of its own unless other processes have workers.
//
//	session.go  Open, to ask questions; Inspect, to look at the log without working on it
//	ask.go      one question, its hops shown as they pass
//	ingest.go   documents in
//	empty.go    no question is asked of nothing
//	stall.go    a hint when nothing is answered for a while
package session
