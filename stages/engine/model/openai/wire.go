package openai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"hopstream/messages/fault"
	"hopstream/stages/engine/model"
)

// maxBody bounds what is read of an answer.
const maxBody = 8 << 20

// answer is an HTTP response, read whole.
type answer struct {
	status int
	header http.Header
	body   []byte
}

type usage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
}

// completion is an answer to a request for a reply, or an event of one that is
// streamed.
type completion struct {
	Choices []choice `json:"choices"`
	Usage   usage    `json:"usage"`
}

type choice struct {
	Message      said   `json:"message"`
	Delta        said   `json:"delta"` // in an event: what has come since the last
	FinishReason string `json:"finish_reason"`
	Logprobs     struct {
		Content []logprob `json:"content"`
	} `json:"logprobs"`
}

type said struct {
	Content string `json:"content"`
	Refusal string `json:"refusal"`
	// vLLM renamed the first to the second and sent both for a time.
	ReasoningContent string `json:"reasoning_content"`
	Reasoning        string `json:"reasoning"`
}

// thinking is what the model thought aloud.
func (s *said) thinking() string { return cmp.Or(s.Reasoning, s.ReasoningContent) }

type logprob struct {
	Token   string   `json:"token"`
	Bytes   []int    `json:"bytes"` // the token, where it is no text by itself
	Logprob *float64 `json:"logprob"`
}

type embeddings struct {
	Data []struct {
		Index     *int            `json:"index"`
		Embedding json.RawMessage `json:"embedding"`
	} `json:"data"`
	Usage usage `json:"usage"`
}

type models struct {
	Data []struct {
		ID      string   `json:"id"`
		Aliases []string `json:"aliases"` // llama.cpp
	} `json:"data"`
}

// post sends body and decodes the answer into out.
func (c *Client) post(ctx context.Context, path string, body map[string]any, out any) error {
	b, err := c.encode(body)
	if err != nil {
		return err
	}
	a, err := c.send(ctx, http.MethodPost, path, b)
	if err != nil {
		return err
	}
	return c.read(a, out)
}

// encode writes a body, with the model's name and without its nil fields.
func (c *Client) encode(body map[string]any) ([]byte, error) {
	body["model"] = c.model
	for name, value := range body {
		if value == nil {
			delete(body, name)
		}
	}
	b, err := json.Marshal(body)
	if err != nil {
		return nil, fault.AsPermanent(c.errorf("the request: %v", err))
	}
	return b, nil
}

// send makes one request. Its errors are those of the transport and of an
// answer over maxBody; whatever the server says is an answer.
func (c *Client) send(ctx context.Context, method, path string, body []byte) (*answer, error) {
	resp, err := c.open(ctx, method, path, "application/json", body)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return c.whole(ctx, resp)
}

// open makes one request, whose response the caller reads and closes. Its errors
// are those of the transport.
func (c *Client) open(ctx context.Context, method, path, accept string, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base.JoinPath(path).String(), bytes.NewReader(body))
	if err != nil {
		return nil, fault.AsPermanent(c.errorf("the request: %v", err))
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", accept)
	if err := c.sign(req.Header); err != nil {
		return nil, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, c.lost(ctx, err)
	}
	return resp, nil
}

// whole reads a response to its end.
func (c *Client) whole(ctx context.Context, resp *http.Response) (*answer, error) {
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
	if err != nil {
		return nil, c.lost(ctx, err)
	}
	if len(b) > maxBody {
		return nil, fault.AsPermanent(c.errorf("the answer is longer than %d bytes: ask for less at once", maxBody))
	}
	return &answer{status: resp.StatusCode, header: resp.Header, body: b}, nil
}

// read decodes an answer into out, or says why it is none.
func (c *Client) read(a *answer, out any) error {
	if a.status/100 != 2 || a.html() {
		return c.fail(a)
	}
	// LM Studio, llama.cpp's server and gateways report errors with status 200
	// at times, in few words.
	if len(a.body) < 64<<10 && parseProblem(a.body).set {
		return c.fail(a)
	}
	if err := json.Unmarshal(a.body, out); err != nil {
		return c.errorf("the answer is not what the API says: %v", err)
	}
	return nil
}

// html reports whether a web page came, which is never from the model's
// server itself.
func (a *answer) html() bool {
	return strings.HasPrefix(a.header.Get("Content-Type"), "text/html") || bytes.HasPrefix(bytes.TrimSpace(a.body), []byte("<"))
}

// reply makes a model.Reply of the first choice.
func (c *Client) reply(answer *completion) (*model.Reply, error) {
	if len(answer.Choices) == 0 {
		return nil, c.errorf("an answer without choices")
	}
	choice := &answer.Choices[0]
	switch choice.FinishReason {
	case "error", "abort": // said by gateways and by vLLM of a reply given up half-way
		return nil, c.errorf("the server gave the reply up")
	}
	r := &model.Reply{
		Text:             cmp.Or(choice.Message.Content, choice.Message.Refusal),
		Thinking:         len(choice.Message.thinking()),
		Cut:              choice.FinishReason == "length",
		PromptTokens:     answer.Usage.Prompt,
		CompletionTokens: answer.Usage.Completion,
	}
	// A server without a reasoning parser leaves the thoughts in the text.
	if rest, ok := strings.CutPrefix(strings.TrimSpace(r.Text), "<think>"); ok {
		thoughts, text, _ := strings.Cut(rest, "</think>")
		r.Thinking += len(thoughts)
		r.Text = strings.TrimSpace(text)
	}
	r.Tokens = tokens(choice.Logprobs.Content, r.Text)
	return r, nil
}

// tokens returns the tokens of text. The servers list every token generated:
// thoughts and end marks, which are not part of the reply, as well.
func tokens(all []logprob, text string) []model.Token {
	var list []model.Token
	var joined strings.Builder
	for _, l := range all {
		t := model.Token{Text: l.Token, Logprob: -9999} // what vLLM writes for minus infinity
		if len(l.Bytes) > 0 {
			b := make([]byte, len(l.Bytes))
			for i, x := range l.Bytes {
				b[i] = byte(x)
			}
			t.Text = string(b)
		}
		if l.Logprob != nil {
			t.Logprob = max(t.Logprob, *l.Logprob)
		}
		joined.WriteString(t.Text)
		list = append(list, t)
	}
	start := strings.LastIndex(joined.String(), text)
	if start < 0 {
		return list // spelled otherwise than in the text
	}
	var mine []model.Token
	at := 0
	for _, t := range list {
		if at+len(t.Text) > start && at < start+len(text) {
			mine = append(mine, t)
		}
		at += len(t.Text)
	}
	return mine
}
