package sim

import (
	"net/http"
	"time"

	"github.com/ollama/ollama/api"
)

// serveEmbed is POST /api/embed.
func (s *Server) serveEmbed(w http.ResponseWriter, r *http.Request) {
	x := s.exchange(w, r, ollamaProblem)
	var req api.EmbedRequest
	if !x.body(&req) {
		return
	}
	texts, ok := inputs(req.Input)
	if !ok {
		x.fail(http.StatusBadRequest, "invalid input type", "refused")
		return
	}
	x.embed(req.Model, texts, number(req.Options, "num_ctx"), req.Truncate != nil && !*req.Truncate, func(vectors [][]float32, tokens int, took time.Duration) any {
		for i, v := range vectors {
			if req.Dimensions > 0 && req.Dimensions < len(v) {
				vectors[i] = v[:req.Dimensions]
			}
		}
		return api.EmbedResponse{Model: req.Model, Embeddings: vectors, TotalDuration: took, LoadDuration: 1, PromptEvalCount: tokens}
	})
}

// inputs are the texts of an input: a string or several, an empty one being
// none.
func inputs(in any) (texts []string, ok bool) {
	switch in := in.(type) {
	case nil:
		return nil, true
	case string:
		if in == "" {
			return nil, true
		}
		return []string{in}, true
	case []any:
		for _, v := range in {
			s, ok := v.(string)
			if !ok {
				return nil, false
			}
			texts = append(texts, s)
		}
		return texts, true
	}
	return nil, false
}

// embed answers a request for vectors; write makes its body.
func (x *exchange) embed(model string, texts []string, numCtx int, whole bool, write func(vectors [][]float32, tokens int, took time.Duration) any) {
	s := x.s
	numCtx = s.context(numCtx)
	if !x.known(model, numCtx) {
		return
	}
	if len(texts) == 0 {
		x.whole(write([][]float32{}, 0, 0), "")
		return
	}
	tokens := 0
	for i, t := range texts {
		n := countTokens(t)
		if n > numCtx {
			if whole {
				x.fail(http.StatusBadRequest, saidTooLong, "refused")
				return
			}
			n = numCtx
			texts[i] = string([]rune(t)[:numCtx*runesPerToken])
		}
		tokens += n
	}
	drawn := s.dice.throw()
	if textFaults[drawn.fault] {
		drawn.fault = ""
	}
	turn := x.enter(&drawn)
	if turn == nil {
		return
	}
	defer turn.leave()
	vectors, err := s.engine.Embed(x.r.Context(), texts)
	if err != nil {
		x.broken(err)
		return
	}
	turn.leaveAfter(drawn.latency)
	s.counts.reply("", tokens, 0)
	if x.wait(turn, drawn.fault) {
		x.whole(write(vectors, tokens, turn.start.Sub(x.arrived)+drawn.latency), drawn.fault)
	}
}
