// Package runner moves messages through the stages. It alone knows the
// broker's consumers, retries, dead letters, metrics and traces; a stage's
// logic is a function from one message to some.
//
// One message's way, in reading order of the files:
//
//	runner.go    New, Run: one worker per stage, a sentinel, a shared tracker
//	worker.go    fetch: as many messages as there are free slots, no more
//	deliver.go   decode → deadline → look up → Handle → publish → ack; a
//	             question also notes where the document stream ends
//	time.go      how much of a question's time a message may take
//	share.go     sub-queries that another question works on, or has answered
//	preview.go   an answer's text, published while a model writes it
//	publish.go   outputs stored, each once, and what follows from a stored plan
//	outcome.go   the one switch: what becomes of a message after an error
//	attempts.go  … and what does not count against it: a service that is away
//	collect.go   … and what an expired question has found all the same
//	history.go   what is known of messages that come again
//	dead.go      what cannot be processed goes to the dead-letter stream
//	keep.go      streams and consumers that a server comes back without
//	inflight.go  messages in flight: heartbeats, cancellation, handing back
//	sentinel.go  ends open questions whose deadline has passed
//	admit.go     the router takes what is admitted, of what was read ahead
//	lanes.go     … of every lane in which questions wait
//	identity.go  an ID stands for one question
//	tenants.go   the figures of admission
//	gate.go      when the router stops taking questions, and what is dropped of
//	             what was stored; a stage's logic may have a gate of its own
//	             (Logic.Gate)
//	paused.go    … and when an operator says that none is taken
//	metrics.go   the figures
//	trace.go     the span that a delivery adds to its question's trace
//	rebuild.go   … and the spans of a question that ended badly, from the log
//
// A delivery acks its input after everything it leads to is stored. Killing
// the process at any point leads to a redelivery, which finds what is stored
// and does only the rest.
package runner
