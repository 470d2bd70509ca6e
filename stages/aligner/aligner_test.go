package aligner_test

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages/aligner"
	"hopstream/stages/engine/roles"
	"hopstream/stages/meter"
)

func in(passages ...messages.Passage) *messages.Align {
	return &messages.Align{Head: messages.Head{ID: "q", Round: 1, Branch: 2, Branches: 2}, Query: "gold?", Passages: passages}
}

// goldEmbedder points texts about gold the query's way, and more so the
// shorter they are.
func goldEmbedder() *roles.Set {
	return &roles.Set{EmbedFunc: func(_ context.Context, texts []string) ([][]float32, error) {
		out := make([][]float32, len(texts))
		for i, s := range texts {
			out[i] = []float32{0, 1}
			if strings.Contains(s, "gold") {
				out[i] = []float32{1, float32(len(s)) / 1000}
			}
		}
		return out, nil
	}}
}

func handle(t *testing.T, e *roles.Set, o aligner.Options, m *messages.Align) []messages.Window {
	t.Helper()
	o.Windows = true
	out, err := aligner.New(e, o).Handle(t.Context(), m)
	if err != nil || len(out) != 1 {
		t.Fatal(out, err)
	}
	g := out[0].(*messages.Generate)
	if g.Key() != m.Key() || g.Query != m.Query {
		t.Errorf("%+v", g)
	}
	if _, err := messages.Encode(g); err != nil {
		t.Error(err)
	}
	if !reflect.DeepEqual(g.Passages, m.Passages) {
		t.Errorf("passages %+v", g.Passages)
	}
	ws := make([]messages.Window, len(g.Spans))
	for i, s := range g.Spans {
		p := m.Passages[s.Passage]
		ws[i] = messages.Window{Passage: p.ID, Title: p.Title, Text: p.Text[s.From:s.To], Scale: s.Scale, Score: s.Score}
	}
	return ws
}

func TestEveryScaleKeepsItsBest(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("nothing of worth lies here. ", 30) + "here is gold. " + strings.Repeat("nothing of worth lies here. ", 30)
	ws := handle(t, goldEmbedder(), aligner.Options{TopK: 2}, in(messages.Passage{ID: "a", Title: "T", Text: text}, messages.Passage{ID: "b", Text: "short"}))
	if len(ws) != 6 {
		t.Fatalf("%d windows", len(ws))
	}
	for i, w := range ws {
		if want := []int{150, 150, 250, 250, 350, 350}[i]; w.Scale != want || len(w.Text) > want {
			t.Errorf("window %d has scale %d and %d bytes, want %d", i, w.Scale, len(w.Text), want)
		}
		if i%2 == 0 && (!strings.Contains(w.Text, "gold") || w.Passage != "a" || w.Title != "T") {
			t.Errorf("the best of scale %d is %+v", w.Scale, w)
		}
		if i%2 == 1 && w.Score > ws[i-1].Score {
			t.Errorf("scale %d is out of order", w.Scale)
		}
	}
}

// TestPlainWindows holds that the paper's selection is by score alone, and by what
// stands in the window alone.
func TestPlainWindows(t *testing.T) {
	t.Parallel()
	text := ""
	for i := range 9 {
		text += fmt.Sprintf("gold number %d lies. ", i)
	}
	cut := windows(text, 100)
	gold := messages.Passage{ID: "a", Title: "T", Text: text}
	other := messages.Passage{ID: "b", Title: "gold", Text: "nothing"}
	embed := goldEmbedder()
	var embedded []string
	e := &roles.Set{EmbedFunc: func(ctx context.Context, texts []string) ([][]float32, error) {
		embedded = append(embedded, texts...)
		return embed.Embed(ctx, texts)
	}}
	for k, want := range [][]string{1: {cut[2]}, 2: {cut[2], cut[0]}, 3: {cut[2], cut[0], cut[1]}, 4: {cut[2], cut[0], cut[1], "nothing"}} {
		if k == 0 {
			continue
		}
		ws := handle(t, e, aligner.Options{Scales: []int{100}, TopK: k, Plain: true}, in(other, gold))
		var got []string
		for i, w := range ws {
			got = append(got, w.Text)
			if i > 0 && w.Score > ws[i-1].Score {
				t.Errorf("top %d: window %d is out of order", k, i)
			}
		}
		slices.Sort(got)
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("top %d: %q, want %q", k, got, want)
		}
	}
	for _, text := range embedded {
		if strings.HasPrefix(text, "T ") || strings.HasPrefix(text, "gold nothing") {
			t.Errorf("embedded with its title: %q", text)
		}
	}
}

