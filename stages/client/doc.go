// Package client asks questions and receives their answers. It needs the log
// only: the workers may be in this process or on other machines.
//
//	submit.go  Client: Submit stores a question, telling apart a new one, one
//	           that is open or answered already, and a clash of IDs; Cancel
//	lanes.go   which lanes it uses, and what its tenants may have open
//	follow.go  Follower: every answer stored from now on; Ask submits one
//	           question and waits for its answer
//	text.go    FollowText: the text of an answer while a model writes it
//	bulk.go    Bulk: a stream of questions, a bounded number open at once
package client
