package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"hopstream/messages/fault"
	"hopstream/stages/engine/model"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// say streams lines as Ollama does, each sent off at once.
func say(w http.ResponseWriter, lines ...string) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	for _, l := range lines {
		io.WriteString(w, l+"\n")
		w.(http.Flusher).Flush()
	}
}

func part(text string) string {
	b, _ := json.Marshal(text)
	return `{"model":"m","created_at":"2026-11-21T12:00:00.123456789Z","message":{"role":"assistant","content":` + string(b) + `},"done":false}`
}

func done(reason string) string {
	return `{"model":"m","created_at":"2026-11-21T12:00:01Z","message":{"role":"assistant","content":""},"done":true,"done_reason":"` + reason +
		`","total_duration":5,"load_duration":1,"prompt_eval_count":26,"prompt_eval_duration":2,"eval_count":7,"eval_duration":2}`
}

func refuse(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]string{"error": text})
}

// serve starts a server and returns a client of its model "m".
func serve(t testing.TB, h http.HandlerFunc, change ...func(*Spec)) *Client {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	spec := Spec{Model: "m", URL: s.URL, NumCtx: 2048}
	for _, f := range change {
		f(&spec)
	}
	c, err := NewClient(spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func hello() *model.Chat {
	return &model.Chat{Messages: []model.Message{{Role: "user", Text: "hello"}}, MaxTokens: 64}
}

// wantClass fails unless err is of class and says all of words.
func wantClass(t *testing.T, err error, class fault.Class, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	if got, _ := fault.Of(err); got != class {
		t.Errorf("%v error, want a %v one: %v", got, class, err)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error does not say %q: %v", w, err)
		}
	}
	if len(err.Error()) > 800 || strings.Contains(err.Error(), "\n") {
		t.Errorf("the error is not one short line: %q", err)
	}
}

func TestChat(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != "POST" || r.URL.Path != "/api/chat" {
			t.Errorf("%s %s", r.Method, r.URL.Path)
		}
		say(w, part("Rome"), "", part(" is – "), part("old."), done("stop"))
	})
	got, err := c.Chat(t.Context(), hello())
	if err != nil {
		t.Fatal(err)
	}
	if got.Text != "Rome is – old." || got.Cut || got.Thinking != 0 || got.PromptTokens != 26 || got.CompletionTokens != 7 || got.Tokens != nil {
		t.Errorf("%+v", got)
	}
}

func TestChatCut(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) { say(w, part("Ro"), done("length")) })
	got, err := c.Chat(t.Context(), hello())
	if err != nil || !got.Cut || got.Text != "Ro" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestChatLongLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long ", 50_000)
	c := serve(t, func(w http.ResponseWriter, r *http.Request) { say(w, part("so "), part(long), part("!"), done("stop")) })
	for range 3 { // the buffer goes from call to call
		got, err := c.Chat(t.Context(), hello())
		if err != nil || got.Text != "so "+long+"!" {
			t.Fatalf("%d bytes, %v", len(got.Text), err)
		}
	}
}

func TestChatKeepsItsConnection(t *testing.T) {
	t.Parallel()
	from := map[string]bool{}
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		from[r.RemoteAddr] = true
		say(w, part("x"), done("stop"))
	})
	for range 5 {
		if _, err := c.Chat(t.Context(), hello()); err != nil {
			t.Fatal(err)
		}
	}
	if len(from) != 1 {
		t.Errorf("5 calls took %d connections", len(from))
	}
}

func TestEmbed(t *testing.T) {
	t.Parallel()
	var got map[string]any
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/api/embed" {
			t.Errorf("asked %s", r.URL.Path)
		}
		json.NewDecoder(r.Body).Decode(&got)
		io.WriteString(w, `{"model":"m","embeddings":[[0.5,-1],[1e-3,0]],"total_duration":1,"prompt_eval_count":9}`)
	})
	v, err := c.Embed(t.Context(), []string{"a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	if len(v.Vectors) != 2 || v.Vectors[0][1] != -1 || v.PromptTokens != 9 {
		t.Errorf("%+v", v)
	}
	if got["truncate"] != false || got["options"].(map[string]any)["num_ctx"] != 2048.0 {
		t.Errorf("sent %v", got)
	}
	if v, err := c.Embed(t.Context(), nil); err != nil || len(v.Vectors) != 0 {
		t.Errorf("of no texts: %v, %v", v, err)
	}
}