// TestWindowsThatRepeatComeLast cuts a passage into windows that each repeat
// half of the one before, all of them nearer to the query than a second
// passage: what says something new goes first, then what is nearest.
func TestWindowsThatRepeatComeLast(t *testing.T) {
	t.Parallel()
	text := ""
	for i := range 9 {
		text += fmt.Sprintf("gold number %d lies. ", i) // 180 bytes: three windows of 100
	}
	cut := windows(text, 100)
	if len(cut) != 3 {
		t.Fatalf("%d windows", len(cut))
	}
	for k, want := range [][]string{1: {cut[2]}, 2: {cut[0], cut[2]}, 3: {cut[0], cut[2], "nothing"}, 4: {cut[0], cut[1], cut[2], "nothing"}} {
		if k == 0 {
			continue
		}
		ws := handle(t, goldEmbedder(), aligner.Options{Scales: []int{100}, TopK: k}, in(messages.Passage{ID: "a", Text: text}, messages.Passage{ID: "b", Text: "nothing"}))
		var got []string
		for i, w := range ws {
			got = append(got, w.Text)
			if i > 0 && w.Score > ws[i-1].Score {
				t.Errorf("top %d: window %d is out of order", k, i)
			}
		}
		slices.Sort(got)
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("top %d: %q, want %q", k, got, want)
		}
	}
}

func TestTiesKeepTheOrderOfPassages(t *testing.T) {
	t.Parallel()
	ws := handle(t, &roles.Set{}, aligner.Options{Scales: []int{100}, TopK: 3},
		in(messages.Passage{ID: "a", Text: "x"}, messages.Passage{ID: "b", Text: "x"}, messages.Passage{ID: "c", Text: "x"}, messages.Passage{ID: "d", Text: "x"}))
	if len(ws) != 3 || ws[0].Passage != "a" || ws[1].Passage != "b" || ws[2].Passage != "c" {
		t.Errorf("%+v", ws)
	}
}

func TestOffPassesWhole(t *testing.T) {
	t.Parallel()
	e := &roles.Set{EmbedFunc: func(context.Context, []string) ([][]float32, error) { panic("asked") }}
	text := strings.Repeat("long ", 200)
	if ws := handle(t, e, aligner.Options{Off: true}, in(messages.Passage{ID: "a", Text: text, Score: 2})); len(ws) != 0 {
		t.Errorf("%+v", ws)
	}
}

// TestQuotesByDefault holds that nobody's vectors are asked for to find whole
// sentences near to the question.
func TestQuotesByDefault(t *testing.T) {
	t.Parallel()
	e := &roles.Set{EmbedFunc: func(context.Context, []string) ([][]float32, error) { panic("asked") }}
	text := strings.Repeat("Nothing of worth lies here. ", 30) + "Gold lies here. " + strings.Repeat("Nothing of worth lies here. ", 30)
	out, err := aligner.New(e, aligner.Options{TopK: 1}).Handle(t.Context(), in(messages.Passage{ID: "b", Text: "Short."}, messages.Passage{ID: "a", Text: text}))
	if err != nil {
		t.Fatal(err)
	}
	spans := out[0].(*messages.Generate).Spans
	if len(spans) != 3 {
		t.Fatalf("%+v", spans)
	}
	for i, s := range spans {
		got := text[s.From:s.To]
		if s.Passage != 1 || s.Scale != []int{150, 250, 350}[i] || len(got) > s.Scale || !strings.Contains(got, "Gold lies here.") || !strings.HasSuffix(got, ".") {
			t.Errorf("%+v: %q", s, got)
		}
	}
}

