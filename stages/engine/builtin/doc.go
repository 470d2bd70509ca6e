// Package builtin answers the questions of every role with no model at all:
// statistics and rules in plain Go, the same on every machine and in every
// run. It is honest about what that can do: it answers with what stands in the
// passages, in a span or in their own sentences, says how far it can be trusted,
// and says nothing when it finds nothing.
//
// New is all there is to call: it returns a roles.Set. Four rooms have what is
// learned: linear, models that are sums of weights; classify, which class a
// question has; read, which unit of the passages answers and what form the answer
// has; weights, the data that hoplab train wrote. The files of this package are in five groups, each in reading
// order. What is known of English is in package lang.
//
// The entry:
//
//	engine.go  Options, New, memory that calls reuse
//
// Classify, what kind of question it is:
//
//	classify.go      Classify: room classify over the question and its plan
//
// Plan, what to look up:
//
//	split.go         Split: a compound question's parts; split_attribute.go,
//	                 split_pronoun.go
//	refine.go        Refine: the next step of a complex question, by a parse
//	                 that serves all strategies: refine_word.go, refine_plan.go,
//	                 refine_next.go, refine_told.go,
//	                 refine_compare.go, refine_pair.go, refine_phrase.go, refine_clause.go,
//	                 refine_reduced.go, refine_verb.go, refine_name.go,
//	                 refine_attribute.go
//	plan.go          Plan: all steps, with placeholders for each other's answers
//	revise.go        Revise: a better plan; faults.go, what is wrong with one;
//	                 replan.go, another one after this led nowhere
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
//	                 of each (relevant_read.go) and measured (relevant_feature.go)
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
//
// Calculate, what needs no documents:
//
//	direct.go        Direct: direct_expr.go, direct_number.go, direct_unit.go,
//	                 direct_calendar.go, direct_count.go
package builtin
