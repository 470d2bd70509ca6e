package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"hopstream/messages/fault"
	"hopstream/stages/engine/model"
)

// The server's process ends in the middle of a reply, and the stream just
// stops: no error, HTTP 200.
func TestTrapStreamEndsWithoutDone(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]http.HandlerFunc{
		"between pieces": func(w http.ResponseWriter, r *http.Request) { say(w, part("Ro")) },
		"in a piece":     func(w http.ResponseWriter, r *http.Request) { say(w, part("Ro")); io.WriteString(w, part("me")[:60]) },
		"before any":     func(w http.ResponseWriter, r *http.Request) { say(w) },
		"connection cut": func(w http.ResponseWriter, r *http.Request) { say(w, part("Ro")); panic(http.ErrAbortHandler) },
	} {
		_, err := serve(t, h).Chat(t.Context(), hello())
		if wantClass(t, err, fault.Transient, "the reply was cut off"); t.Failed() {
			t.Fatal(name)
		}
	}
}

// Ollama ends a stream in the same way when a model repeats itself: trying
// again would not help.
func TestTrapLoopEndsWithoutDone(t *testing.T) {
	t.Parallel()
	lines := []string{part(`{"a":`)}
	for range 15 {
		lines = append(lines, part("\n"), part(" "))
	}
	c := serve(t, func(w http.ResponseWriter, r *http.Request) { say(w, lines...) })
	got, err := c.Chat(t.Context(), hello())
	if err != nil || !got.Cut || got.Text != `{"a":`+strings.Repeat("\n ", 15) {
		t.Errorf("%+v, %v", got, err)
	}
	lines = append(lines, part("x"))
	_, err = c.Chat(t.Context(), hello())
	wantClass(t, err, fault.Transient, "the reply was cut off")
}

// A thinking model spends all tokens before the first of its answer.
func TestTrapThinkingOnly(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		say(w, `{"message":{"role":"assistant","content":"","thinking":"hmm, "},"done":false}`,
			`{"message":{"role":"assistant","content":"","thinking":"Rome"},"done":false}`, done("length"))
	})
	got, err := c.Chat(t.Context(), hello())
	if err != nil || got.Text != "" || got.Thinking != len("hmm, Rome") || !got.Cut {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestTrapMidStreamError(t *testing.T) {
	t.Parallel()
	for line, says := range map[string]string{
		`{"error":"an error was encountered while running the model: CUDA error"}`: "CUDA error",
		`{"error":{"message":"boom","code":1}}`:                                    "boom",
		`{"error":"context deadline exceeded"}`:                                    "context deadline exceeded",
	} {
		c := serve(t, func(w http.ResponseWriter, r *http.Request) { say(w, part("Ro"), line, done("stop")) })
		_, err := c.Chat(t.Context(), hello())
		wantClass(t, err, fault.Transient, says, c.server)
	}
}

// A proxy answers for the server, with a page and any status.
func TestTrapProxyPage(t *testing.T) {
	t.Parallel()
	page := "<html>\r\n<head><title>502 Bad Gateway</title></head>\n<body>\x1b[31m" + strings.Repeat("<p>model not found</p>\n", 5000) + "</body></html>"
	for _, status := range []int{200, 500, 502, 504} {
		c := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(status)
			io.WriteString(w, page)
		})
		_, chat := c.Chat(t.Context(), hello())
		_, embed := c.Embed(t.Context(), []string{"x"})
		for _, err := range []error{chat, embed, c.Check(t.Context())} {
			wantClass(t, err, fault.Transient, "502 Bad Gateway", c.server)
		}
	}
	c := serve(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(404); io.WriteString(w, page) })
	_, err := c.Chat(t.Context(), hello())
	if _, ok := errors.AsType[*model.UnknownModelError](err); ok {
		t.Errorf("a page taken for a missing model: %v", err)
	}
}

// A model may take minutes to its first byte: whoever cancels does not wait.
func TestTrapSlowFirstByteCancelled(t *testing.T) {
	t.Parallel()
	for _, begun := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		c := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if begun {
				say(w, part("Ro"))
			}
			io.Copy(io.Discard, r.Body)
			cancel()
			<-r.Context().Done()
		})
		_, err := c.Chat(ctx, hello())
		if wantClass(t, err, fault.Cancelled); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

// A reply that is there does not wait for a server that keeps the stream open.
func TestTrapStreamStaysOpen(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		say(w, part("Rome"), done("stop"))
		<-r.Context().Done()
	})
	got, err := c.Chat(t.Context(), hello())
	if err != nil || got.Text != "Rome" {
		t.Errorf("%+v, %v", got, err)
	}
}

