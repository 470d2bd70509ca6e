package links

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"hopstream/messages"
)

func passageOf(id, title, text string) messages.Passage {
	return messages.Passage{ID: id, Title: title, Text: text}
}

func search(tb testing.TB, x *Index, question string, k int) []messages.Passage {
	tb.Helper()
	ps, err := x.Search(context.Background(), question, k)
	if err != nil {
		tb.Fatal(err)
	}
	for i, p := range ps {
		if p.Rank != i+1 || p.By != nil || i > 0 && p.Score > ps[i-1].Score {
			tb.Fatalf("result %d of %q: %+v", i, question, p)
		}
	}
	return ps
}

func has(ps []messages.Passage, id string) bool {
	return slices.ContainsFunc(ps, func(p messages.Passage) bool { return p.ID == id })
}

var lake = []messages.Passage{
	passageOf("song", "Silver Lake Song", "Silver Lake Song is a ballad by Norma Quill. It sold a million copies."),
	passageOf("other", "Marble Road", "Marble Road is a film with Otto Brand."),
}

const lakeQuestion = "Where was the singer of Silver Lake Song born?"

// TestMisspelt holds that a title and a word with a slip of the pen lead where the
// right ones do, and that of the words that may be meant the more frequent one is.
func TestMisspelt(t *testing.T) {
	t.Parallel()
	x := New()
	x.Apply(append(slices.Clone(lake), passageOf("singer", "Norma Quill", "Norma Quill (1901 – 1980) came from Tarnow."),
		passageOf("kiln", "", "A quiln is a stove.")), nil)
	for _, question := range []string{"Where was the singer of Silvr Lake Song born?", "Where was the singer of Silver Laek Song born?"} {
		want := search(t, x, lakeQuestion, 10)
		got := search(t, x, question, 10)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q finds %v, want %v", question, got, want)
		}
	}
	if ps := search(t, x, "quilm", 3); !has(ps, "singer") || !has(ps, "song") || has(ps, "kiln") {
		t.Errorf("%v", ps)
	}
	if ps := search(t, x, "Zilver 1982", 10); len(ps) != 0 {
		t.Errorf("%v", ps)
	}
}

// A passage that shares no word with the question is found by the link to it,
// as soon as it is there, and for as long.
func TestLinkToLaterTitle(t *testing.T) {
	t.Parallel()
	x := New()
	x.Apply(lake, nil)
	if has(search(t, x, lakeQuestion, 10), "singer") {
		t.Fatal("found before it was there")
	}
	singer := passageOf("singer", "Norma Quill", "Norma Quill (1901 – 1980) came from Tarnow.")
	x.Apply([]messages.Passage{singer}, nil)
	if ps := search(t, x, lakeQuestion, 2); !has(ps, "singer") || !has(ps, "song") {
		t.Errorf("found %v", ps)
	}
	// The title goes, the passage stays.
	x.Apply([]messages.Passage{passageOf("singer", "", "She came from Tarnow.")}, nil)
	if has(search(t, x, lakeQuestion, 10), "singer") {
		t.Error("linked by a title it no longer has")
	}
	x.Apply([]messages.Passage{singer}, nil)
	x.Apply(nil, []string{"singer"})
	if has(search(t, x, lakeQuestion, 10), "singer") {
		t.Error("found after it was removed")
	}
}

func TestAliases(t *testing.T) {
	t.Parallel()
	for _, p := range []messages.Passage{
		passageOf("singer", "Norma Quill (singer)", "She came from Tarnow."),
		passageOf("singer", "Norma Quill, Countess of Bray", "She came from Tarnow."),
		passageOf("singer", "Quill", "Norma Quill is from Tarnow."),
		passageOf("singer", "", "Norma Quill is from Tarnow."),
	} {
		x := New()
		x.Apply(lake, nil)
		x.Apply([]messages.Passage{p}, nil)
		if !has(search(t, x, lakeQuestion, 3), "singer") {
			t.Errorf("%q, %q is not found by its name", p.Title, p.Text)
		}
		// A full title outranks an alias.
		if p.Title == "Quill" {
			x.Apply([]messages.Passage{passageOf("real", "Norma Quill", "A bird.")}, nil)
			if !has(search(t, x, lakeQuestion, 3), "real") {
				t.Error("an alias hides a title")
			}
		}
	}
}

// generated returns n passages that link to each other.
func generated(n int, seed uint64) []messages.Passage {
	random := rand.New(rand.NewPCG(seed, 7))
	word := func() string { // a few are frequent, most are rare
		f := random.Float64()
		return fmt.Sprintf("word%c%d", 'a'+int(26*f), int(f*f*f*20000))
	}
	ps := make([]messages.Passage, n)
	for i := range ps {
		var b strings.Builder
		for range 6 {
			b.WriteString("The ")
			for range 14 {
				b.WriteString(word() + " ")
			}
			fmt.Fprintf(&b, "of Person%d Name%d. ", random.IntN(n)/3, random.IntN(n)%97)
		}
		ps[i] = passageOf(fmt.Sprintf("p%06d", i), fmt.Sprintf("Person%d Name%d", i/3, (i/3)%97), b.String())
	}
	return ps
}

