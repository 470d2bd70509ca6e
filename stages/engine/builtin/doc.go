// Package builtin answers the questions of every role with no model at all:
// statistics and rules in plain Go, the same on every machine and in every
// run. It is honest about what that can do: it answers with what stands in the
// passages, in a span or in their own sentences, says how far it can be trusted,
// and says nothing when it finds nothing.
//
// New is all there is to call: it returns a roles.Set. The rooms know nothing of each
// other but what they import: calculate, what needs no documents; plan, how a question
// is taken apart; classify, which class it has; read, which unit of the passages answers
// and what form the answer has; linear, models that are sums of weights; weights, the
// data that hoplab train wrote. The files of this package answer for the roles, in three
// groups, each in reading order. What is known of English is in package lang.
//
// The entry:
//
//	engine.go  Options, New, memory that calls reuse
//
// Plan, what to look up:
//
//	classify.go      Direct, Classify: what can be computed, and of which class the rest is
//	refine.go        Refine: the next step of a complex question; Split: the parts of a
//	                 compound one
//	plan.go          Plan: all steps, with placeholders for each other's answers
//	revise.go        Revise: a better plan
//	supplement.go    Supplement: all steps that can be asked now
//	search_keywords.go   Keywords: what a word index wants of a query
//	search_operators.go  Extend, Emphasise, Exclude: one word, the next search
//	search_verify.go     Verify: whether the passages found suffice
//	search_statement.go  PseudoDocument, Hypothesise: the query as a statement
//
// Read, what the documents say:
//
//	query.go         a question's content words, their weights and synonyms
//	relevant.go      Relevant: which passages are worth reading, by what is read
//	embed.go         Embed: hashed vectors for windows and questions
//	answer.go        Answer: a span, or the sentences, steps or code that answer
//	doubt.go         how far an answer can be trusted, and what is worth saying
//	block.go         windows joined into blocks of sentences
//	candidate.go     stretches of text that could be the answer; look.go, what
//	                 one is by itself: a date, a person, a place
//	feature.go       what is measured about a candidate, group.go by which types
//	                 of answers; observe.go, which words stand in it and around it
//	choose.go        either-or questions
//	yesno.go         yes-or-no questions
//	weights.go       what a passage's measures are worth, and other numbers
//	facts.go         a thing that a question names; the countries that texts name
//	summarise.go     Summarise: a query's answer as a sentence
//
// Combine, what the answers come to:
//
//	fuse.go          Fuse: one answer from several window scales
//	synthesize.go    Synthesize: one answer from several sub-answers; compared.go,
//	                 how they bear on the things a question compares, chain.go, what
//	                 each of these led to
//	enough.go        Enough: whether the sub-answers suffice
package builtin
