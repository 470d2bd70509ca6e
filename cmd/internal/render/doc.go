// Package render prints answers, and the messages that led to them, for people;
// and answers as JSON for scripts.
//
//	answer.go    an answer with its evidence, citations and hops, as text
//	evidence.go  the quotes that it rests on, and where they stand
//	mark.go      the answer's words in a quote
//	link.go      where a terminal's links lead
//	line.go      an answer as one line of JSON
//	hop.go       a question's messages as they pass
//	live.go      … and the text of its answer while it is written
//	trace.go     a question's stored messages
package render
