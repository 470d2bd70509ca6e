// Package tracing makes the OpenTelemetry spans of questions: one trace for a
// question, across all stages and processes.
//
//	context.go  where a span stands in its trace: W3C traceparents
//	tracer.go   Tracer: spans recorded when they end, with a place chosen before
//	exemplar.go the trace of a slow question beside its figure
//	names.go    the names of spans and attributes, of one version of the conventions
//
// The trace context of a question travels in its messages' heads, as the
// traceparent of the delivery that wrote the message:
//
//	send question (client) ─▶ question ─┬─ process router ─┬─ search …
//	                                    │                  └─ chat …
//	                                    └ … each delivery is the child of the one
//	                                        that wrote its message
//
// The span of the question as a whole begins when the question is stored and ends
// with its answer, often in another process than it began in. So its place is
// computed, not carried: the trace's ID follows from the question's ID and the time
// when it was stored (unless a client brought a trace), and the span's ID from
// those two. Whoever ends a question can record its span, and a question that is
// delivered again stays in its trace.
//
// # Sampling
//
// Whether a trace is sampled is decided once, at the question, and its traceparent's
// flag carries the decision. A question that ends badly is exported all the same.
// What that takes is divided by who knows what:
//
//   - The log holds a message of every step, with the traceparent of the delivery
//     that wrote it. The process that ends the question reads the log and makes the
//     spans of these deliveries, with their IDs: the whole tree, whichever
//     processes the steps ran in, and whether they still live.
//   - What the log does not hold, searches, calls of models and attempts that
//     failed, is kept by each process for a while (Tail), and exported when the
//     process hears that the question ended badly. That is best effort.
//
// So a delivery of a question that is not sampled costs a few nanoseconds, not a
// span. Keeping all spans of all questions until they end was rejected: it costs
// the hot path a span per delivery for questions that end well, the buffer of a
// busy process would not last until a deadline five minutes away, and what a
// killed process kept is lost. Rebuilding everything from the log was rejected
// too: it does not know why attempts failed.
package tracing
