//go:build real

package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"hopstream/messages/fault"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/model/ollama/ollamatest"
)

// realClient starts a server and returns a client of its tiny model.
func realClient(t *testing.T, change ...func(*Spec)) *Client {
	t.Helper()
	server := ollamatest.Start(t)
	ollamatest.CreateTiny(t, server, "tiny")
	spec := Spec{Model: "tiny", URL: server, NumCtx: 2048, Options: map[string]any{"temperature": 1, "seed": 1}}
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

func user(text string) []model.Message { return []model.Message{{Role: "user", Text: text}} }

func TestRealSchema(t *testing.T) {
	c := realClient(t)
	schema := json.RawMessage(`{"type":"object","properties":{"answer":{"type":"string"},"kind":{"enum":["fact","guess"]},"sure":{"type":"boolean"}},"required":["answer","kind","sure"]}`)
	whole := 0
	for i := range 10 {
		start := time.Now()
		got, err := c.Chat(t.Context(), &model.Chat{Messages: user(fmt.Sprint("question ", i)), Schema: schema, MaxTokens: 1500})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d tokens in %v: %s", got.CompletionTokens, time.Since(start).Round(time.Millisecond), excerpt(got.Text))
		if got.Cut {
			continue // the model went on for long, or in a circle
		}
		whole++
		var v struct {
			Answer *string
			Kind   string
			Sure   *bool
		}
		d := json.NewDecoder(strings.NewReader(got.Text))
		d.DisallowUnknownFields()
		if err := d.Decode(&v); err != nil || v.Answer == nil || v.Sure == nil || (v.Kind != "fact" && v.Kind != "guess") {
			t.Errorf("not of the schema: %v: %s", err, got.Text)
		}
		if got.PromptTokens < 10 || got.CompletionTokens < 10 {
			t.Errorf("tokens: %+v", got)
		}
	}
	if whole == 0 {
		t.Error("no reply was whole")
	}
}

func TestRealCut(t *testing.T) {
	c := realClient(t)
	got, err := c.Chat(t.Context(), &model.Chat{Messages: user("hello"), Schema: json.RawMessage(`{"type":"array","items":{"type":"string"},"minItems":9}`), MaxTokens: 5})
	if err != nil || !got.Cut || got.CompletionTokens != 5 {
		t.Errorf("%+v, %v", got, err)
	}
}

// At temperature 0 the model soon says the same again and again, and the
// server ends the stream without done.
func TestRealLoop(t *testing.T) {
	c := realClient(t, func(s *Spec) {
		s.Options = map[string]any{"temperature": 0, "repeat_penalty": 1}
	})
	for i := range 5 {
		got, err := c.Chat(t.Context(), &model.Chat{Messages: user(fmt.Sprint(i)), MaxTokens: 1500})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("cut %v, %d tokens: %s", got.Cut, got.CompletionTokens, excerpt(got.Text))
	}
}

func TestRealUnknownModel(t *testing.T) {
	c := realClient(t, func(s *Spec) { s.Model = "no-such-model" })
	_, chat := c.Chat(t.Context(), hello())
	_, embed := c.Embed(t.Context(), []string{"x"})
	for _, err := range []error{chat, embed, c.Check(t.Context())} {
		if _, ok := errors.AsType[*model.UnknownModelError](err); !ok {
			t.Error(err)
		}
		wantClass(t, err, fault.Permanent, "ollama pull no-such-model")
	}
}

func TestRealCheckAndVersion(t *testing.T) {
	c := realClient(t)
	if err := c.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if v, err := c.Version(t.Context()); v == "" || err != nil {
		t.Errorf("version %q, %v", v, err)
	}
}

func TestRealEmbed(t *testing.T) {
	c := realClient(t)
	v, err := c.Embed(t.Context(), []string{"Rome", "a longer text – with ümlauts", "Rome"})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range v.Vectors {
		if len(x) != ollamatest.TinyVector {
			t.Errorf("%d numbers", len(x))
		}
	}
	for i, x := range v.Vectors[0] {
		if math.Abs(float64(x-v.Vectors[2][i])) > 1e-4 {
			t.Fatal("the same text has two vectors")
		}
	}
	if _, err := c.Embed(t.Context(), []string{"short", strings.Repeat("long ", 1000)}); !errors.Is(err, model.ErrTooLong) {
		t.Errorf("a text beyond the context: %v", err)
	}
}

// A prompt beyond the context shows: newer servers refuse it, and older ones
// cut it and tell how much of it they read.
func TestRealPromptTooLong(t *testing.T) {
	c := realClient(t, func(s *Spec) { s.NumCtx = 512 })
	prompt := strings.Repeat("0123456789", 200) // a token a character
	got, err := c.Chat(t.Context(), &model.Chat{Messages: user(prompt), MaxTokens: 5})
	if errors.Is(err, model.ErrTooLong) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d tokens sent, %d read", len(prompt), got.PromptTokens)
	if got.PromptTokens == 0 || got.PromptTokens > 512 {
		t.Errorf("%d tokens of %d read in a context of 512", got.PromptTokens, len(prompt))
	}
}

// onFirst calls f when the first bytes of a reply arrive.
type onFirst struct {
	base http.RoundTripper
	f    func()
}

func (o onFirst) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := o.base.RoundTrip(r)
	if err == nil {
		resp.Body = firstRead{resp.Body, o.f}
	}
	return resp, err
}

type firstRead struct {
	io.ReadCloser
	f func()
}

func (b firstRead) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.f()
	return n, err
}

func TestRealCancelMidStream(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	base := &http.Transport{}
	defer base.CloseIdleConnections()
	c := realClient(t, func(s *Spec) { s.HTTP = &http.Client{Transport: onFirst{base, cancel}} })
	long := &model.Chat{Messages: user("hello"), MaxTokens: 1900,
		Schema: json.RawMessage(`{"type":"array","items":{"type":"string"},"minItems":90}`)}
	_, err := c.Chat(ctx, long)
	wantClass(t, err, fault.Cancelled)
	// The server has let go of it: it has time for the next.
	if _, err := c.Chat(t.Context(), hello()); err != nil {
		t.Error(err)
	}
}
