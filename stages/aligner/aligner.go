// Package aligner brings passages to the granularity of the sub-query:
// MGA-RAG's multi-scale alignment. Passages are cut into sliding windows at
// several scales; within each scale the windows closest to the sub-query by
// cosine are kept, those first that do not repeat each other. Small windows
// focus, large ones give context. The generator then answers once per scale
// and fuses the answers.
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
//
// A window repeats half of the one before it. One that lies beside a window
// already kept comes after those that do not: k windows that repeat each other
// hold little more than half of what k others do.
func best(windows []messages.Window, scales []int, k int) []messages.Window {
	out := make([]messages.Window, 0, len(scales)*k)
	for _, scale := range scales {
		same := atScale(windows, scale)
		kept := make([]bool, len(same))
		beside := func(i int) (n int) {
			for _, j := range []int{i - 1, i + 1} {
				if j >= 0 && j < len(same) && kept[j] && same[j].Passage == same[i].Passage {
					n++
				}
			}
			return n
		}
		first := len(out)
		for range min(k, len(same)) {
			next, repeats := -1, 0
			for i := range same {
				if kept[i] {
					continue
				}
				if n := beside(i); next < 0 || n < repeats || n == repeats && same[i].Score > same[next].Score {
					next, repeats = i, n
				}
			}
			kept[next] = true
			out = append(out, same[next])
		}
		slices.SortStableFunc(out[first:], func(x, y messages.Window) int { return cmp.Compare(y.Score, x.Score) })
	}
	return out
}

// atScale returns the windows of one scale, which stand together.
func atScale(windows []messages.Window, scale int) []messages.Window {
	from := slices.IndexFunc(windows, func(w messages.Window) bool { return w.Scale == scale })
	if from < 0 {
		return nil
	}
	to := from
	for to < len(windows) && windows[to].Scale == scale {
		to++
	}
	return windows[from:to]
}
