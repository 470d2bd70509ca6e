// Package session is what a command works through: a connection, a client, and
// workers of its own unless other processes have workers.
//
//	session.go  Open, to ask questions; Inspect, to look at the log without working on it
//	ask.go      one question, its hops shown as they pass
//	ingest.go   Ingest: documents in, and out again
//	job.go      one Ingest: files found, read, published
//	compare.go  what was found beside what is stored, before anything changes
//	remove.go   documents deleted, and parts that documents no longer have
//	passed.go   what was not read, and why
//	empty.go    no question is asked of nothing
//	stall.go    a hint when nothing is answered for a while
package session
