package sim

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"hopstream/prompts"
)

// direct is a request whose reply is {"answer":"144"}.
func direct(stream bool) *api.ChatRequest {
	req := chatOf(prompts.Render("direct", prompts.Data{Question: "What is 12 times 12?"}))
	req.Stream = &stream
	return req
}

const directReply = `{"answer":"144"}`

// chat returns the parts of a reply.
func chat(ctx context.Context, c *api.Client, req *api.ChatRequest) (all []api.ChatResponse, text string, err error) {
	err = c.Chat(ctx, req, func(r api.ChatResponse) error {
		all = append(all, r)
		text += r.Message.Content
		return nil
	})
	return all, text, err
}

func TestChat(t *testing.T) {
	t.Parallel()
	s, c, _ := start(t, Options{Latency: Latency{Mean: 2 * time.Millisecond}})
	for _, stream := range []bool{true, false} {
		req := direct(stream)
		all, text, err := chat(t.Context(), c, req)
		if err != nil || text != directReply {
			t.Fatal(text, err)
		}
		last := all[len(all)-1]
		if stream != (len(all) > 2) || slices.ContainsFunc(all[:len(all)-1], func(r api.ChatResponse) bool { return r.Done }) {
			t.Errorf("stream %v: %d parts", stream, len(all))
		}
		n := 0
		for _, m := range req.Messages {
			n += len([]rune(m.Content))
		}
		if !last.Done || last.DoneReason != "stop" || last.PromptEvalCount != (n+3)/4 || last.EvalCount != (len(directReply)+3)/4 ||
			last.TotalDuration < 2*time.Millisecond || last.Model != "any" || last.Message.Role != "assistant" {
			t.Errorf("stream %v: %+v", stream, last)
		}
		if all[0].Logprobs != nil {
			t.Error("log probabilities unasked")
		}
	}
	st := s.Stats()
	if st.Requests != 2 || st.Endpoints["/api/chat"]["ok"] != 2 || st.Prompts["direct"] != 2 || st.Busy != 4*time.Millisecond || st.CompletionTokens != 8 {
		t.Errorf("%+v", st)
	}
}

func TestPerToken(t *testing.T) {
	t.Parallel()
	s, c, _ := start(t, Options{Latency: Latency{Mean: 2 * time.Millisecond, PerToken: 3 * time.Millisecond}})
	if _, text, err := chat(t.Context(), c, direct(true)); err != nil || text != directReply {
		t.Fatal(text, err)
	}
	if _, text, err := chat(t.Context(), c, direct(false)); err != nil || text != directReply {
		t.Fatal(text, err)
	}
	if st := s.Stats(); st.Busy != 2*(2+4*3)*time.Millisecond {
		t.Errorf("busy %v", st.Busy)
	}
}

func TestLogprobs(t *testing.T) {
	t.Parallel()
	_, c, _ := start(t, Options{Latency: none})
	for _, stream := range []bool{true, false} {
		req := direct(stream)
		req.Logprobs, req.TopLogprobs = true, 2
		all, text, err := chat(t.Context(), c, req)
		if err != nil {
			t.Fatal(err)
		}
		spelled := ""
		for _, r := range all {
			for _, l := range r.Logprobs {
				spelled += l.Token
				if l.Logprob > 0 || math.IsInf(l.Logprob, 0) || len(l.Bytes) != len(l.Token) || len(l.TopLogprobs) == 0 {
					t.Errorf("%+v", l)
				}
			}
		}
		if spelled != text {
			t.Errorf("tokens spell %q, the text is %q", spelled, text)
		}
	}
}

