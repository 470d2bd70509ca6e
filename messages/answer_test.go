package messages_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"hopstream/messages"
)

func TestNewAnswer(t *testing.T) {
	t.Parallel()
	h := head(2, 0, 0)
	open := pair(2, 1)
	open.Answer, open.Sources = "", []messages.Source{{ID: "unused"}}
	h.Pairs = []messages.Pair{pair(1, 1), pair(1, 2), open}
	h.Pairs[1].Sources = []messages.Source{{ID: "z"}, {ID: "doc 1#2"}}
	a := messages.NewAnswer(&h, messages.Partial, messages.Finding{Text: "x", Sources: []messages.Source{{ID: "y"}, {ID: "z"}}}, "why", asked.Add(time.Second))
	var cited []string
	for _, c := range a.Citations {
		cited = append(cited, c.ID)
	}
	if !slices.Equal(cited, []string{"y", "z", "doc 1#2"}) {
		t.Errorf("cited %v", cited)
	}
	if a.Steps != 2 || len(a.Hops) != 3 || a.LatencyMS != 1000 || a.Error != "why" || !reflect.DeepEqual(a.Usage, h.Usage) || !slices.Equal(a.Hops[1].Passages, []string{"z", "doc 1#2"}) {
		t.Errorf("%+v", a)
	}
	if err := a.Validate(); err != nil {
		t.Error(err)
	}
}

// The first quote of each hop stands beside it, but not that of an only hop, which
// is the answer's own, unless the answer has none.
func TestNewAnswerQuotesOnce(t *testing.T) {
	t.Parallel()
	quote := messages.Evidence{ID: "doc 1#2", Quote: "so it is"}
	quoted := func(text string, hops int) *messages.Answer {
		h := head(1, 0, 0)
		h.Pairs = nil
		for k := range hops {
			p := pair(1, k+1)
			p.Evidence = []messages.Evidence{quote}
			h.Pairs = append(h.Pairs, p)
		}
		return messages.NewAnswer(&h, messages.Answered, messages.Finding{Text: text}, "", asked)
	}
	if a := quoted("x", 1); len(a.Evidence) != 1 || a.Hops[0].Evidence == nil || len(a.Hops[0].Evidence) != 0 {
		t.Errorf("%+v", a)
	}
	if a := quoted("x", 2); len(a.Evidence) != 1 || len(a.Hops[0].Evidence) != 1 || len(a.Hops[1].Evidence) != 1 {
		t.Errorf("%+v", a)
	}
	if a := quoted("", 1); len(a.Evidence) != 0 || len(a.Hops[0].Evidence) != 1 {
		t.Errorf("%+v", a)
	}
}

func TestNewAnswerOfNothing(t *testing.T) {
	t.Parallel()
	h := messages.Head{ID: "q", Asked: asked}
	a := messages.NewAnswer(&h, messages.Expired, messages.Finding{}, "", asked.Add(-time.Hour)) // clocks differ
	if a.Hops == nil || a.Citations == nil || a.LatencyMS != 0 {
		t.Errorf("lists are not empty or the latency is negative: %+v", a)
	}
}

// An answer says what was read where something was: not where no sub-query was
// asked.
func TestNewAnswerSaysWhatWasRead(t *testing.T) {
	t.Parallel()
	h := head(2, 0, 0)
	h.Docs = 17
	if a := messages.NewAnswer(&h, messages.Answered, messages.Finding{Text: "x"}, "", asked); a.DocsSeq != 17 {
		t.Errorf("read up to %d", a.DocsSeq)
	}
	h.Pairs = nil
	if a := messages.NewAnswer(&h, messages.Answered, messages.Finding{Text: "x"}, "", asked); a.DocsSeq != 0 {
		t.Errorf("asked nothing, and read up to %d", a.DocsSeq)
	}
}

func TestPlanRetrieves(t *testing.T) {
	t.Parallel()
	p := messages.Plan{Head: head(2, 0, 0), Queries: []string{"a", "b"}}
	for i, m := range p.Retrieves() {
		r := m.(*messages.Retrieve)
		if r.Branch != i+1 || r.Branches != 2 || r.Round != 2 || r.Query != p.Queries[i] || !reflect.DeepEqual(r.Base, p.Usage) || r.Validate() != nil {
			t.Errorf("%+v", r)
		}
	}
}

func TestDocumentHash(t *testing.T) {
	t.Parallel()
	seen := map[string]messages.Document{}
	for _, d := range []messages.Document{{Title: "a", Text: "b"}, {Title: "ab"}, {Text: "ab"}, {Title: "a", Text: "b", Deleted: true}} {
		if other, ok := seen[d.Hash()]; ok {
			t.Errorf("%+v and %+v have one hash", d, other)
		}
		seen[d.Hash()] = d
	}
	if (&messages.Document{ID: "1", Text: "x"}).Hash() != (&messages.Document{ID: "2", Text: "x"}).Hash() {
		t.Error("the hash depends on the ID")
	}
}

// TestOutOfTimeIsPartial holds that an answer that did without something for want
// of time says so by its status, whether or not anything was found.
func TestOutOfTimeIsPartial(t *testing.T) {
	t.Parallel()
	late, failed := "answerer: "+messages.NoTime, "web: timeout"
	for name, c := range map[string]struct {
		status messages.Status
		gaveUp []string
		want   messages.Status
		says   string
	}{
		"answered":         {messages.Answered, []string{failed, late}, messages.Partial, late},
		"nothing found":    {messages.Unanswered, []string{late}, messages.Partial, "nothing (" + late + ")"},
		"failed otherwise": {messages.Answered, []string{failed}, messages.Answered, ""},
		"expired":          {messages.Expired, []string{late}, messages.Expired, "nothing"},
	} {
		reason := map[messages.Status]string{messages.Unanswered: "nothing", messages.Expired: "nothing"}[c.status]
		byDelivery := messages.NewAnswer(&messages.Head{ID: "q"}, c.status, messages.Finding{}, reason, time.Now())
		byDelivery.Forgo(c.gaveUp)
		byHead := messages.NewAnswer(&messages.Head{ID: "q", GaveUp: c.gaveUp}, c.status, messages.Finding{}, reason, time.Now())
		byPair := messages.NewAnswer(&messages.Head{ID: "q", Pairs: []messages.Pair{{Degraded: c.gaveUp}}}, c.status, messages.Finding{}, reason, time.Now())
		for way, a := range map[string]*messages.Answer{"delivery": byDelivery, "head": byHead, "pair": byPair} {
			if a.Status != c.want || a.Error != c.says {
				t.Errorf("%s, by its %s: %s, %q", name, way, a.Status, a.Error)
			}
		}
	}
}
