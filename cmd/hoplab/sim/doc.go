// Package sim is a server that speaks Ollama's HTTP protocol and has no model:
// an engine that needs none says what a model would. It stands in for a real
// one where load or failures are to be tested.
//
//	request ─▶ body, model, context ─▶ dice ─▶ slot ─▶ reply ─▶ wait ─▶ fault ─▶ wire
//	              400, 404            fault,   queue,  engine,  until     as     Ollama's or
//	                                  latency   503    by role  the end  drawn   OpenAI's
//
// The files, in reading order:
//
//	start.go              a server on a free port
//	options.go, fault.go  what a server is told: latency, shares of faults
//	server.go, serve.go   a request's way
//	slot.go               the slots that requests are worked on in
//	prompt.go, read.go    what a request says: one of our prompts, with its data
//	reply.go              what the engine says to that, by the table of roles
//	shape.go              … in the shape of the reply that the prompt ends with
//	quote.go              … with the words of the passages that it rests on
//	complete.go, spoil.go the reply in pieces, or spoilt
//	stats.go, prefix.go   the figures; how much of prompts a cache would know
//	chat.go, generate.go, embed.go, models.go, openai.go
//	                      the wire
//
// No file names a role: a prompt's question is in the table of package roles,
// and the form of its reply in its own text.
//
// A request's latency and fault are drawn from the seed in the order of
// arrival. A slot is held for exactly the latency drawn: the engine's work is
// done within it, and what a busy machine wakes late is not added to it (see
// slots). So the figures of a load test are those of the drawn server, not
// those of this one's CPU.
package sim
