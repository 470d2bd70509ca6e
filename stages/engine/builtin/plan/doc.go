// Package plan takes questions apart: into steps that need each other's answers, into
// the two sides of a comparison, into the parts of a compound question. Nothing but the
// question and the answers so far is looked at, so that any worker comes to the same
// plan.
//
// What a question nests is learned: of all stretches of its words that may describe
// something ("the county where X is located"), the weights choose the one to ask for
// first, or that there is none; its answer takes its place, and the rest is taken apart
// in the same way.
//
//	plan.go       Planner, Plan: a question's steps
//	word.go       a question's words; name.go, where a name ends; verb.go, what is a verb
//	nested.go     descriptions become steps: nest.go, which stretches are descriptions;
//	              observe.go, what the weights see of one; ask.go, how one is asked for
//	compare.go    two things side by side: pair.go, which; attribute.go, what is asked
//	              of each
//	next.go       which step is next, given the answers so far
//	parts.go      all steps, with placeholders for each other's answers
//	revise.go     a better plan: faults.go, what is wrong with one; replan.go, another
//	              one after this led nowhere
//	split.go      the parts of a compound question: split_attribute.go, split_pronoun.go
//	statement.go  a question as the statement that answers it
//	lesson.go     what the weights are fitted to
package plan
