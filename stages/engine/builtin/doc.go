// Package builtin answers every stage's question with no model at all:
// statistics and rules in plain Go, the same on every machine and in every
// run. It is honest about what that can do: it finds short spans that stand in
// the passages, compares dates and quantities, and says nothing when it finds
// nothing.
//
// The questioning half works on the question (classify, split, refine, enough,
// direct). Refining parses it into steps (refine_*.go), which serve all
// strategies:
//
//	refine.go      Refine: the next step
//	plan.go        Plan: all steps, with placeholders for each other's answers
//	revise.go      Revise: a better plan; faults.go, what is wrong with one;
//	               replan.go, another one after this led nowhere
//	supplement.go  Supplement: all steps that can be asked now
//
// The answering half works on text, in this order:
//
//	engine.go      Engine, Options, New
//	query.go       a question's content words, their weights and synonyms
//	group.go       answer types that share their weights
//	relevant.go    Relevant: which passages are worth reading, by what is read of
//	               each (relevant_read.go) and measured (relevant_feature.go)
//	embed.go       Embed: hashed vectors for windows and questions
//	block.go       windows joined into blocks of sentences, marked with the words they share with the question
//	candidate.go   stretches of text that could be the answer
//	feature.go     what is measured about a candidate
//	look.go        what a candidate is by itself: a date, a person, a place
//	weights.go     what each measure is worth
//	answer.go      Answer: the candidate with the best weighted sum
//	clause.go      answers that are clauses: definitions, reasons
//	choose.go      either-or questions
//	yesno.go       yes-or-no questions
//	list.go        several answers: the items of a list, read by
//	               coordination.go and bullet.go
//	facts.go       dates, quantities and countries of one thing
//	summarise.go   Summarise: a query's answer as a sentence
//	fuse.go        Fuse: one answer from several window scales
//	synthesize.go  Synthesize: one answer from several sub-answers
//	chain.go       how sub-answers bear on the things a question compares
//
// equivalent.go judges answers: Equivalent, whether one means the same as
// another (equivalent_name.go, equivalent_value.go).
//
// The searching half works on a query and what it found (search_*.go): which
// words to look for, how to refine a search, whether it suffices, and the
// query as a statement.
//
// The language itself is in package lang.
package builtin
