// Package log reads and writes the JetStream streams behind the pipeline, which
// are at once its log, its queue and its trace. There are five operations:
//
//	Ensure     create or update the streams and the stages' consumers
//	Put        store a message once: a second write is refused by the server
//	Get …      read stored messages directly (one, several, a range)
//	End        store a question's one answer, and close the question
//	Documents  look where the document stream ends, which a question notes
//
// An open question is a message in the question stream, which has no age
// limit: it bounds how many questions are open, refuses an ID that is already
// being worked on, and is the mark from which an expired answer is written
// even when every worker was down past the deadline. It is removed once the
// answer is stored. Inner streams age out: they are the trace.
//
// The files, in reading order:
//
//	streams.go    Config, Ensure: the streams and consumers, made from the table
//	log.go        Log, Put, End, and the errors of a refused write
//	async.go      Put without a goroutine waiting for each
//	direct.go     Get, Find, Last, Range: reads that any replica answers
//	inbox.go      one subscription for reads of several messages
//	questions.go  open questions: closed, dropped, listed; a question's trace
//	lanes.go      the lanes that questions wait in: their consumers, and a question
//	              put into another
//	tenants.go    what is set for tenants, in a bucket
//	round.go      the sub-answers of a round, for the join, and of a question
//	documents.go  where the document stream ends
//	age.go        the oldest messages of a stream: found by time, dropped
//	shared.go     Shared: concurrent requests for one value, merged
//
// All idempotence rests on one rule: a subject holds one message, and what is
// stored first stays. Inner streams refuse a second one by their
// configuration; questions and answers say so in a header as well.
package log