func questions(ps []messages.Passage, n int) []string {
	random := rand.New(rand.NewPCG(3, 4))
	out := make([]string, n)
	for i := range out {
		p := ps[random.IntN(len(ps))]
		f := strings.Fields(p.Text)
		at := random.IntN(len(f) - 9)
		out[i] = "Who is the one of " + p.Title + " with " + strings.Join(f[at:at+8], " ") + "?"
	}
	return out
}

// However passages came, went and changed, the same ones give the same
// results; and removed ones do not pile up.
func TestIncrementalEqualsRebuilt(t *testing.T) {
	t.Parallel()
	ps := generated(1500, 1)
	random := rand.New(rand.NewPCG(5, 6))
	x := New()
	x.Apply(generated(1500, 2), nil) // all of it is replaced or removed
	for range 4 {
		for _, i := range random.Perm(len(ps)) {
			if i%50 == 0 {
				x.Apply(ps[i:min(i+50, len(ps))], nil)
			}
		}
		if len(x.now.ids) > 2*x.Len()+1000 {
			t.Errorf("%d places for %d passages", len(x.now.ids), x.Len())
		}
	}
	keep := ps[:1200]
	var gone []string
	for _, p := range ps[1200:] {
		gone = append(gone, p.ID)
	}
	x.Apply(nil, append(gone, "never there"))
	fresh := New()
	fresh.Apply(keep, nil)
	if x.Len() != fresh.Len() || x.now.total != fresh.now.total {
		t.Fatalf("%d passages of %d words, want %d of %d", x.Len(), x.now.total, fresh.Len(), fresh.now.total)
	}
	copied := newIndex(newCorpus(), nil)
	if err := x.copyTo(copied, nil); err != nil {
		t.Fatal(err)
	}
	if got, want := len(copied.now.norms), len(fresh.now.norms); got != want {
		t.Errorf("%d words after compaction, want %d", got, want)
	}
	for _, q := range questions(ps, 60) {
		want := search(t, fresh, q, 100)
		for what, y := range map[string]*Index{"incremental": x, "compacted": copied, "again": fresh} {
			if got := search(t, y, q, 100); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: %q finds\n%v\nwant\n%v", what, q, heads(got), heads(want))
			}
		}
	}
}

func heads(ps []messages.Passage) (out []string) {
	for _, p := range ps {
		out = append(out, fmt.Sprintf("%s %.17g", p.ID, p.Score))
	}
	return out
}

func TestBounds(t *testing.T) {
	t.Parallel()
	x := New()
	if ps := search(t, x, "anything", 5); len(ps) != 0 {
		t.Errorf("an empty index finds %v", ps)
	}
	x.Apply(nil, nil)
	x.Apply([]messages.Passage{
		passageOf("long", strings.Repeat("Ab ", 9000), strings.Repeat("Cd Ef. ", 9000)),
		passageOf("empty", "", ""), passageOf("marks", "…", "( , ."), passageOf("the", "The The", "of the and"),
	}, nil)
	if n := len(x.now.held[0].toks); n > maxTokens {
		t.Errorf("%d tokens are kept", n)
	}
	for _, q := range []string{"", "the the", "ab cd", strings.Repeat("cd \xff 東京 ", 5000), strings.Repeat("é", maxQuestion)} {
		search(t, x, q, 5)
	}
	// A title that everything has is followed no further than its best.
	var same []messages.Passage
	for i := range 3000 {
		same = append(same, passageOf(fmt.Sprint("s", i), "Same Title", fmt.Sprintf("Same Title is a thing of number %d. Same Title.", i)))
	}
	x.Apply(same, nil)
	if ps := search(t, x, "what thing is Same Title?", 5000); len(ps) != 3000 {
		t.Errorf("%d results", len(ps))
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	x := New()
	x.Apply(lake, nil)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := x.Search(ctx, lakeQuestion, 5); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if ps := search(t, x, lakeQuestion, 0); len(ps) != 0 {
		t.Error(ps)
	}
}

// Searches run while passages come and go; each sees the passage of either
// version, never half of one.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	x := New()
	ps := generated(400, 9)
	x.Apply(ps, nil)
	qs := questions(ps, 50)
	done := make(chan struct{})
	var wg sync.WaitGroup
	for w := range 3 {
		wg.Go(func() {
			for i := w; ; i++ {
				select {
				case <-done:
					return
				default:
				}
				for _, p := range search(t, x, qs[i%len(qs)], 10) {
					if p.ID == "" || p.Title == "" || p.Text == "" {
						t.Errorf("found %+v", p)
						return
					}
				}
			}
		})
	}
	for round := range 20 {
		x.Apply(generated(400, uint64(round)), nil)
		x.Apply(nil, []string{"p000001", "p000002"})
	}
	close(done)
	wg.Wait()
	if x.Len() != 398 {
		t.Errorf("%d passages", x.Len())
	}
}
