package ollama

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"time"

	"github.com/ollama/ollama/api"

	"hopstream/messages/fault"
	"hopstream/stages/engine/model"
)

// Chat asks for one reply. A prompt that does not fit the context is an error
// and not cut, where the server knows how (Ollama 0.17 does; 0.6 cuts it all
// the same, which shows only in Reply.PromptTokens).
//
// The errors: model.ErrTooLong and *model.UnknownModelError, and others of a
// request that the server refuses, are permanent; a server that is away or
// busy is unavailable; a reply that broke off or cannot be read is transient;
// and where ctx is done, its error.
//
// The request is made here, not by api.Client, because that one allocates a
// line buffer of 8 MB for every call: by BenchmarkChat and BenchmarkChatAPI, a
// reply of 100 pieces costs it 8.2 MB and 4.0 ms, and 65 kB and 0.9 ms here.
func (c *Client) Chat(ctx context.Context, r *model.Chat) (*model.Reply, error) {
	body, err := json.Marshal(c.request(r))
	if err != nil {
		return nil, fault.Permanentf("ollama: the request cannot be written as JSON: %w", err)
	}
	n := &note{limit: streamLimit}
	callCtx, cancel := context.WithCancel(n.in(ctx))
	defer cancel()
	req, err := http.NewRequestWithContext(callCtx, http.MethodPost, c.base.JoinPath("api/chat").String(), bytes.NewReader(body))
	if err != nil {
		return nil, fault.AsPermanent(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/x-ndjson")
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, c.fault(ctx, n, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 400 {
		page, err := io.ReadAll(io.LimitReader(resp.Body, maxErrorPage))
		if err != nil && ctx.Err() != nil {
			return nil, c.fault(ctx, n, err)
		}
		return nil, c.refusal(resp.StatusCode, errorText(page), n)
	}
	reply, err := readReply(resp.Body, r.Text)
	if err != nil {
		return nil, c.fault(ctx, n, err)
	}
	// The connection is kept only if the body is read to its end. What is
	// still to come is the end mark, in no time; a server that holds it back
	// loses the connection, not us the reply.
	late := time.AfterFunc(drainTime, cancel)
	io.Copy(io.Discard, io.LimitReader(resp.Body, maxErrorPage))
	late.Stop()
	return reply, nil
}

// drainTime is how long a finished reply's connection may take to end.
const drainTime = 100 * time.Millisecond

// request is r as Ollama wants it. truncate and shift are off: cutting a
// prompt is the caller's business, who knows what in it matters.
func (c *Client) request(r *model.Chat) *api.ChatRequest {
	options := maps.Clone(c.options)
	// 0 would mean a reply without end. No reply can be longer than the context.
	options["num_predict"] = options["num_ctx"]
	if r.MaxTokens > 0 {
		options["num_predict"] = r.MaxTokens
	}
	messages := make([]api.Message, len(r.Messages))
	for i, m := range r.Messages {
		messages[i] = api.Message{Role: m.Role, Content: m.Text}
	}
	stream, no := true, false
	return &api.ChatRequest{
		Model:     c.model,
		Messages:  messages,
		Stream:    &stream,
		Format:    r.Schema,
		KeepAlive: c.keepAlive,
		Options:   options,
		Think:     c.think,
		Truncate:  &no,
		Shift:     &no,
		Logprobs:  c.logprobs,
	}
}
