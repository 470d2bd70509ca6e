package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"hopstream/messages/fault"
	"hopstream/stages/engine/model"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testKey holds the characters that texts escape.
const testKey = "sk-live/9F+w=="

// recorded reads an answer from testdata.
func recorded(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// client starts a server and a client of it.
func client(t *testing.T, s Spec, handle http.HandlerFunc) *Client {
	t.Helper()
	srv := httptest.NewServer(handle)
	t.Cleanup(srv.Close)
	if s.Model == "" {
		s.Model = "Qwen/Qwen3-4B"
	}
	s.URL = srv.URL + s.URL
	c, err := NewClient(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// answering answers everything in the same way.
func answering(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

var hello = &model.Chat{Messages: []model.Message{{Role: "user", Text: "Where?"}}}

func chat(t *testing.T, c *Client) *model.Reply {
	t.Helper()
	r, err := c.Chat(t.Context(), hello)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestChatRequestOnTheWire(t *testing.T) {
	t.Parallel()
	var path, auth, body string
	record := func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		path, auth, body = r.URL.Path, r.Header.Get("Authorization"), string(b)
		io.WriteString(w, recorded(t, "vllm_chat.json"))
	}
	full := &model.Chat{
		Messages:  []model.Message{{Role: "system", Text: "Be brief."}, {Role: "user", Text: "Where?"}},
		Schema:    json.RawMessage(`{"type":"object","properties":{"quotes":{},"answer":{},"Items":{}}}`), // not sorted
		MaxTokens: 64,
	}
	const messages = `"messages":[{"content":"Where?","role":"user"}],"model":"Qwen/Qwen3-4B"`
	for _, tt := range []struct {
		name string
		spec Spec
		chat *model.Chat
		want string
	}{
		{"bare", Spec{}, hello, `{` + messages + `,"temperature":0}`},
		{"full", Spec{Logprobs: true, Options: map[string]any{"seed": 7, "temperature": 0.5}}, full,
			`{"logprobs":true,"max_tokens":64,"messages":[{"content":"Be brief.","role":"system"},{"content":"Where?","role":"user"}],"model":"Qwen/Qwen3-4B","response_format":{"json_schema":{"name":"reply","schema":{"type":"object","properties":{"quotes":{},"answer":{},"Items":{}}},"strict":true},"type":"json_schema"},"seed":7,"temperature":0.5}`},
		{"no thinking", Spec{Think: "false"}, hello,
			`{"chat_template_kwargs":{"enable_thinking":false},` + messages + `,"temperature":0}`},
		{"an effort", Spec{Think: "low"}, hello, `{` + messages + `,"reasoning_effort":"low","temperature":0}`},
		{"a model that refuses temperature and max_tokens",
			Spec{Options: map[string]any{"temperature": nil, "max_completion_tokens": 99}},
			&model.Chat{Messages: hello.Messages, MaxTokens: 5}, `{"max_completion_tokens":99,` + messages + `}`},
	} {
		tt.spec.APIKey = testKey + "\n" // as read from a file
		if _, err := client(t, tt.spec, record).Chat(t.Context(), tt.chat); err != nil {
			t.Fatal(tt.name, err)
		}
		if body != tt.want {
			t.Errorf("%s: body\n%s\nwant\n%s", tt.name, body, tt.want)
		}
		if path != "/v1/chat/completions" || auth != "Bearer "+testKey {
			t.Errorf("%s: path %s, authorization %s", tt.name, path, auth)
		}
	}
}

func TestBaseURLWithOrWithoutVersion(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"http://h:1":                            "http://h:1/v1",
		"http://h:1/":                           "http://h:1/v1",
		"http://h:1/v1":                         "http://h:1/v1",
		" http://h:1/v1/ ":                      "http://h:1/v1",
		"http://h:1/v1/chat/completions":        "http://h:1/v1",
		"https://h/api":                         "https://h/api/v1",
		"https://h/v1beta/openai":               "https://h/v1beta/openai",
		"https://h/api/paas/v4":                 "https://h/api/paas/v4",
		"https://me:secret@h/vllm?token=secret": "https://h/vllm/v1",
	} {
		c, err := NewClient(Spec{Model: "m", URL: base})
		if err != nil || c.server != want {
			t.Errorf("%q is %q, %v; want %q", base, c.server, err, want)
		}
	}
}

func TestNewClientNamesTheWrongSetting(t *testing.T) {
	t.Parallel()
	for setting, s := range map[string]Spec{
		"name is empty":             {URL: "http://h"},
		"url is not like":           {Model: "m", URL: "localhost:8000"},
		"options must not set":      {Model: "m", URL: "http://h", Options: map[string]any{"stream": true}},
		"options: json":             {Model: "m", URL: "http://h", Options: map[string]any{"seed": math.NaN()}},
		"think is \"loud\"":         {Model: "m", URL: "http://h", Think: "loud"},
		"api_key holds a space or ": {Model: "m", URL: "http://h", APIKey: testKey + " x"},
	} {
		_, err := NewClient(s)
		if class, _ := fault.Of(err); class != fault.Permanent || !strings.Contains(err.Error(), setting) || strings.Contains(err.Error(), testKey) {
			t.Errorf("%s: %v", setting, err)
		}
	}
}

func TestChatReply(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]*model.Reply{
		"vllm_chat.json": {Text: `{"answer": "Zürich"}`, PromptTokens: 31, CompletionTokens: 9},
		// The tokens listed are those of the text: neither the thoughts, which
		// hold the same word, nor the end mark.
		"vllm_chat_think.json": {Text: "Bern", Thinking: len("Bern, surely."), PromptTokens: 12, CompletionTokens: 7,
			Tokens: []model.Token{{Text: "Bern", Logprob: -0.25}}},
		"vllm_chat_no_parser.json":    {Text: `{"answer": "Bern"}`, Thinking: len("\nBern.\n"), PromptTokens: 12, CompletionTokens: 18},
		"vllm_chat_cut_thinking.json": {Thinking: len("Let me see"), Cut: true, PromptTokens: 12, CompletionTokens: 3},
		// Two tokens are halves of one letter; a logarithm of 0 comes as null.
		"llamacpp_chat.json": {Text: "Zü", Cut: true, PromptTokens: 11, CompletionTokens: 3,
			Tokens: []model.Token{{Text: "Z", Logprob: -0.5}, {Text: "\xc3", Logprob: -0.25}, {Text: "\xbc", Logprob: -9999}}},
		"hosted_refusal.json": {Text: "I cannot help with that.", PromptTokens: 8, CompletionTokens: 6},
	} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			if got := chat(t, client(t, Spec{}, answering(200, recorded(t, file)))); !reflect.DeepEqual(got, want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
		})
	}
}

