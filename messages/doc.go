// Package messages is the wire contract of hopstream: what travels between
// the stages, under which subject, and in which form.
//
// A question travels top-down:
//
//	Question    what a user asked                         question.[<tenant>.<priority>.]<id>
//	Decompose   ask for the plan of a round               decompose.<id>.<round>
//	Plan        the decision: the sub-queries of a round  plan.<id>.<round>
//	Retrieve    one sub-query to search for               retrieve.<id>.<round>.<branch>
//	Filter      its passages, to be judged for relevance  filter.<id>.<round>.<branch>
//	Align       the relevant ones, to be aligned with it  align.<id>.<round>.<branch>
//	Generate    the evidence, to be answered from         generate.<id>[.<round>.<branch>]
//	Subanswer   what one branch found                     subanswer.<id>.<round>.<branch>
//	Judge       a joined round, to be judged              judge.<id>.<round>
//	Answer      the one terminal answer                   answer.<id>
//
// Beside it stand Dead (what could not be processed, and why) and Document
// (what the index is built from).
//
// Every inner message embeds Head, which carries the question's identity,
// its deadline, budget and usage, and the (sub-question, answer) pairs so
// far: a stage needs nothing but its message. Encode and Decode are the only
// way in and out; Decode never panics and says what is wrong. Subjects and
// streams are named by Names and nowhere else.
//
// The files, in reading order:
//
//	inner.go                the table of kinds, and the messages between stages
//	head.go                 Head: what every inner message carries
//	question.go, answer.go  the two ends; accept.go, how a question begins
//	lane.go                 where a question waits: by tenant and priority
//	budget.go, usage.go     what a question may use, and has used
//	strategy.go             how a complex question is pursued
//	find.go                 passages, and the searchers that found them
//	place.go, evidence.go   where a passage stands, and the words an answer rests on
//	dead.go, document.go    what stands beside a question's way
//	preview.go              the text of an answer while it is written
//	part.go                 the IDs of the parts of a long document
//	kind.go, traits.go      what else is read from the table, or asked of a message
//	codec.go                Encode and Decode: the JSON
//	subject.go              Names: subjects, streams, buckets
//
// A new kind is a file with its type and a row in the table.
//
// The JSON is encoding/json's to the byte. A library writes and reads it,
// because every hop does both: README.md beside this file has the figures.
// Otherwise the package imports the standard library only.
package messages
