// Package sim is a server that speaks Ollama's HTTP protocol and has no model:
// an engine that needs none says what a model would. It stands in for a real
// one where load or failures are to be tested.
//
//	request ─▶ body, model, context ─▶ dice ─▶ slot ─▶ reply ─▶ wait ─▶ fault ─▶ wire
//	              400, 404            fault,   queue,  engine,  until     as     Ollama's or
//	                                  latency   503    by role  the end  drawn   OpenAI's
//
// The order in which to read: the options (options.go) and faults (fault.go),
// the slots that requests are worked on in (slot.go), how a reply is made
// (prompt.go, reply.go) and spoilt (spoil.go), the request's way (serve.go),
// and the wire (chat.go, generate.go, embed.go, models.go, openai.go).
//
// A request's latency and fault are drawn from the seed in the order of
// arrival. A slot is held for exactly the latency drawn: the engine's work is
// done within it, and what a busy machine wakes late is not added to it (see
// slots). So the figures of a load test are those of the drawn server, not
// those of this one's CPU.
package sim
