package sim

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/ollama/ollama/api"
)

// The same server in OpenAI's format, without streaming. A prompt that is too
// long is cut there too, as Ollama does.

func openaiProblem(status int, text string) any {
	kind := "invalid_request_error"
	if status >= 500 {
		kind = "server_error"
	}
	return map[string]any{"error": map[string]any{"message": text, "type": kind, "param": nil, "code": nil}}
}

// serveModels is GET /v1/models. A server that has any model has no list of
// them.
func (s *Server) serveModels(w http.ResponseWriter, _ *http.Request) {
	if len(s.opts.Models) == 0 {
		writeJSON(w, http.StatusNotFound, openaiProblem(http.StatusNotFound, "there is no list: every model is known"))
		return
	}
	type entry struct {
		ID      string `json:"id"`
		Object  string `json:"object"`
		Created int64  `json:"created"`
		OwnedBy string `json:"owned_by"`
	}
	list := []entry{}
	for _, name := range s.opts.Models {
		list = append(list, entry{name, "model", modified.Unix(), "library"})
	}
	writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": list})
}

// serveCompletions is POST /v1/chat/completions.
func (s *Server) serveCompletions(w http.ResponseWriter, r *http.Request) {
	x := s.exchange(w, r, openaiProblem)
	var req struct {
		Model               string          `json:"model"`
		Messages            []api.Message   `json:"messages"`
		Stream              bool            `json:"stream"`
		MaxTokens           int             `json:"max_tokens"`
		MaxCompletionTokens int             `json:"max_completion_tokens"`
		ResponseFormat      json.RawMessage `json:"response_format"`
		Logprobs            bool            `json:"logprobs"`
		TopLogprobs         int             `json:"top_logprobs"`
	}
	if !x.body(&req) {
		return
	}
	switch {
	case req.Stream:
		x.fail(http.StatusBadRequest, "stream is not simulated", "refused")
		return
	case len(req.Messages) == 0:
		x.fail(http.StatusBadRequest, "messages is empty", "refused")
		return
	}
	var format struct{ Type string }
	_ = json.Unmarshal(req.ResponseFormat, &format) // one that cannot be read asks for nothing
	x.complete(&ask{
		model: req.Model, turns: req.Messages, schema: format.Type == "json_object" || format.Type == "json_schema",
		limit: max(req.MaxTokens, req.MaxCompletionTokens), logprobs: req.Logprobs, top: req.TopLogprobs,
	}, openaiForm{})
}

// openaiForm writes answers as /v1/chat/completions does, whole only.
type openaiForm struct{}

func (openaiForm) whole(a *answer) any {
	message := map[string]any{"role": "assistant", "content": a.text.content}
	if a.text.thinking != "" {
		message["reasoning"] = a.text.thinking
	}
	choice := map[string]any{"index": 0, "message": message, "finish_reason": a.reason()}
	if all := a.logprobs(); all != nil {
		choice["logprobs"] = map[string]any{"content": all}
	}
	return map[string]any{
		"id": "chatcmpl-" + strconv.FormatInt(time.Now().UnixNano(), 36), "object": "chat.completion",
		"created": time.Now().Unix(), "model": a.model, "choices": []any{choice},
		"usage": tokenUsage(a.PromptEvalCount, a.EvalCount),
	}
}

func (openaiForm) piece(*answer, *piece) any { panic("sim: no stream in this format") }
func (openaiForm) done(*answer) any          { panic("sim: no stream in this format") }

func tokenUsage(prompt, completion int) map[string]int {
	return map[string]int{"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
}

// serveEmbeddings is POST /v1/embeddings.
func (s *Server) serveEmbeddings(w http.ResponseWriter, r *http.Request) {
	x := s.exchange(w, r, openaiProblem)
	var req struct {
		Model string `json:"model"`
		Input any    `json:"input"`
	}
	if !x.body(&req) {
		return
	}
	texts, ok := inputs(req.Input)
	if !ok || len(texts) == 0 {
		x.fail(http.StatusBadRequest, "invalid input", "refused")
		return
	}
	x.embed(req.Model, texts, 0, false, func(vectors [][]float32, tokens int, _ time.Duration) any {
		data := make([]map[string]any, len(vectors))
		for i, v := range vectors {
			data[i] = map[string]any{"object": "embedding", "index": i, "embedding": v}
		}
		return map[string]any{"object": "list", "model": req.Model, "data": data, "usage": tokenUsage(tokens, 0)}
	})
}
