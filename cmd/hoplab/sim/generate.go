package sim

import (
	"net/http"
	"time"

	"github.com/ollama/ollama/api"
)

// serveGenerate is POST /api/generate, with the system text and the prompt as
// the turns of a chat.
func (s *Server) serveGenerate(w http.ResponseWriter, r *http.Request) {
	x := s.exchange(w, r, ollamaProblem)
	var req api.GenerateRequest
	if !x.body(&req) {
		return
	}
	if req.Prompt == "" { // asks to load the model
		if x.known(req.Model, s.context(number(req.Options, "num_ctx"))) {
			x.whole(api.GenerateResponse{Model: req.Model, CreatedAt: time.Now().UTC(), Done: true, DoneReason: "load"}, "")
		}
		return
	}
	var turns []api.Message
	if req.System != "" {
		turns = append(turns, api.Message{Role: "system", Content: req.System})
	}
	x.complete(&ask{
		model: req.Model, turns: append(turns, api.Message{Role: "user", Content: req.Prompt}), schema: formatted(req.Format),
		numCtx: number(req.Options, "num_ctx"), limit: number(req.Options, "num_predict"),
		whole:    req.Truncate != nil && !*req.Truncate,
		logprobs: req.Logprobs, top: req.TopLogprobs,
		stream: req.Stream == nil || *req.Stream,
	}, generateForm{})
}

// generateForm writes answers as /api/generate does.
type generateForm struct{}

func (generateForm) message(a *answer, content, thinking string) api.GenerateResponse {
	return api.GenerateResponse{Model: a.model, CreatedAt: time.Now().UTC(), Response: content, Thinking: thinking}
}

func (f generateForm) whole(a *answer) any {
	m := f.message(a, a.text.content, a.text.thinking)
	m.Done, m.DoneReason, m.Logprobs, m.Metrics = true, a.reason(), a.logprobs(), a.Metrics
	return m
}

func (f generateForm) piece(a *answer, p *piece) any {
	m := f.message(a, p.content, p.thinking)
	m.Logprobs = p.logprobs
	return m
}

func (f generateForm) done(a *answer) any {
	m := f.message(a, "", "")
	m.Done, m.DoneReason, m.Metrics = true, a.reason(), a.Metrics
	return m
}
