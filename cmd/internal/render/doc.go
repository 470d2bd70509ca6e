// Package render prints answers, and the messages that led to them, for people;
// and answers as JSON for scripts.
//
//	answer.go  an answer with its citations and hops, as text
//	line.go    an answer as one line of JSON
//	hop.go     a question's messages as they pass
//	trace.go   a question's stored messages
package render
