package openai

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"strings"
	"time"

	"hopstream/messages/fault"
)

// The bounds of a streamed reply, in bytes: an event has a token and, with log
// probabilities, a kilobyte around it.
const (
	streamLimit = 64 << 20
	eventLimit  = 1 << 20
)

// drainTime is how long a finished reply's connection may take to end.
const drainTime = 100 * time.Millisecond

// completion asks for a reply. With text it is streamed, and text gets it as it
// comes; a server that refuses to stream is asked for the reply whole, then and
// from then on.
func (c *Client) completion(ctx context.Context, body map[string]any, text func(string)) (*completion, error) {
	var out completion
	live := maps.Clone(body)
	live["stream"] = true
	if _, set := body["stream_options"]; !set {
		live["stream_options"] = map[string]any{"include_usage": true}
	}
	delete(body, "stream_options") // of a stream only
	if text == nil || c.noStream.Load() {
		return &out, c.post(ctx, chatPath, body, &out)
	}
	got, err := c.stream(ctx, live, text)
	if !errors.Is(err, errNoStream) {
		return got, err
	}
	if err := c.post(ctx, chatPath, body, &out); err != nil {
		return nil, err
	}
	c.noStream.Store(true)
	return &out, nil
}

const chatPath = "chat/completions"

// errNoStream says that the server refused a request because it was to be
// answered by a stream.
var errNoStream = errors.New("the server does not stream")

// stream makes one request whose answer is a stream of events. An answer that is
// none is read whole.
func (c *Client) stream(ctx context.Context, body map[string]any, text func(string)) (*completion, error) {
	b, err := c.encode(body)
	if err != nil {
		return nil, err
	}
	callCtx, cancel := context.WithCancel(ctx)
	defer cancel()
	resp, err := c.open(callCtx, http.MethodPost, chatPath, "text/event-stream", b)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 == 2 && strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		got, err := c.events(ctx, resp, text)
		if err == nil { // the connection is kept only if it is read to its end
			late := time.AfterFunc(drainTime, cancel)
			io.Copy(io.Discard, io.LimitReader(resp.Body, eventLimit))
			late.Stop()
		}
		return got, err
	}
	a, err := c.whole(ctx, resp)
	if err != nil {
		return nil, err
	}
	switch a.status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusNotImplemented:
		if strings.Contains(strings.ToLower(parseProblem(a.body).text), "stream") {
			return nil, errNoStream
		}
	}
	var out completion
	if err := c.read(a, &out); err != nil {
		return nil, err
	}
	if len(out.Choices) > 0 {
		text(out.Choices[0].Message.Content)
	}
	return &out, nil
}

// events puts an answer together from its events, up to the one that says it is
// done. A stream that ends without it, and without having told why the reply
// ended, was cut off: a transient fault.
func (c *Client) events(ctx context.Context, resp *http.Response, text func(string)) (*completion, error) {
	lines := bufio.NewScanner(io.LimitReader(resp.Body, streamLimit))
	lines.Buffer(make([]byte, 0, 4<<10), eventLimit)
	var got pieces
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data:"))
		if data = bytes.TrimSpace(data); !ok || len(data) == 0 {
			continue // a comment, a name, or the end of an event
		}
		if string(data) == "[DONE]" {
			return got.whole(), nil
		}
		if bytes.Contains(data, []byte("error")) && parseProblem(data).set {
			return nil, c.fail(&answer{status: resp.StatusCode, header: resp.Header, body: bytes.Clone(data)})
		}
		var event completion
		if err := json.Unmarshal(data, &event); err != nil {
			return nil, c.errorf("an event is not what the API says: %v", err)
		}
		got.add(&event, text)
		if got.content.Len() > maxBody {
			return nil, fault.AsPermanent(c.errorf("the reply is longer than %d bytes: ask for less at once", maxBody))
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fault.AsPermanent(c.errorf("an event of the reply is longer than %d bytes", eventLimit))
	case err != nil:
		return nil, c.lost(ctx, err)
	case got.last.FinishReason == "":
		return nil, c.errorf("the reply was cut off")
	}
	return got.whole(), nil
}

// pieces are what has come of a streamed reply.
type pieces struct {
	content, refusal, thoughts strings.Builder
	last                       choice // why it ended, and the tokens of all
	usage                      usage
}

// add adds an event, whose text goes to text.
func (p *pieces) add(event *completion, text func(string)) {
	if event.Usage != (usage{}) {
		p.usage = event.Usage
	}
	if len(event.Choices) == 0 {
		return
	}
	got := &event.Choices[0]
	p.content.WriteString(got.Delta.Content)
	p.refusal.WriteString(got.Delta.Refusal)
	p.thoughts.WriteString(got.Delta.thinking())
	p.last.Logprobs.Content = append(p.last.Logprobs.Content, got.Logprobs.Content...)
	p.last.FinishReason = cmp.Or(got.FinishReason, p.last.FinishReason)
	if got.Delta.Content != "" {
		text(got.Delta.Content)
	}
}

// whole returns the answer as it would have come in one.
func (p *pieces) whole() *completion {
	p.last.Message = said{Content: p.content.String(), Refusal: p.refusal.String(), Reasoning: p.thoughts.String()}
	return &completion{Choices: []choice{p.last}, Usage: p.usage}
}
