package sim

import (
	"net/http"
	"time"

	"github.com/ollama/ollama/api"
)

// serveChat is POST /api/chat.
func (s *Server) serveChat(w http.ResponseWriter, r *http.Request) {
	x := s.exchange(w, r, ollamaProblem)
	var req api.ChatRequest
	if !x.body(&req) {
		return
	}
	if len(req.Messages) == 0 { // asks to load the model
		if x.known(req.Model, s.context(number(req.Options, "num_ctx"))) {
			x.whole(api.ChatResponse{Model: req.Model, CreatedAt: time.Now().UTC(), Message: api.Message{Role: "assistant"}, Done: true, DoneReason: "load"}, "")
		}
		return
	}
	x.complete(&ask{
		model: req.Model, turns: req.Messages, schema: formatted(req.Format),
		numCtx: number(req.Options, "num_ctx"), limit: number(req.Options, "num_predict"),
		whole:    req.Truncate != nil && !*req.Truncate,
		logprobs: req.Logprobs, top: req.TopLogprobs,
		stream: req.Stream == nil || *req.Stream,
	}, chatForm{})
}

// formatted reports whether a format asks for JSON.
func formatted(format []byte) bool {
	return len(format) > 0 && string(format) != "null" && string(format) != `""`
}

// number reads an option.
func number(options map[string]any, name string) int {
	n, _ := options[name].(float64)
	return int(min(max(n, -2), 1<<30))
}

// chatForm writes answers as /api/chat does.
type chatForm struct{}

func (chatForm) message(a *answer, content, thinking string) api.ChatResponse {
	return api.ChatResponse{Model: a.model, CreatedAt: time.Now().UTC(),
		Message: api.Message{Role: "assistant", Content: content, Thinking: thinking}}
}

func (f chatForm) whole(a *answer) any {
	m := f.message(a, a.text.content, a.text.thinking)
	m.Done, m.DoneReason, m.Logprobs, m.Metrics = true, a.reason(), a.logprobs(), a.Metrics
	return m
}

func (f chatForm) piece(a *answer, p *piece) any {
	m := f.message(a, p.content, p.thinking)
	m.Logprobs = p.logprobs
	return m
}

func (f chatForm) done(a *answer) any {
	m := f.message(a, "", "")
	m.Done, m.DoneReason, m.Metrics = true, a.reason(), a.Metrics
	return m
}
