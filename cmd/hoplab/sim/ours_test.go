package sim

import (
	"encoding/json"
	"errors"
	"testing"

	"hopstream/messages/fault"
	"hopstream/prompts"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/model/ollama"
	"hopstream/stages/engine/model/openai"
)

// clients are our own, of both protocols.
func clients(t *testing.T, o Options, name string) (*Server, map[string]model.Client) {
	t.Helper()
	s, _, url := start(t, o)
	a, err := openai.NewClient(openai.Spec{Model: name, URL: url, Logprobs: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(a.Close)
	b, err := ollama.NewClient(ollama.Spec{Model: name, URL: url, NumCtx: 4096, Logprobs: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return s, map[string]model.Client{"openai": a, "ollama": b}
}

func question() *model.Chat {
	p := prompts.Render("direct", prompts.Data{Question: "What is 12 times 12?"})
	return &model.Chat{Schema: json.RawMessage(`{"type":"object"}`), MaxTokens: 64,
		Messages: []model.Message{{Role: "system", Text: p.System}, {Role: "user", Text: p.User}}}
}

// TestOurClients asks through both of our clients, and wants the same.
func TestOurClients(t *testing.T) {
	t.Parallel()
	for _, models := range [][]string{nil, {"small"}} {
		_, both := clients(t, Options{Latency: none, Models: models}, "small")
		for name, c := range both {
			if err := c.Check(t.Context()); err != nil {
				t.Error(name, err)
			}
			r, err := c.Chat(t.Context(), question())
			if err != nil {
				t.Error(name, err)
				continue
			}
			spelled := ""
			for _, token := range r.Tokens {
				spelled += token.Text
			}
			if r.Text != directReply || spelled != directReply || r.Cut || r.PromptTokens == 0 || r.CompletionTokens != 4 || r.Confidence("144") < 0.5 {
				t.Errorf("%s: %+v", name, r)
			}
			v, err := c.Embed(t.Context(), []string{"one", "two"})
			if err != nil || len(v.Vectors) != 2 || v.PromptTokens != 2 {
				t.Error(name, v, err)
			}
		}
	}
}

// TestOurClientsFaults holds that both clients tell the faults apart.
func TestOurClientsFaults(t *testing.T) {
	t.Parallel()
	_, both := clients(t, Options{Latency: none, Models: []string{"small"}}, "large")
	for name, c := range both {
		_, err := c.Chat(t.Context(), question())
		if _, unknown := errors.AsType[*model.UnknownModelError](err); !unknown || c.Check(t.Context()) == nil {
			t.Error(name, err)
		}
	}
	_, both = clients(t, Options{Latency: none, Faults: Faults{Busy: 1}}, "small")
	for name, c := range both {
		_, err := c.Chat(t.Context(), question())
		if class, _ := fault.Of(err); class != fault.Unavailable {
			t.Error(name, err)
		}
	}
	_, both = clients(t, Options{Latency: none, Faults: Faults{Thinking: 1}}, "small")
	for name, c := range both {
		if r, err := c.Chat(t.Context(), question()); err != nil || r.Text != "" || r.Thinking == 0 || !r.Cut {
			t.Error(name, r, err)
		}
	}
	_, both = clients(t, Options{Latency: none, NumCtx: 100}, "small")
	_, err := both["ollama"].Chat(t.Context(), question())
	if !errors.Is(err, model.ErrTooLong) {
		t.Error(err)
	}
	if r, err := both["openai"].Chat(t.Context(), question()); err != nil || r.PromptTokens != 100 {
		t.Error(r, err)
	}
	_, both = clients(t, Options{Latency: none, Faults: Faults{Cut: 1}}, "small")
	for name, c := range both {
		if r, err := c.Chat(t.Context(), question()); err == nil {
			t.Error(name, r, err)
		}
	}
}