func TestThoughtsThatNeverEndAreNoText(t *testing.T) {
	t.Parallel()
	c := client(t, Spec{}, answering(200, `{"choices":[{"message":{"content":"<think>on and on"},"finish_reason":"length"}]}`))
	if r := chat(t, c); r.Text != "" || r.Thinking != len("on and on") || !r.Cut {
		t.Errorf("%+v", r)
	}
}

func TestReplyGivenUpIsTransient(t *testing.T) {
	t.Parallel()
	_, err := client(t, Spec{}, answering(200, recorded(t, "vllm_chat_abort.json"))).Chat(t.Context(), hello)
	wantClass(t, err, fault.Transient)
}

func TestEmbed(t *testing.T) {
	t.Parallel()
	var body string
	c := client(t, Spec{Options: map[string]any{"dimensions": 3, "temperature": 0}}, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		body = r.URL.Path + string(b)
		io.WriteString(w, recorded(t, "vllm_embeddings.json"))
	})
	got, err := c.Embed(t.Context(), []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	if want := `/v1/embeddings{"dimensions":3,"encoding_format":"float","input":["a","b"],"model":"Qwen/Qwen3-4B"}`; body != want {
		t.Errorf("asked %s\nwant  %s", body, want)
	}
	want := &model.Vectors{Vectors: [][]float32{{0.125, 0, -1}, {0.5, -0.25, 1e-3}}, PromptTokens: 9}
	if !reflect.DeepEqual(got, want) { // the second came first
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestEmbedOfNothingAsksNothing(t *testing.T) {
	t.Parallel()
	c := client(t, Spec{}, func(http.ResponseWriter, *http.Request) { t.Error("asked") })
	if v, err := c.Embed(t.Context(), nil); err != nil || len(v.Vectors) != 0 {
		t.Error(v, err)
	}
}

func TestVectorsThatAreNone(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"null for NaN":       recorded(t, "llamacpp_embeddings_null.json"),
		"one missing":        `{"data":[{"index":0,"embedding":[1]}]}`,
		"one too many":       `{"data":[{"embedding":[1]},{"embedding":[1]},{"embedding":[1]}]}`,
		"an index twice":     `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`,
		"index out of range": `{"data":[{"index":0,"embedding":[1]},{"index":2,"embedding":[1]}]}`,
		"two lengths":        `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}`,
		"beyond float32":     `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1e39]}]}`,
		"empty":              `{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]}`,
		"absent":             `{"data":[{"index":0},{"index":1}]}`,
		"base64":             `{"data":[{"index":0,"embedding":"AACAPw=="},{"index":1,"embedding":"AACAPw=="}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, err := client(t, Spec{}, answering(200, body)).Embed(t.Context(), []string{"a", "b"})
			if v != nil {
				t.Errorf("got %+v", v)
			}
			wantClass(t, err, fault.Transient)
		})
	}
}

func TestVectorsWithoutIndexKeepTheirOrder(t *testing.T) {
	t.Parallel()
	c := client(t, Spec{}, answering(200, `{"data":[{"embedding":[1]},{"embedding":[2]}]}`))
	v, err := c.Embed(t.Context(), []string{"a", "b"})
	if err != nil || v.Vectors[0][0] != 1 || v.Vectors[1][0] != 2 {
		t.Error(v, err)
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	many := `{"data":[{"id":"a"},{"id":"b"},{"id":"c"},{"id":"d"},{"id":"e"},{"id":"f"},{"id":"g"}]}`
	for _, tt := range []struct {
		name, model, body string
		status            int
		remedy            string // empty: there
	}{
		{"vLLM", "Qwen/Qwen3-4B", recorded(t, "vllm_models.json"), 200, ""},
		{"an adapter of vLLM", "sql-lora", recorded(t, "vllm_models.json"), 200, ""},
		{"llama.cpp, by file", "/models/qwen3-4b-q4_k_m.gguf", recorded(t, "llamacpp_models.json"), 200, ""},
		{"llama.cpp, by alias", "qwen3", recorded(t, "llamacpp_models.json"), 200, ""},
		{"without a tag", "qwen3", `{"data":[{"id":"qwen3:latest"}]}`, 200, ""},
		{"no such endpoint", "m", recorded(t, "fastapi_not_found.json"), 404, ""},
		{"no such method", "m", `{"detail":"Method Not Allowed"}`, 405, ""},
		{"absent", "m", recorded(t, "vllm_models.json"), 200, "one of the 2 it has: Qwen/Qwen3-4B, sql-lora"},
		{"absent among many", "m", many, 200, "one of the 7 it has: a, b, c, d, e"},
		{"none loaded", "m", `{"object":"list","data":[]}`, 200, "no model at all"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var path string
			c := client(t, Spec{Model: tt.model}, func(w http.ResponseWriter, r *http.Request) {
				path = r.Method + r.URL.Path
				answering(tt.status, tt.body)(w, r)
			})
			err := c.Check(t.Context())
			if path != "GET/v1/models" {
				t.Error(path)
			}
			if tt.remedy == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			wantClass(t, err, fault.Permanent)
			if u, ok := errors.AsType[*model.UnknownModelError](err); !ok || !strings.HasSuffix(u.Remedy, tt.remedy) || u.Model != "m" {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestCheckOfAListThatIsNone(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{}`, `[]`, `{"models":[]}`, `ok`, ``} {
		wantClass(t, client(t, Spec{}, answering(200, body)).Check(t.Context()), fault.Transient)
	}
}

func TestSpecAndClientPrintWithoutKey(t *testing.T) {
	t.Parallel()
	s := Spec{Model: "m", URL: "http://h", APIKey: testKey}
	c, err := NewClient(s)
	if err != nil {
		t.Fatal(err)
	}
	j, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	said := fmt.Sprintf("%v %+v %#v %s %v %+v %#v %+v %#v %s", s, s, s, s, &s, &s, c, c, *c, j)
	if strings.Contains(said, "9F+w") {
		t.Error(said)
	}
}

func TestClientIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	c := client(t, Spec{Options: map[string]any{"seed": 1}, Think: "false"}, answering(200, recorded(t, "vllm_chat.json")))
	done := make(chan error)
	for range 8 {
		go func() {
			_, err := c.Chat(context.Background(), hello)
			done <- err
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