func TestCheckAndVersion(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/api/show":
			io.WriteString(w, `{"details":{"family":"llama"},"model_info":{},"capabilities":["embedding"],"modified_at":"2026-11-21T12:00:00Z"}`)
		case "/api/version":
			io.WriteString(w, `{"version":"0.17.4"}`)
		}
	})
	if err := c.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if v, err := c.Version(t.Context()); v != "0.17.4" || err != nil {
		t.Errorf("%q, %v", v, err)
	}
}

func TestURLWithPathAndPassword(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 2)
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		user, password, _ := r.BasicAuth()
		asked <- r.URL.Path + " " + user + " " + password
		say(w, done("stop"))
	}, func(s *Spec) { s.URL = strings.Replace(s.URL, "//", "//ann:s3cret@", 1) + "/models/?x=1" })
	if _, err := c.Chat(t.Context(), hello()); err != nil {
		t.Fatal(err)
	}
	c.Version(t.Context())
	for _, want := range []string{"/models/api/chat ann s3cret", "/models/api/version ann s3cret"} {
		if got := <-asked; got != want {
			t.Errorf("asked %q, want %q", got, want)
		}
	}
}

func TestSpecRefused(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Spec){
		"no model is named":       func(s *Spec) { s.Model = "" },
		"must be like http://":    func(s *Spec) { s.URL = "localhost:11434" },
		"not a web address":       func(s *Spec) { s.URL = "ann:s3cret@localhost:11434" },
		"cannot be read":          func(s *Spec) { s.URL = "http://ann:s3cret@[::1" },
		"num_ctx is 0":            func(s *Spec) { s.NumCtx = 0 },
		"keep_alive is \"a day\"": func(s *Spec) { s.KeepAlive = "a day" },
		"think is \"hard\"":       func(s *Spec) { s.Think = "hard" },
		"options: json":           func(s *Spec) { s.Options = map[string]any{"stop": func() {}} },
	} {
		spec := Spec{Model: "m", URL: "http://127.0.0.1:1", NumCtx: 1}
		change(&spec)
		_, err := NewClient(spec)
		wantClass(t, err, fault.Permanent, name)
		if strings.Contains(fmt.Sprint(err), "s3cret") {
			t.Errorf("a password is printed: %v", err)
		}
	}
}

func TestCallersTimeLimit(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		// The server learns of a client that left only once it has read the request.
		io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Millisecond, errors.New("the stage's limit"))
	defer cancel()
	_, err := c.Chat(ctx, hello())
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "the stage's limit") {
		t.Error(err)
	}
	if _, err := c.Embed(ctx, []string{"x"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestSchemaThatIsNotJSON(t *testing.T) {
	t.Parallel()
	c := serve(t, func(w http.ResponseWriter, r *http.Request) { t.Error("asked") })
	r := hello()
	r.Schema = json.RawMessage("{")
	_, err := c.Chat(t.Context(), r)
	wantClass(t, err, fault.Permanent, "cannot be written")
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"": 0, "soon": 0, "7": 7 * time.Second, " 2 ": 2 * time.Second, "-3": 0,
		"99999999999999": maxRetryAfter, "Sat, 21 Nov 2026 12:00:30 GMT": 30 * time.Second,
		"Sat, 21 Nov 2026 11:00:00 GMT": 0, "Sun, 22 Nov 2026 12:00:00 GMT": maxRetryAfter,
	} {
		if got := retryAfter(header, now); got != want {
			t.Errorf("%q: %v, want %v", header, got, want)
		}
	}
}

func TestExcerpt(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                             "",
		" a\n\tb\x00\x1b[31m ":         "a b [31m",
		"x\xff\xfey":                   "x y",
		strings.Repeat("é", 150):       strings.Repeat("é", 100) + "…",
		"a" + strings.Repeat("é", 150): "a" + strings.Repeat("é", 99) + "…",
	} {
		if got := excerpt(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}

// TestChatIsHeardAsItComes has the server wait for each piece to be heard before
// it sends the next.
func TestChatIsHeardAsItComes(t *testing.T) {
	t.Parallel()
	heard := make(chan string)
	var got []string
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for _, s := range []string{"Rome", " is ", "old."} {
			say(w, part(s))
			select {
			case h := <-heard:
				got = append(got, h)
			case <-r.Context().Done():
				return
			}
		}
		say(w, strings.Replace(part(""), `"content"`, `"thinking":"hm","content"`, 1), done("stop"))
	})
	r := hello()
	r.Text = func(s string) { heard <- s }
	reply, err := c.Chat(t.Context(), r)
	if err != nil || strings.Join(got, "") != reply.Text || len(got) != 3 {
		t.Errorf("%+v, %v; heard %q", reply, err, got)
	}
}
