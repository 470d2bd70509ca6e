//go:build real

package chat

import (
	"context"
	"errors"
	"strings"
	"testing"

	"hopstream/messages"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/model/ollama"
	"hopstream/stages/engine/model/ollama/ollamatest"
	"hopstream/stages/engine/roles"
)

// TestRealQuotes holds that a real server writes the fields of a reply in the
// schema's order, quotes before the answer, and that noise cites nothing that
// is not there.
func TestRealQuotes(t *testing.T) {
	server := ollamatest.Start(t)
	ollamatest.CreateTiny(t, server, "tiny")
	whole := 0
	for seed := range 8 {
		client, err := ollama.NewClient(ollama.Spec{Model: "tiny", URL: server, NumCtx: 8192, Options: map[string]any{"temperature": 1, "seed": seed}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(client.Close)
		reply := ""
		s := &model.Scripted{ChatFunc: func(ctx context.Context, r *model.Chat) (*model.Reply, error) {
			out, err := client.Chat(ctx, r)
			if err == nil {
				reply = out.Text
			}
			return out, err
		}}
		e := New(&roles.Set{}, allBy(model.New(s, model.Options{Name: "tiny", NumCtx: 8192})), Options{NoFallback: true})
		for _, role := range []roles.Role{roles.ScaleAnswerer, roles.Answerer} {
			got, err := asks[role](t.Context(), e)
			if _, noise := errors.AsType[*model.ReplyError](err); noise {
				continue
			} else if err != nil {
				t.Fatal(role, err)
			}
			quotes, answer, passages := strings.Index(reply, `"quotes"`), strings.Index(reply, `"answer"`), strings.LastIndex(reply, `"passages"`)
			if quotes < 0 || answer < quotes || passages >= 0 && passages < answer {
				t.Errorf("%s: %s", role, reply)
			}
			whole++
			checkSupport(t, role, got.(messages.Finding))
		}
	}
	if whole == 0 {
		t.Error("no reply was whole")
	}
}

// checkSupport holds that what a finding rests on was shown to the model.
func checkSupport(t *testing.T, role roles.Role, f messages.Finding) {
	t.Helper()
	known := map[string]bool{"a": true, "b": true}
	for _, s := range f.Sources {
		if !known[s.ID] {
			t.Errorf("%s cites %q", role, s.ID)
		}
	}
	for _, e := range f.Evidence {
		if e.ID != "" && !known[e.ID] || e.Quote == "" || len(e.Quote) > maxQuote {
			t.Errorf("%s quotes %+v", role, e)
		}
	}
}

// TestRealRoles asks every role of a real server. Its replies are noise: each
// is an answer of the role's kind or the typed failure, and most are answers,
// since the server holds them to the schema.
func TestRealRoles(t *testing.T) {
	server := ollamatest.Start(t)
	ollamatest.CreateTiny(t, server, "tiny")
	client, err := ollama.NewClient(ollama.Spec{Model: "tiny", URL: server, NumCtx: 8192, Options: map[string]any{"temperature": 1, "seed": 1}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	e := New(&roles.Set{}, allBy(model.New(client, model.Options{Name: "tiny", NumCtx: 8192, MaxTokens: 200})), Options{NoFallback: true})
	usable := 0
	for role, ask := range asks {
		got, err := ask(t.Context(), e)
		if _, noise := errors.AsType[*model.ReplyError](err); err != nil && !noise {
			t.Errorf("%s: %v", role, err)
		}
		if err == nil {
			usable++
		}
		if f, ok := got.(messages.Finding); ok {
			checkSupport(t, role, f)
		}
		t.Logf("%s: %v, %v", role, got, err)
	}
	if usable < len(asks)/2 {
		t.Errorf("%d of %d roles got a usable reply", usable, len(asks))
	}
	vectors, err := e.Embed(t.Context(), []string{"one", "two"})
	if err != nil || len(vectors) != 2 || len(vectors[0]) != len(vectors[1]) {
		t.Errorf("embedder: %d vectors, %v", len(vectors), err)
	}
}
