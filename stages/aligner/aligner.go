// Package aligner finds, in the passages of a sub-query, the stretches nearest to
// it at several scales: MGA-RAG's multi-scale alignment. Small windows focus,
// large ones give context.
//
// By default the passages are answered from whole, and the stretches tell where
// the words are that support an answer: package evidence finds them, of whole
// sentences, list items and blocks of code, and asks no model. With
// Options.Windows they are the paper's sliding windows, ranked by the cosine of
// their vectors to the sub-query's, and what is answered from: scale by scale,
// the answers fused.
package aligner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages/evidence"
	"hopstream/stages/meter"
)

// Embedder turns texts into vectors of one length, one per text.
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Options adjust the aligner.
type Options struct {
	// Scales are the stretches' lengths in characters; none means 150, 250 and
	// 350.
	Scales []int
	// Windows makes the stretches sliding windows ranked by their vectors.
	Windows bool
	// Plain makes the windows MGA-RAG's: the text alone is embedded, without its
	// title, and the best-scored windows of a scale are kept whether or not they
	// lie beside each other.
	Plain bool
	// Off passes the passages on, with no stretches.
	Off  bool
	TopK int // stretches kept per scale; 4
}

// Aligner is the stage.
type Aligner struct {
	embed Embedder
	opts  Options
}

// New returns the stage.
func New(e Embedder, o Options) *Aligner {
	if len(o.Scales) == 0 {
		o.Scales = evidence.Scales()
	}
	if o.TopK <= 0 {
		o.TopK = 4
	}
	return &Aligner{e, o}
}

// Handle aligns the passages of one sub-query with it.
func (a *Aligner) Handle(ctx context.Context, in *messages.Align) ([]messages.Message, error) {
	out := &messages.Generate{
		Head: in.Head, Query: in.Query, Passages: in.Passages, Found: messages.Finds(in.Passages), Degraded: in.Degraded, Queries: in.Queries,
	}
	switch {
	case a.opts.Off:
	case !a.opts.Windows:
		out.Spans = evidence.Align(in.Query, in.Passages, a.opts.Scales, a.opts.TopK)
	default:
		windows := a.cut(in.Passages)
		err := a.score(ctx, in.Query, in.Passages, windows)
		switch {
		case errors.Is(err, meter.ErrLate): // the words tell as well, and take no time
			meter.From(ctx).GiveUp("windows' vectors", err)
			out.Spans = evidence.Align(in.Query, in.Passages, a.opts.Scales, a.opts.TopK)
		case err != nil:
			return nil, err
		case a.opts.Plain:
			out.Spans = top(windows, a.opts.Scales, a.opts.TopK)
		default:
			out.Spans = best(windows, a.opts.Scales, a.opts.TopK)
		}
	}
	return []messages.Message{out}, nil
}

// cut returns the windows of all passages, scale by scale.
func (a *Aligner) cut(passages []messages.Passage) []messages.Span {
	var windows []messages.Span
	for _, scale := range a.opts.Scales {
		for i, p := range passages {
			for _, w := range Windows(p.Text, scale) {
				windows = append(windows, messages.Span{Passage: i, From: w[0], To: w[1], Scale: scale})
			}
		}
	}
	return windows
}

// score sets each window's cosine to the query. The title goes with the
// window's text, unless plain: a window cut from the middle of a passage rarely
// names what it is about.
func (a *Aligner) score(ctx context.Context, query string, passages []messages.Passage, windows []messages.Span) error {
	if len(windows) == 0 {
		return nil
	}
	texts := make([]string, 0, len(windows)+1)
	texts = append(texts, query)
	for _, w := range windows {
		p := &passages[w.Passage]
		text := p.Text[w.From:w.To]
		if !a.opts.Plain {
			text = p.Title + " " + text
		}
		texts = append(texts, text)
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
func best(windows []messages.Span, scales []int, k int) []messages.Span {
	out := make([]messages.Span, 0, len(scales)*k)
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
		slices.SortStableFunc(out[first:], func(x, y messages.Span) int { return cmp.Compare(y.Score, x.Score) })
	}
	return out
}

// top keeps the k best-scored windows of every scale, whichever they are; ties
// keep the order of the passages.
func top(windows []messages.Span, scales []int, k int) []messages.Span {
	out := make([]messages.Span, 0, len(scales)*k)
	for _, scale := range scales {
		same := slices.Clone(atScale(windows, scale))
		slices.SortStableFunc(same, func(x, y messages.Span) int { return cmp.Compare(y.Score, x.Score) })
		out = append(out, same[:min(k, len(same))]...)
	}
	return out
}

// atScale returns the windows of one scale, which stand together.
func atScale(windows []messages.Span, scale int) []messages.Span {
	from := slices.IndexFunc(windows, func(w messages.Span) bool { return w.Scale == scale })
	if from < 0 {
		return nil
	}
	to := from
	for to < len(windows) && windows[to].Scale == scale {
		to++
	}
	return windows[from:to]
}
