// Package inspect looks at what the log holds.
//
//	questions.go  questions, open and ended
//	status.go     lag and rates of the stages, open questions, indexes
//	letters.go    dead letters: listed, replayed, removed
package inspect
