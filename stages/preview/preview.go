// Package preview carries, with a delivery's context, where the text of a
// question's answer goes while a model writes it.
//
//	runner: With(ctx, sink) ─▶ generator: Final(ctx) ─▶ model.Ask: To(ctx) ─▶ sink
//
// The runner knows whom to tell, the generator which reply becomes the answer,
// and the engine reads the text out of the reply. What is shown so is a preview:
// the answer that is stored counts. A reply that another caller asked for, or
// that was kept, comes without one.
package preview

import "context"

// Sink takes a text as it is written. It is safe for concurrent use, never
// blocks for long, and takes calls after whoever made it is done with it, since
// a reply may go on for others who wait for it.
type Sink interface {
	// Restart says that the text begins anew, and what was written does not count.
	Restart()
	// Write adds to the text, in whole characters.
	Write(text string)
}

type key struct{}

type carried struct {
	sink  Sink
	final bool
}

// With returns a context that carries s, for those below to whom Final gives it.
func With(ctx context.Context, s Sink) context.Context {
	return context.WithValue(ctx, key{}, carried{sink: s})
}

// Final returns a context in which a reply becomes the answer of the question,
// so that its text goes to the sink, if ctx carries one.
func Final(ctx context.Context) context.Context {
	c, _ := ctx.Value(key{}).(carried)
	if c.sink == nil || c.final {
		return ctx
	}
	c.final = true
	return context.WithValue(ctx, key{}, c)
}

// To returns where the text of a reply goes: nil unless ctx is one that Final
// returned, with a sink.
func To(ctx context.Context) Sink {
	c, _ := ctx.Value(key{}).(carried)
	if !c.final {
		return nil
	}
	return c.sink
}
