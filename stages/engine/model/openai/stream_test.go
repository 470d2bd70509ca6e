package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"hopstream/messages/fault"
	"hopstream/stages/engine/model"
)

// events streams lines as the servers do, each sent off at once.
func events(lines ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		for _, l := range lines {
			fmt.Fprintf(w, "%s\n\n", l)
			w.(http.Flusher).Flush()
		}
	}
}

func delta(fields string) string {
	return `data: {"id":"chatcmpl-3f0c","object":"chat.completion.chunk","choices":[{"index":0,` + fields + `}],"usage":null}`
}

func piece(text string) string {
	b, _ := json.Marshal(text)
	return delta(`"delta":{"content":` + string(b) + `},"logprobs":null,"finish_reason":null`)
}

const (
	stopped = `"delta":{},"logprobs":null,"finish_reason":"stop"`
	counted = `data: {"object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":31,"completion_tokens":9,"total_tokens":40}}`
)

// listen asks with a listener, and returns the pieces that it heard.
func listen(t *testing.T, c *Client) (*model.Reply, []string, error) {
	t.Helper()
	var heard []string
	r, err := c.Chat(t.Context(), &model.Chat{Messages: hello.Messages, Text: func(s string) { heard = append(heard, s) }})
	return r, heard, err
}

func TestStreamedReply(t *testing.T) {
	t.Parallel()
	var body string
	serve := events(": keep-alive", delta(`"delta":{"role":"assistant","content":""},"finish_reason":null`),
		delta(`"delta":{"reasoning_content":"Bern, surely."},"finish_reason":null`),
		piece(`{"answer": `), delta(`"delta":{"content":"\"Bern\"}"},"logprobs":{"content":[{"token":"Bern","logprob":-0.25}]},"finish_reason":null`),
		delta(stopped), counted, "data: [DONE]")
	c := client(t, Spec{Logprobs: true}, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		body = string(b)
		serve(w, r)
	})
	got, heard, err := listen(t, c)
	want := &model.Reply{Text: `{"answer": "Bern"}`, Thinking: len("Bern, surely."), PromptTokens: 31, CompletionTokens: 9,
		Tokens: []model.Token{{Text: "Bern", Logprob: -0.25}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
	if !reflect.DeepEqual(heard, []string{`{"answer": `, `"Bern"}`}) {
		t.Errorf("heard %q", heard)
	}
	if !strings.Contains(body, `"stream":true,"stream_options":{"include_usage":true}`) {
		t.Errorf("asked with %s", body)
	}
}

// TestStreamOptions holds who sets them, and that only a stream has them.
func TestStreamOptions(t *testing.T) {
	t.Parallel()
	for want, options := range map[string]map[string]any{
		`"stream":true,"stream_options":{"include_usage":true},`: nil,
		`"stream":true,"temperature"`:                            {"stream_options": nil},
		`"stream":true,"stream_options":{"x":1},`:                {"stream_options": map[string]any{"x": 1}},
	} {
		var body string
		c := client(t, Spec{Options: options}, func(w http.ResponseWriter, r *http.Request) {
			b, _ := io.ReadAll(r.Body)
			body = string(b)
			answering(200, recorded(t, "vllm_chat.json"))(w, r)
		})
		if _, _, err := listen(t, c); err != nil || !strings.Contains(body, want) {
			t.Errorf("%v: asked with %s, %v", options, body, err)
		}
		if chat(t, c); strings.Contains(body, "stream") {
			t.Errorf("%v: asked without a listener with %s", options, body)
		}
	}
}

func TestStreamWithoutEndMark(t *testing.T) {
	t.Parallel()
	if r, _, err := listen(t, client(t, Spec{}, events(piece("Bern"), delta(stopped)))); err != nil || r.Text != "Bern" {
		t.Errorf("%+v, %v", r, err)
	}
	_, heard, err := listen(t, client(t, Spec{}, events(piece("Be"))))
	wantClass(t, err, fault.Transient)
	if len(heard) != 1 || !strings.Contains(err.Error(), "cut off") {
		t.Errorf("heard %q, %v", heard, err)
	}
}

func TestErrorsInAStream(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]fault.Class{
		`data: {"error":{"message":"KV cache is full","type":"server_error","code":500}}`:                         fault.Transient,
		`data: {"error":{"message":"busy","code":503}}`:                                                           fault.Unavailable,
		`data: {"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed"}}`: fault.Permanent,
		`data: {"choices":[`:                        fault.Transient,
		delta(`"delta":{},"finish_reason":"abort"`): fault.Transient,
	} {
		_, _, err := listen(t, client(t, Spec{}, events(piece("Be"), line)))
		wantClass(t, err, want)
	}
	if r, _, err := listen(t, client(t, Spec{}, events(piece("an error"), delta(stopped)))); err != nil || r.Text != "an error" {
		t.Errorf("a word was taken for an error: %+v, %v", r, err)
	}
	_, _, err := listen(t, client(t, Spec{}, events("data: "+strings.Repeat("x", eventLimit+1))))
	wantClass(t, err, fault.Permanent)
}

// TestServerThatDoesNotStream answers whole what was to be streamed, or refuses it.
func TestServerThatDoesNotStream(t *testing.T) {
	t.Parallel()
	whole := recorded(t, "vllm_chat.json")
	r, heard, err := listen(t, client(t, Spec{}, answering(200, whole)))
	if err != nil || len(heard) != 1 || heard[0] != r.Text {
		t.Errorf("%+v, %v; heard %q", r, err, heard)
	}
	var asked atomic.Int32
	c := client(t, Spec{}, func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if b, _ := io.ReadAll(r.Body); strings.Contains(string(b), `"stream"`) {
			answering(400, `{"error":{"message":"Unrecognized request argument supplied: stream_options"}}`)(w, r)
			return
		}
		answering(200, whole)(w, r)
	})
	for range 2 { // the second time it is not asked to
		if r, heard, err := listen(t, c); err != nil || r.Text == "" || heard != nil {
			t.Errorf("%+v, %v; heard %q", r, err, heard)
		}
	}
	if asked.Load() != 3 {
		t.Errorf("asked %d times, want 3", asked.Load())
	}
	_, _, err = listen(t, client(t, Spec{}, answering(400, recorded(t, "vllm_too_long.json"))))
	if !errors.Is(err, model.ErrTooLong) {
		t.Error(err)
	}
}

func TestStreamKeepsItsConnection(t *testing.T) {
	t.Parallel()
	var from atomic.Pointer[string]
	serve := events(piece("Bern"), delta(stopped), "data: [DONE]")
	c := client(t, Spec{}, func(w http.ResponseWriter, r *http.Request) {
		if last := from.Swap(&r.RemoteAddr); last != nil && *last != r.RemoteAddr {
			t.Error("a second connection")
		}
		serve(w, r)
	})
	for range 3 {
		if _, _, err := listen(t, c); err != nil {
			t.Fatal(err)
		}
	}
}
