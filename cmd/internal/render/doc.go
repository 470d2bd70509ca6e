// Package render writes answers and their way through the pipeline for people, and
// answers for scripts.
//
//	answer.go  an answer with its citations and hops, as text
//	line.go    an answer as one line of JSON
//	hop.go     a question's messages as they pass
//	trace.go   a question's stored messages
package render