func TestContext(t *testing.T) {
	t.Parallel()
	_, c, _ := start(t, Options{Latency: none, NumCtx: 500})
	long := chatOf(prompts.Render("answerer", prompts.Data{Question: "Where was Marie Curie born?", Passages: []prompts.Passage{
		{Title: "Marie Curie", Text: "Marie Curie was born in Warsaw."}, {Text: strings.Repeat("Nothing to see here. ", 200)},
	}}))
	long.Options = map[string]any{"num_ctx": 100_000} // more than the server gives
	all, text, err := chat(t.Context(), c, long)
	if err != nil || all[0].PromptEvalCount != 500 {
		t.Fatal(all, err)
	}
	if strings.Contains(text, "Warsaw") {
		t.Errorf("the passage that was cut off is answered from: %s", text)
	}
	no := false
	long.Truncate = &no
	_, _, err = chat(t.Context(), c, long)
	if e, ok := errors.AsType[api.StatusError](err); !ok || e.StatusCode != http.StatusBadRequest || !strings.Contains(e.ErrorMessage, "exceeds the context length") {
		t.Error(err)
	}
	_, err = c.Embed(t.Context(), &api.EmbedRequest{Model: "any", Input: strings.Repeat("a", 3000), Truncate: &no})
	if e, ok := errors.AsType[api.StatusError](err); !ok || e.StatusCode != http.StatusBadRequest {
		t.Error(err)
	}
	cut, err := c.Embed(t.Context(), &api.EmbedRequest{Model: "any", Input: strings.Repeat("a", 3000)})
	if err != nil || cut.PromptEvalCount != 500 {
		t.Error(cut, err)
	}
	short := direct(false)
	short.Options = map[string]any{"num_predict": 2}
	if all, text, err := chat(t.Context(), c, short); err != nil || text != directReply[:8] || all[0].DoneReason != "length" || all[0].EvalCount != 2 {
		t.Error(all, err)
	}
}

func TestEmbed(t *testing.T) {
	t.Parallel()
	_, c, _ := start(t, Options{Latency: none})
	several, err := c.Embed(t.Context(), &api.EmbedRequest{Model: "any", Input: []string{"one text", "another", "one text"}})
	if err != nil {
		t.Fatal(err)
	}
	v := several.Embeddings
	if len(v) != 3 || len(v[0]) == 0 || !slices.Equal(v[0], v[2]) || slices.Equal(v[0], v[1]) || several.PromptEvalCount != 6 {
		t.Errorf("%d vectors, %d tokens", len(v), several.PromptEvalCount)
	}
	one, err := c.Embed(t.Context(), &api.EmbedRequest{Model: "any", Input: "one text", Dimensions: 8})
	if err != nil || len(one.Embeddings) != 1 || !slices.Equal(one.Embeddings[0], v[0][:8]) {
		t.Error(one, err)
	}
	if empty, err := c.Embed(t.Context(), &api.EmbedRequest{Model: "any", Input: []string{}}); err != nil || len(empty.Embeddings) != 0 {
		t.Error(empty, err)
	}
	if _, err := c.Embed(t.Context(), &api.EmbedRequest{Model: "any", Input: 7}); err == nil {
		t.Error("a number is embedded")
	}
}