func TestNothingToAlign(t *testing.T) {
	t.Parallel()
	e := &roles.Set{EmbedFunc: func(context.Context, []string) ([][]float32, error) { panic("asked") }}
	if ws := handle(t, e, aligner.Options{}, in(messages.Passage{ID: "a"})); len(ws) != 0 {
		t.Errorf("%+v", ws)
	}
}

// TestOddVectors holds that a score is always a number.
func TestOddVectors(t *testing.T) {
	t.Parallel()
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for name, v := range map[string][]float32{
		"not a number": {nan, 1}, "infinite": {inf, 1}, "too large": {3e38, 3e38}, "zero": {0, 0}, "shorter": {1}, "none": nil,
	} {
		e := &roles.Set{EmbedFunc: func(context.Context, []string) ([][]float32, error) { return [][]float32{{1, 1}, v}, nil }}
		if ws := handle(t, e, aligner.Options{Scales: []int{100}}, in(messages.Passage{ID: "a", Text: "x"})); len(ws) != 1 || ws[0].Score != 0 {
			t.Errorf("%s: %+v", name, ws)
		}
	}
}

func TestWrongNumberOfVectors(t *testing.T) {
	t.Parallel()
	e := &roles.Set{EmbedFunc: func(context.Context, []string) ([][]float32, error) { return [][]float32{{1}}, nil }}
	_, err := aligner.New(e, aligner.Options{Windows: true}).Handle(t.Context(), in(messages.Passage{ID: "a", Text: "x"}))
	if class, _ := fault.Of(err); err == nil || class != fault.Permanent {
		t.Errorf("%v is %v", err, class)
	}
}

func TestTellsWhoFoundThePassages(t *testing.T) {
	t.Parallel()
	m := in(messages.Passage{ID: "a", Title: "A", Text: "x", By: []string{"bm25"}}, messages.Passage{ID: "https://b", Text: "y", URL: "https://b"})
	m.Degraded = []string{"dense: timeout"}
	for _, off := range []bool{false, true} {
		out, err := aligner.New(&roles.Set{}, aligner.Options{Off: off}).Handle(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		g := out[0].(*messages.Generate)
		if !reflect.DeepEqual(g.Found, messages.Finds(m.Passages)) || len(g.Found) != 2 || !slices.Equal(g.Degraded, m.Degraded) {
			t.Errorf("off %v: %+v", off, g)
		}
	}
	m.Passages, m.Degraded = []messages.Passage{{ID: "a", Text: "x"}}, nil
	out, err := aligner.New(&roles.Set{}, aligner.Options{}).Handle(t.Context(), m)
	if err != nil || out[0].(*messages.Generate).Found != nil {
		t.Errorf("%+v tells of a search nobody watched (%v)", out, err)
	}
}

// TestNoTimeForVectors holds that where there is no time left for vectors the
// stretches are found by their words, and that the delivery says so.
func TestNoTimeForVectors(t *testing.T) {
	t.Parallel()
	e := &roles.Set{EmbedFunc: func(context.Context, []string) ([][]float32, error) {
		return nil, fmt.Errorf("embedder: %w", meter.ErrLate)
	}}
	ctx, used := meter.With(t.Context(), messages.Usage{})
	m := in(messages.Passage{ID: "p", Text: "Of silver there is none. The gold lies in the hill behind the old mill."})
	out, err := aligner.New(e, aligner.Options{Windows: true}).Handle(ctx, m)
	if err != nil || len(out) != 1 {
		t.Fatal(out, err)
	}
	if g := out[0].(*messages.Generate); len(g.Spans) == 0 || messages.OutOfTime(used.GaveUp()) == "" {
		t.Errorf("spans %v, given up %q", g.Spans, used.GaveUp())
	}
}
