//go:build real

package chat

import (
	"errors"
	"testing"

	"hopstream/stages/engine/model"
)

// TestRealRoles asks every role of a real server. Its replies are noise: each
// is an answer of the role's kind or the typed failure, and most are answers,
// since the server holds them to the schema.
func TestRealRoles(t *testing.T) {
	client := realClient(t, func(s *Spec) { s.NumCtx = 8192 })
	m := model.New(client, model.Options{Name: "tiny", NumCtx: 8192, MaxTokens: 200})
	models := map[Role]*model.Model{}
	for _, r := range Roles() {
		models[r] = m
	}
	e := New(models, Options{})
	usable := 0
	for role, ask := range roles {
		got, err := ask(t.Context(), e)
		if _, noise := errors.AsType[*model.ReplyError](err); err != nil && !noise {
			t.Errorf("%s: %v", role, err)
		}
		if err == nil {
			usable++
		}
		t.Logf("%s: %v, %v", role, got, err)
	}
	if usable < len(roles)/2 {
		t.Errorf("%d of %d roles got a usable reply", usable, len(roles))
	}
	vectors, err := e.Embed(t.Context(), []string{"one", "two"})
	if err != nil || len(vectors) != 2 || len(vectors[0]) != len(vectors[1]) {
		t.Errorf("embedder: %d vectors, %v", len(vectors), err)
	}
}