func TestModels(t *testing.T) {
	t.Parallel()
	_, c, _ := start(t, Options{Latency: none, Models: []string{"small", "wide:7b"}})
	ctx := t.Context()
	list, err := c.List(ctx)
	if err != nil || len(list.Models) != 2 || list.Models[1].Name != "wide:7b" {
		t.Error(list, err)
	}
	if _, err := c.Show(ctx, &api.ShowRequest{Model: "small:latest"}); err != nil {
		t.Error(err)
	}
	missing := direct(true)
	missing.Model = "wide"
	_, _, err = chat(ctx, c, missing)
	_, showErr := c.Show(ctx, &api.ShowRequest{Model: "wide"})
	_, embedErr := c.Embed(ctx, &api.EmbedRequest{Model: "wide", Input: "x"})
	for _, err := range []error{err, showErr, embedErr} {
		if e, ok := errors.AsType[api.StatusError](err); !ok || e.StatusCode != http.StatusNotFound || e.ErrorMessage != `model "wide" not found, try pulling it first` {
			t.Error(err)
		}
	}
	known := direct(true)
	known.Model = "small"
	if _, text, err := chat(ctx, c, known); err != nil || text != directReply {
		t.Error(text, err)
	}
	if ps, err := c.ListRunning(ctx); err != nil || len(ps.Models) != 1 || ps.Models[0].ContextLength != 4096 {
		t.Error(ps, err)
	}
	var last string
	if err := c.Pull(ctx, &api.PullRequest{Model: "small"}, func(p api.ProgressResponse) error { last = p.Status; return nil }); err != nil || last != "success" {
		t.Error(last, err)
	}
	if err := c.Pull(ctx, &api.PullRequest{Model: "wide"}, func(api.ProgressResponse) error { return nil }); err == nil {
		t.Error("what is not there is pulled")
	}
	if v, err := c.Version(ctx); err != nil || v != version {
		t.Error(v, err)
	}
	if err := c.Heartbeat(ctx); err != nil {
		t.Error(err)
	}
}

func TestGenerate(t *testing.T) {
	t.Parallel()
	_, c, _ := start(t, Options{Latency: none})
	p := prompts.Render("direct", prompts.Data{Question: "What is 12 times 12?"})
	for _, stream := range []bool{true, false} {
		text, done := "", false
		err := c.Generate(t.Context(), &api.GenerateRequest{Model: "any", System: p.System, Prompt: p.User, Stream: &stream}, func(r api.GenerateResponse) error {
			text, done = text+r.Response, r.Done
			return nil
		})
		if err != nil || text != directReply || !done {
			t.Error(text, done, err)
		}
	}
}

// post sends a body, and returns the status and the answer.
func post(t *testing.T, method, url, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(bytes.TrimSpace(b))
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	s, _, url := start(t, Options{Latency: none})
	for _, row := range []struct {
		method, path, body string
		status             int
		says               string
	}{
		{"GET", "/", "", 200, "Ollama is running"},
		{"GET", "/api/nothing", "", 404, "404"},
		{"GET", "/api/chat", "", 405, "Method Not Allowed"},
		{"POST", "/api/tags", "", 405, "Method Not Allowed"},
		{"POST", "/api/chat", "", 400, `{"error":"missing request body"}`},
		{"POST", "/api/chat", "{", 400, `{"error":"unexpected end of JSON input"}`},
		{"POST", "/api/chat", `{"model":"m"}`, 200, `"done_reason":"load"`},
		{"POST", "/api/chat", `{"messages":[]}`, 404, "not found"},
		{"POST", "/api/generate", `{"model":"m"}`, 200, `"done_reason":"load"`},
		{"POST", "/api/embed", `{"model":"m","input":[1]}`, 400, "invalid input type"},
		{"POST", "/api/chat", `{"model":"` + strings.Repeat("m", maxBody) + `"}`, 413, "too large"},
		{"POST", "/v1/chat/completions", `{"model":"m","stream":true}`, 400, `"type":"invalid_request_error"`},
		{"POST", "/v1/chat/completions", `{"model":"m"}`, 400, "messages is empty"},
		{"GET", "/v1/models", "", 404, "every model is known"},
	} {
		if status, body := post(t, row.method, url+row.path, row.body); status != row.status || !strings.Contains(body, row.says) {
			t.Errorf("%s %s %.40s: %d %s", row.method, row.path, row.body, status, body)
		}
	}
	_, body := post(t, "GET", url+"/sim/stats", "")
	var st Stats
	if err := json.Unmarshal([]byte(body), &st); err != nil || st.Requests != s.Stats().Requests || st.Endpoints["/api/chat"]["refused"] != 4 {
		t.Error(body, err)
	}
	if status, _ := post(t, "POST", url+"/sim/reset", ""); status != http.StatusNoContent || s.Stats().Requests != 0 {
		t.Error(status, s.Stats())
	}
}
