package model

import (
	"context"
	"sync"
)

// Scripted is a client whose replies are set beforehand: the fake beside the
// interface. It is safe for concurrent use.
type Scripted struct {
	// Replies are given in order, the last one again and again.
	Replies []string
	// The functions take the place of the replies where they are set.
	ChatFunc  func(ctx context.Context, r *Chat) (*Reply, error)
	EmbedFunc func(ctx context.Context, texts []string) (*Vectors, error)
	CheckFunc func(ctx context.Context) error

	mu    sync.Mutex
	asked []*Chat
}

// Chat returns the next reply, whose text it streams in two pieces. Its tokens are counted as Estimate does.
func (s *Scripted) Chat(ctx context.Context, r *Chat) (*Reply, error) {
	s.mu.Lock()
	n := len(s.asked)
	s.asked = append(s.asked, r)
	s.mu.Unlock()
	if s.ChatFunc != nil {
		return s.ChatFunc(ctx, r)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	text := ""
	if len(s.Replies) > 0 {
		text = s.Replies[min(n, len(s.Replies)-1)]
	}
	if r.Text != nil {
		r.Text(text[:len(text)/2])
		r.Text(text[len(text)/2:])
	}
	return &Reply{Text: text, PromptTokens: Estimate(r.Messages), CompletionTokens: 1 + len(text)/4}, nil
}

// Embed returns vectors of one number unless set.
func (s *Scripted) Embed(ctx context.Context, texts []string) (*Vectors, error) {
	if s.EmbedFunc != nil {
		return s.EmbedFunc(ctx, texts)
	}
	v := &Vectors{Vectors: make([][]float32, len(texts)), PromptTokens: len(texts)}
	for i := range texts {
		v.Vectors[i] = []float32{1}
	}
	return v, ctx.Err()
}

// Check answers yes unless set.
func (s *Scripted) Check(ctx context.Context) error {
	if s.CheckFunc != nil {
		return s.CheckFunc(ctx)
	}
	return nil
}

// Asked returns the requests so far.
func (s *Scripted) Asked() []*Chat {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*Chat(nil), s.asked...)
}
