package sim

import (
	"math"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/ollama/ollama/api"
)

// answer is what a request for a reply gets.
type answer struct {
	model  string
	text   text
	pieces []piece
	api.Metrics
}

// piece is a token of a reply.
type piece struct {
	content  string
	thinking string
	logprobs []api.Logprob
}

// form is how a protocol writes answers.
type form interface {
	whole(*answer) any
	piece(*answer, *piece) any
	done(*answer) any
}

// complete answers a request for a reply.
func (x *exchange) complete(a *ask, f form) {
	s := x.s
	numCtx := s.context(a.numCtx)
	if !x.known(a.model, numCtx) {
		return
	}
	p, tokens := a.read(), a.tokens()
	if tokens > numCtx {
		if a.whole {
			x.fail(http.StatusBadRequest, saidTooLong, "refused")
			return
		}
		p.forget(tokens - numCtx)
		tokens = numCtx
	}
	known := s.prefixes.share(a.turns)
	drawn := s.dice.throw()
	if p.repair && textFaults[drawn.fault] {
		drawn.fault = ""
	}
	turn := x.enter(&drawn)
	if turn == nil {
		return
	}
	defer turn.leave()
	reply, confidence, err := s.reply(x.r.Context(), p)
	if err != nil {
		x.broken(err)
		return
	}
	out := &answer{model: a.model, text: spoil(drawn.fault, reply, drawn.rng)}
	out.cut(a, confidence, drawn.rng)
	switch drawn.fault {
	case "cut":
		out.pieces = out.pieces[:len(out.pieces)/2]
	case "error", "drop":
		out.pieces = nil
	}
	perToken := s.opts.Latency.PerToken
	eval := time.Duration(len(out.pieces)) * perToken
	turn.leaveAfter(drawn.latency + eval)
	s.counts.reply(p.role, tokens, len(out.pieces))
	s.counts.prompted(tokens, known)
	out.Metrics = api.Metrics{
		TotalDuration: turn.start.Sub(x.arrived) + drawn.latency + eval, LoadDuration: 1,
		PromptEvalCount: tokens, PromptEvalDuration: drawn.latency,
		EvalCount: len(out.pieces), EvalDuration: max(eval, 1),
	}
	if a.stream {
		x.stream(turn, turn.start.Add(drawn.latency), out, f, drawn.fault)
	} else if x.wait(turn, drawn.fault) {
		x.whole(f.whole(out), drawn.fault)
	}
}

// stream writes an answer piece by piece, from first on at the pace of the
// options, or at once where there is none.
func (x *exchange) stream(t *turn, first time.Time, a *answer, f form, fault string) {
	pace := x.s.opts.Latency.PerToken
	begun := false
	write := func(v any) {
		if !begun {
			x.w.Header().Set("Content-Type", "application/x-ndjson")
			begun = true
		}
		x.w.Write(encode(v))
	}
	if pace > 0 {
		timer := time.NewTimer(0)
		defer timer.Stop()
		flush := http.NewResponseController(x.w)
		for i := range a.pieces {
			timer.Reset(time.Until(first.Add(time.Duration(i+1) * pace)))
			select {
			case <-timer.C:
			case <-x.r.Context().Done():
				x.end("gone")
				return
			}
			write(f.piece(a, &a.pieces[i]))
			flush.Flush()
		}
	}
	if !x.wait(t, fault) {
		return
	}
	if pace <= 0 {
		for i := range a.pieces {
			write(f.piece(a, &a.pieces[i]))
		}
	}
	x.end(outcome(fault))
	if fault != "cut" {
		write(f.done(a))
	}
}

// cut makes pieces of the text, as many as are asked for at most.
func (out *answer) cut(a *ask, confidence float64, rng *rand.Rand) {
	thoughts, tokens := pieces(out.text.thinking), pieces(out.text.content)
	for _, s := range thoughts {
		out.pieces = append(out.pieces, piece{thinking: s})
	}
	for _, s := range tokens {
		p := piece{content: s}
		if a.logprobs {
			p.logprobs = []api.Logprob{logprob(s, confidence, a.top, rng)}
		}
		out.pieces = append(out.pieces, p)
	}
	if a.limit > 0 && len(out.pieces) > a.limit {
		out.pieces, out.text = out.pieces[:a.limit], text{length: true}
		for _, p := range out.pieces {
			out.text.thinking += p.thinking
			out.text.content += p.content
		}
	}
}

// logprob is that of a token of a reply of which the model is so sure.
func logprob(token string, confidence float64, top int, rng *rand.Rand) api.Logprob {
	t := api.TokenLogprob{Token: token, Logprob: math.Log(confidence) * (0.5 + rng.Float64())}
	for _, b := range []byte(token) {
		t.Bytes = append(t.Bytes, int(b))
	}
	l := api.Logprob{TokenLogprob: t}
	if top > 0 {
		l.TopLogprobs = []api.TokenLogprob{t}
	}
	return l
}

func (out *answer) reason() string {
	if out.text.length {
		return "length"
	}
	return "stop"
}

// logprobs are those of all pieces.
func (out *answer) logprobs() []api.Logprob {
	var all []api.Logprob
	for i := range out.pieces {
		all = append(all, out.pieces[i].logprobs...)
	}
	return all
}
