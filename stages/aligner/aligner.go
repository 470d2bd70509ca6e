// Package aligner brings passages to the granularity of the sub-query:
// MGA-RAG's multi-scale alignment. Passages are cut into sliding windows at
// several scales; within each scale the windows closest to the sub-query by
// cosine are kept. Small windows focus, large ones give context. The
// generator then answers once per scale and fuses the answers.
package aligner

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"hopstream/messages"
	"hopstream/messages/fault"
)

// Embedder turns texts into vectors of one length, one per text.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Options adjust the aligner.
type Options struct {
	// Scales are the windows' lengths in characters; none means 150, 250 and
	// 350. Off passes the passages on whole.
	Scales []int
	Off    bool
	TopK   int // windows kept per scale; 4
}

// Aligner is the stage.
type Aligner struct {
	embed Embedder
	opts  Options
}

// New returns the stage.
func New(e Embedder, o Options) *Aligner {
	if len(o.Scales) == 0 {
		o.Scales = []int{150, 250, 350}
	}
	if o.TopK <= 0 {
		o.TopK = 4
	}
	return &Aligner{e, o}
}

// Handle cuts and ranks the passages of one sub-query.
func (a *Aligner) Handle(ctx context.Context, in *messages.Align) ([]messages.Message, error) {
	out := &messages.Generate{Head: in.Head, Query: in.Query, Found: messages.Finds(in.Passages), Degraded: in.Degraded}
	if a.opts.Off {
		for _, p := range in.Passages {
			out.Windows = append(out.Windows, messages.Window{Passage: p.ID, Title: p.Title, Text: p.Text, Score: p.Score})
		}
		return []messages.Message{out}, nil
	}
	windows := a.cut(in.Passages)
	if err := a.score(ctx, in.Query, windows); err != nil {
		return nil, err
	}
	out.Windows = best(windows, a.opts.Scales, a.opts.TopK)
	return []messages.Message{out}, nil
}

// cut returns the windows of all passages, scale by scale.
func (a *Aligner) cut(passages []messages.Passage) []messages.Window {
	var windows []messages.Window
	for _, scale := range a.opts.Scales {
		for _, p := range passages {
			for _, text := range Windows(p.Text, scale) {
				windows = append(windows, messages.Window{Passage: p.ID, Title: p.Title, Text: text, Scale: scale})
			}
		}
	}
	return windows
}

// score sets each window's cosine to the query. The title goes with the
// window's text: a window cut from the middle of a passage rarely names what
// it is about.
func (a *Aligner) score(ctx context.Context, query string, windows []messages.Window) error {
	if len(windows) == 0 {
		return nil
	}
	texts := make([]string, 0, len(windows)+1)
	texts = append(texts, query)
	for _, w := range windows {
		texts = append(texts, w.Title+" "+w.Text)
	}
	vectors, err := a.embed.Embed(ctx, texts)
	if err != nil {
		return fmt.Errorf("embed: %w", err)
	}
	if len(vectors) != len(texts) {
		return fault.Permanentf("embed: %d vectors for %d texts", len(vectors), len(texts))
	}
	for i := range windows {
		windows[i].Score = cosine(vectors[0], vectors[i+1])
	}
	return nil
}

// best keeps the top k windows of every scale, in order of score; ties keep
// the order of the passages, so that the result is deterministic.
func best(windows []messages.Window, scales []int, k int) []messages.Window {
	out := make([]messages.Window, 0, len(scales)*k)
	for _, scale := range scales {
		var same []messages.Window
		for _, w := range windows {
			if w.Scale == scale {
				same = append(same, w)
			}
		}
		slices.SortStableFunc(same, func(x, y messages.Window) int { return cmp.Compare(y.Score, x.Score) })
		out = append(out, same[:min(k, len(same))]...)
	}
	return out
}
