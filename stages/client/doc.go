// Package client asks questions and receives their answers. It needs the log
// only: the workers may be in this process or on other machines.
//
//	submit.go  Client: Submit stores a question, telling apart a new one, one
//	           that is open or answered already, and a clash of IDs; Cancel
//	follow.go  Follower: every answer stored from now on; Ask submits one
//	           question and waits for its answer
//	bulk.go    Bulk: a stream of questions, a bounded number open at once
package client
