//go:build real

package chat

import (
	"errors"
	"testing"

	"hopstream/stages/engine/model"
	"hopstream/stages/engine/model/ollama"
	"hopstream/stages/engine/model/ollama/ollamatest"
	"hopstream/stages/engine/roles"
)

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