// The server's own defaults: a context of 4,096 tokens, prompts cut silently,
// models that think if they can.
func TestTrapOptionsAlwaysSent(t *testing.T) {
	t.Parallel()
	var raw json.RawMessage
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		raw, _ = io.ReadAll(r.Body)
		say(w, done("stop"))
	}, func(s *Spec) {
		s.Options = map[string]any{"temperature": 0.5, "num_ctx": 7, "num_predict": 8}
		s.KeepAlive = "-1"
	})
	r := hello()
	const schema = `{"type":"object","properties":{"quotes":{},"answer":{},"Items":{}}}` // not sorted, and it stays so
	r.Schema = json.RawMessage(schema)
	sent := func(r *model.Chat) map[string]any {
		t.Helper()
		if _, err := c.Chat(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		var m map[string]any
		if err := json.Unmarshal(raw, &m); err != nil {
			t.Fatal(err)
		}
		return m
	}
	got := sent(r)
	if !strings.Contains(string(raw), `"format":`+schema) {
		t.Errorf("the schema is changed: %s", raw)
	}
	want := map[string]any{
		"model": "m", "stream": true, "truncate": false, "shift": false, "think": false, "keep_alive": -1.0,
		"format":   got["format"],
		"messages": []any{map[string]any{"role": "user", "content": "hello"}},
		"options":  map[string]any{"temperature": 0.5, "num_ctx": 2048.0, "num_predict": 64.0},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("sent %v\nwant %v", got, want)
	}
	got = sent(&model.Chat{Messages: r.Messages})
	if _, ok := got["format"]; ok {
		t.Error("a format is sent where none is asked for")
	}
	if n := got["options"].(map[string]any)["num_predict"]; n != 2048.0 {
		t.Errorf("a reply without bound: num_predict %v", n)
	}
}

func TestThinkAndKeepAliveSent(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		think, alive string
		want         string
	}{
		{"", "", `false <nil>`}, {"false", "0", `false 0s`}, {"true", "300", `true 5m0s`},
		{"low", "1h", `low 1h0m0s`}, {"high", "-1", `high -1`},
	} {
		var got map[string]any
		c := serve(t, func(w http.ResponseWriter, r *http.Request) {
			json.NewDecoder(r.Body).Decode(&got)
			say(w, done("stop"))
		}, func(s *Spec) { s.Think, s.KeepAlive = x.think, x.alive })
		if _, err := c.Chat(t.Context(), hello()); err != nil {
			t.Fatal(err)
		}
		if s := fmt.Sprint(got["think"], " ", got["keep_alive"]); s != x.want && s != strings.Replace(x.want, " ", "", 1) {
			t.Errorf("%+v: sent %s", x, s)
		}
	}
}

// Log probabilities come for the thinking too, and are sent only if asked for.
func TestTrapLogprobs(t *testing.T) {
	t.Parallel()
	var asked any
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var m map[string]any
		json.NewDecoder(r.Body).Decode(&m)
		asked = m["logprobs"]
		say(w,
			`{"message":{"role":"assistant","content":"","thinking":"hm"},"done":false,"logprobs":[{"token":"hm","logprob":-9}]}`,
			`{"message":{"role":"assistant","content":""},"done":false,"logprobs":[{"token":"</think>","logprob":-8}]}`,
			`{"message":{"role":"assistant","content":"Ro"},"done":false,"logprobs":[{"token":"Ro","logprob":-0.25,"bytes":[82,111]}]}`,
			`{"message":{"role":"assistant","content":"me"},"done":false,"logprobs":[{"token":"m","logprob":-1},{"token":"e","logprob":-2,"top_logprobs":[{"token":"x","logprob":-3}]}]}`,
			done("stop"))
	}, func(s *Spec) { s.Logprobs = true })
	got, err := c.Chat(t.Context(), hello())
	if err != nil {
		t.Fatal(err)
	}
	want := []model.Token{{Text: "Ro", Logprob: -0.25}, {Text: "m", Logprob: -1}, {Text: "e", Logprob: -2}}
	if asked != true || !reflect.DeepEqual(got.Tokens, want) {
		t.Errorf("asked %v, got %v", asked, got.Tokens)
	}
}

func TestTrapEmbeddingCount(t *testing.T) {
	t.Parallel()
	for answer, says := range map[string]string{
		`{"embeddings":[[1,2]]}`:                       "1 vectors came for 2 texts",
		`{}`:                                           "0 vectors came for 2 texts",
		`{"embeddings":[[1,2],[1]]}`:                   "different lengths",
		`{"embeddings":[[],[]]}`:                       "an empty vector",
		`{"embeddings":[[1,2],null]}`:                  "an empty vector",
		`{"embeddings":[[1e99,2],[1,2]]}`:              "not Ollama's",
		`{"embeddings":[[1,"x"],[1,2]]}`:               "not Ollama's",
		`{"embeddings":[[1,NaN],[1,2]]}`:               "not Ollama's",
		`{"embeddings":[[1,2],[1,2`:                    "not Ollama's",
		strings.Repeat(" ", bodyLimit+vectorLimit*2+1): "too large",
	} {
		c := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, answer) })
		_, err := c.Embed(t.Context(), []string{"a", "b"})
		wantClass(t, err, fault.Transient, says, c.server)
	}
}

// A model that is caught in a loop, on a server that knows no num_predict.
func TestTrapEndlessReply(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"pieces": part(strings.Repeat("again ", 10_000)) + "\n", "line": strings.Repeat("x", 1<<16),
	} {
		c := serve(t, func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := io.WriteString(w, line); err != nil {
					return
				}
			}
		})
		_, err := c.Chat(t.Context(), hello())
		if wantClass(t, err, fault.Transient, "too large"); t.Failed() {
			t.Fatal(name)
		}
	}
}
