// Package inspect looks at what the log holds.
//
//	questions.go  questions, open and ended
//	status.go     lag and rates of the stages, open questions, indexes
//	kept.go       what is stored, for how long, and how much of its bound that is
//	tenants.go    what is set for tenants, and what they have open
//	letters.go    dead letters: listed, replayed, removed
package inspect
