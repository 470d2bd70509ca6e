//go:build real

package weaviate

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weaviate/weaviate/entities/models"

	"hopstream/index"
	"hopstream/index/document"
	"hopstream/index/links"
	"hopstream/index/searcher"
	"hopstream/index/testkit/publictest"
	"hopstream/index/testkit/storetest"
	"hopstream/index/weaviate/weaviatetest"
	"hopstream/messages"
	"hopstream/messages/fault"
)

// TestRealLinks: a passage that shares no word with the question is found by
// what another one names, while both are there, whichever came first.
func TestRealLinks(t *testing.T) {
	server := weaviatetest.New(t)
	s := open(t, Options{URL: server.URL, Timeout: 10 * time.Second})
	film := doc("film", "Silver Harbour (film)", "Silver Harbour is a drama directed by Orla Venn.")
	orla := doc("orla", "Orla Venn", "Orla Venn grew up near Tarsk.")
	l := s.Links()
	find := func(want ...string) {
		t.Helper()
		ps, err := l.Search(t.Context(), "Who made the drama Silver Harbour?", 10)
		if err != nil {
			t.Fatal(err)
		}
		if got := idsOf(ps); !slices.Equal(got, want) {
			t.Errorf("finds %v, want %v", got, want)
		}
	}
	find()
	apply(t, s, 1, film, doc("x", "Copper Wharf", "Copper Wharf is a comedy."))
	find("film")
	apply(t, s, 2, orla)
	find("film", "orla")
	gone := messages.Document{ID: "film", Deleted: true}
	apply(t, s, 3, gone)
	find()
	apply(t, s, 4, film)
	find("film", "orla")
	apply(t, s, 5, doc("orla", "Olga Penn", "Olga Penn grew up near Tarsk.")) // another name
	find("film")
	apply(t, s, 6, orla)
	find("film", "orla")
	for _, q := range []string{"", "?!", "\xff\x00", `AC/DC: "x" ^ ~ \`, "🚂 \U000E0001", strings.Repeat("Orla ", 2000)} {
		if _, err := l.Search(t.Context(), q, 3); err != nil {
			t.Errorf("%.20q: %v", q, err)
		}
	}
	server.Stop()
	_, err := l.Search(t.Context(), "Silver Harbour", 3)
	wantClass(t, "links, server away", err, fault.Unavailable, "")
	s.Close()
	if _, err = l.Search(t.Context(), "Silver Harbour", 3); err != index.ErrClosed {
		t.Errorf("closed: %v", err)
	}
}

// TestRealUpgrade: a class that an older version filled serves searches until it
// is filled again, with what it lacked.
func TestRealUpgrade(t *testing.T) {
	url := weaviatetest.Start(t)
	o := Options{URL: url, Embedder: storetest.Embedder{}, EmbedderName: "one"}
	s := open(t, o)
	orla := doc("orla", "Orla Venn", "Orla Venn grew up near Tarsk.")
	orla.Heading = "Directors › Living"
	docs := []messages.Document{doc("film", "Silver Harbour", "Silver Harbour is a drama directed by Orla Venn."), orla, doc("gone", "", "harbour")}
	for i := range 450 {
		docs = append(docs, doc(fmt.Sprint("d", i), fmt.Sprintf("Thing %dx", i), "some text"))
	}
	apply(t, s, 1, docs...)
	older(t, s)
	s = open(t, o)
	linked := func(want bool) {
		t.Helper()
		ps, err := s.Links().Search(t.Context(), "Who made the drama Silver Harbour?", 3)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(idsOf(ps), "orla") != want {
			t.Errorf("found %v", idsOf(ps))
		}
	}
	linked(false)
	wantIDs(t, s, "directors")
	if s.Position() == (index.Position{}) {
		t.Error("an older class has no position")
	}
	if err := s.Upgrade(t.Context()); err != nil {
		t.Fatal(err)
	}
	if p := s.Position(); p != (index.Position{}) || s.Passages() != len(docs) {
		t.Errorf("position %v, %d passages", p, s.Passages())
	}
	docs[2].Deleted = true
	apply(t, s, 1, docs...)
	linked(true)
	wantIDs(t, s, "directors", "orla")
	if p, ok, err := s.Passage(t.Context(), "orla"); err != nil || !ok || p.Heading != orla.Heading {
		t.Errorf("%+v, %v, %v", p, ok, err)
	}
	s = open(t, o)
	if err := s.Upgrade(t.Context()); err != nil || s.Position().Sequence != 1 || s.Passages() != len(docs)-1 {
		t.Errorf("position %v, %d passages, %v", s.Position(), s.Passages(), err)
	}
}

// older makes s's classes as the first version left them.
func older(t *testing.T, s *Store) {
	t.Helper()
	objects, err := s.conn.data.ObjectsGetter().WithClassName(s.opts.Class).WithLimit(10_000).WithVector().Do(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	st := *s.state.Load()
	for _, class := range []*models.Class{passageClass(s.opts.Class, s.opts.BM25), stateClass(s.stateName())} {
		if err := s.drop(t.Context(), class.Class); err != nil {
			t.Fatal(err)
		}
		class.Properties = slices.DeleteFunc(class.Properties, func(p *models.Property) bool { return slices.Contains(later, p.Name) })
		if err := s.conn.schema.ClassCreator().WithClass(class).Do(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var batch []object
	for _, o := range objects {
		properties := o.Properties.(map[string]any)
		properties[propText] = passageOf(properties).Text
		for _, p := range []string{propKeys, propHeading, propPlace} {
			delete(properties, p)
		}
		properties[propHash] = "of title, text and of"
		batch = append(batch, object{&models.Object{Class: o.Class, ID: o.ID, Properties: properties, Vector: o.Vector}, string(o.ID)})
	}
	if err := s.send(t.Context(), "fill", batch); err != nil {
		t.Fatal(err)
	}
	o, err := s.conn.data.Creator().WithClassName(s.stateName()).WithID(stateID).WithProperties(map[string]any{
		propStream: st.position.Stream, propSequence: fmt.Sprint(st.position.Sequence), propFormat: "1 in passages of 1600/200 with vectors",
		propDimension: fmt.Sprint(st.dimension), propBegun: fmt.Sprint(st.begun),
	}).PayloadObject()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.send(t.Context(), "state", []object{{o, "state"}}); err != nil {
		t.Fatal(err)
	}
}

// TestRealEmbedder: vectors of two embedders in one class are noticed, also
// where they are of one length.
func TestRealEmbedder(t *testing.T) {
	url := weaviatetest.Start(t)
	one := Options{URL: url, Embedder: storetest.Embedder{}, EmbedderName: "one", Mode: Vector}
	two := one
	two.EmbedderName = "two"
	early := open(t, two) // before there is a vector
	s := open(t, one)
	apply(t, s, 1, doc("a", "", "amber"))
	const want = `holds vectors of the embedder "one", and "two" is set now`
	_, err := Open(t.Context(), two)
	wantClass(t, "another embedder", err, fault.Permanent, want)
	_, err = early.Search(t.Context(), "amber", 1)
	wantClass(t, "another embedder searches", err, fault.Permanent, want)
	_ = early.Apply(t.Context(), nil, index.Position{Stream: "s", Sequence: 2}) // takes over the position
	wantClass(t, "another embedder fills", early.Apply(t.Context(), nil, index.Position{Stream: "s", Sequence: 2}), fault.Permanent, want)
	wantIDs(t, open(t, one), "amber", "a")
	wantIDs(t, open(t, Options{URL: url}), "amber", "a") // by words: no vectors
	two.Reset = true
	wantIDs(t, open(t, two), "amber")
}

// TestRealLinksRecall compares searches over the public question sets, on the
// half of the questions that nothing was fitted on.
func TestRealLinksRecall(t *testing.T) {
	if testing.Short() {
		t.Skip("indexes five question sets")
	}
	publictest.Dir(t)
	url := weaviatetest.New(t, "USE_BLOCKMAX_WAND=false").URL
	for _, set := range []string{"hotpotqa", "2wikimultihopqa", "musique", "popqa", "nq"} {
		s := open(t, Options{URL: url, Class: "Set" + set, Batch: 1000})
		x, err := links.Open("", links.Options{})
		if err != nil {
			t.Fatal(err)
		}
		docs := publictest.Documents(t, set)
		began := time.Now()
		apply(t, s, 1, docs...)
		filled := time.Since(began)
		if err := x.Apply(t.Context(), docs, index.Position{}); err != nil {
			t.Fatal(err)
		}
		searchers := []searcher.Searcher{s, s.Links(), x}
		var recall [3]float64
		var spent [3]time.Duration
		questions := publictest.HeldOut(t, set)
		for _, q := range questions {
			for i, one := range searchers {
				began := time.Now()
				ps, err := one.Search(t.Context(), q.Text, 5)
				spent[i] += time.Since(began)
				if err != nil {
					t.Fatal(err)
				}
				found := map[string]bool{}
				for _, p := range ps {
					found[document.DocID(p.ID)] = true
				}
				for id := range q.Gold {
					if found[id] {
						recall[i] += 100 / float64(len(q.Gold)) / float64(len(questions))
					}
				}
			}
		}
		each := func(i int) time.Duration {
			return (spent[i] / time.Duration(len(questions))).Round(time.Millisecond / 10)
		}
		t.Logf("%-16s %4d questions, recall@5: BM25 %.1f (%v each), links %.1f (%v), in memory %.1f (%v); %d passages in %v",
			set, len(questions), recall[0], each(0), recall[1], each(1), recall[2], each(2), len(docs), filled.Round(time.Second))
		if recall[1] < recall[2]-2.5 {
			t.Errorf("%s: links find %.1f, and in memory %.1f", set, recall[1], recall[2])
		}
	}
}
