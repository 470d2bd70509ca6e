package work_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"go.uber.org/goleak"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/log"
	"hopstream/stages/natstest"
	"hopstream/stages/work"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// at is the time of the tests; everybody's deadline is a minute later.
var at = time.Now()

// ask is the sub-query of a branch of two.
func ask(id, query string) *messages.Retrieve {
	return &messages.Retrieve{Query: query, Head: messages.Head{
		ID: id, Question: "about " + id, Class: messages.Compound, Round: 1, Branch: 1, Branches: 2, Docs: 7,
		Asked: at, Deadline: at.Add(time.Minute),
	}}
}

// askSingle is the sub-query of a single question.
func askSingle(id, query string) *messages.Retrieve {
	h := ask(id, query).Head
	h.Question = query
	return messages.FirstRetrieve(h)
}

// desk is a log with claims, as of a time that can be set.
type desk struct {
	*natstest.Rig
	now time.Time
}

func newDesk(t *testing.T) *desk {
	return &desk{natstest.NewRig(t, log.Config{}, stages.Pipeline()), at}
}

// claim asks for the verdict as a process that has just started.
func (d *desk) claim(t *testing.T, in *messages.Retrieve) (work.Verdict, *messages.Pair) {
	t.Helper()
	v, p, err := work.New(d.Log, log.Config{}, "so", func() time.Time { return d.now }).Claim(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if p == nil {
		return v, nil
	}
	return v, &p.Pair
}

func (d *desk) put(t *testing.T, m messages.Message) {
	t.Helper()
	if err := d.Log.Put(t.Context(), m); err != nil {
		t.Fatal(err)
	}
}

// found is a pair with everything that a search and an answer bring.
func found(in *messages.Retrieve) messages.Pair {
	return messages.Pair{
		Round: in.Round, Branch: in.Branch, Question: in.Query, Answer: "Ann; Bob", Confidence: 0.625, Queries: []string{"statement"},
		Sources:  []messages.Source{{ID: "d#1", Title: "D"}, {ID: "e", URL: "https://e"}},
		Found:    []messages.Find{{Source: messages.Source{ID: "d#1", Title: "D"}, By: []string{"bm25"}}},
		Degraded: []string{"web: away"},
		Claims:   []messages.Claim{{Text: "Ann"}, {Text: "Bob"}},
		Evidence: []messages.Evidence{{ID: "d#1", Title: "D", Quote: "Ann and Bob", Start: 3, End: 14}, {ID: "e", Quote: "Bob", Start: 0, End: 3}},
	}
}

// given is the answer of a single question that was answered by p.
func given(in *messages.Retrieve, p messages.Pair, s messages.Status) *messages.Answer {
	h := in.Head
	h.Pairs = []messages.Pair{p}
	return messages.NewAnswer(&h, s, messages.Finding{Text: p.Answer, Confidence: p.Confidence, Sources: p.Sources, Claims: p.Claims, Evidence: p.Evidence}, "", at)
}

// TestWhoIsWaitedFor holds which sub-queries are one.
func TestWhoIsWaitedFor(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	if v, _ := d.claim(t, ask("owner", "who is it?")); v != work.Own {
		t.Fatal(v)
	}
	with := func(change func(*messages.Retrieve)) *messages.Retrieve {
		in := ask("other", "who is it?")
		change(in)
		return in
	}
	for name, c := range map[string]struct {
		in   *messages.Retrieve
		want work.Verdict
	}{
		"delivered again":   {ask("owner", "who is it?"), work.Own},
		"the same":          {ask("other", "who is it?"), work.Wait},
		"white space":       {ask("other", " who  is\nit? "), work.Wait},
		"another branch":    {with(func(in *messages.Retrieve) { in.ID, in.Branch = "owner", 2 }), work.Wait},
		"a single question": {askSingle("other", "who is it?"), work.Wait},
		"less urgent":       {with(func(in *messages.Retrieve) { in.Priority = messages.Bulk }), work.Wait},
		"another case":      {ask("other", "Who is it?"), work.Own},
		"more documents":    {with(func(in *messages.Retrieve) { in.Docs = 8 }), work.Own},
		"a summary": {with(func(in *messages.Retrieve) {
			in.Class, in.Strategy = messages.Complex, messages.Supplement
		}), work.Own},
	} {
		if v, p := d.claim(t, c.in); v != c.want || p != nil {
			t.Errorf("%s: %s, want %s", name, v, c.want)
		}
	}
	other := work.New(d.Log, log.Config{}, "otherwise", time.Now)
	if v, _, err := other.Claim(t.Context(), ask("other", "who is it?")); v != work.Own || err != nil {
		t.Errorf("answered in another way: %s, %v", v, err)
	}
	// Who is more urgent takes the sub-query over, and the first one follows.
	if v, _ := d.claim(t, with(func(in *messages.Retrieve) { in.ID, in.Priority = "urgent", messages.Interactive })); v != work.TakenOver {
		t.Errorf("more urgent: %s", v)
	}
	if v, _ := d.claim(t, ask("owner", "who is it?")); v != work.Wait {
		t.Errorf("delivered again after that: %s", v)
	}
}

// TestOtherDocumentsOfTheSameNumber holds that nothing is shared across document
// streams, even where the one ends where the other did.
func TestOtherDocumentsOfTheSameNumber(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	js, name := d.Log.JetStream(), d.Log.Names().Stream(messages.KindDocument)
	for _, owner := range []string{"first", "second"} {
		if _, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: name, Subjects: []string{d.Log.Names().Filter(messages.KindDocument)}}); err != nil {
			t.Fatal(err)
		}
		if v, _ := d.claim(t, ask(owner, "who is it?")); v != work.Own {
			t.Errorf("%s: %s", owner, v)
		}
		d.put(t, &messages.Subanswer{Head: ask(owner, "").Head, Pair: found(ask(owner, "who is it?"))})
		if v, p := d.claim(t, ask("other", "who is it?")); v != work.Shared || p.Shared != owner+".1.1" {
			t.Errorf("after %s: %s, %+v", owner, v, p)
		}
		if err := js.DeleteStream(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWhatIsShared holds which results are taken over, and that they are whole.
func TestWhatIsShared(t *testing.T) {
	t.Parallel()
	branch, single := ask("owner", "who is it?"), askSingle("owner", "who is it?")
	pair := found(branch)
	nothing := messages.Pair{Round: 1, Branch: 1, Question: "who is it?", Error: "no answer found in the documents", Found: pair.Found}
	changed := func(p messages.Pair, change func(*messages.Pair)) messages.Pair {
		change(&p)
		return p
	}
	sub := func(p messages.Pair) messages.Message { return &messages.Subanswer{Head: branch.Head, Pair: p} }
	late := messages.Degradation("answerer", messages.NoTime)
	onward := single.Head
	onward.Class, onward.Rerouted, onward.Round, onward.Branch, onward.Branches = messages.Complex, messages.Escalated, 2, 0, 0
	onward.Pairs = []messages.Pair{nothing}
	escalated := given(single, pair, messages.Answered)
	escalated.Class, escalated.Rerouted = messages.Complex, messages.Escalated
	gaveUp := given(single, pair, messages.Answered)
	gaveUp.GaveUp = []string{"answerer: unusable"}
	unsure := given(single, pair, messages.Unanswered)
	unsure.Answer, unsure.Claims = "", nil
	for name, c := range map[string]struct {
		owner  *messages.Retrieve
		stored []messages.Message
		want   *messages.Pair // nil: the work is taken over
	}{
		"a sub-answer":                {branch, []messages.Message{sub(pair)}, &pair},
		"that nothing was found":      {branch, []messages.Message{sub(nothing)}, &nothing},
		"a failure":                   {branch, []messages.Message{sub(changed(pair, func(p *messages.Pair) { p.Failed = true }))}, nil},
		"out of time":                 {branch, []messages.Message{sub(changed(pair, func(p *messages.Pair) { p.Degraded = []string{late} }))}, nil},
		"the question was cancelled":  {branch, []messages.Message{messages.NewAnswer(&branch.Head, messages.Cancelled, messages.Finding{}, "", at)}, nil},
		"a single answer":             {single, []messages.Message{given(single, pair, messages.Answered)}, &pair},
		"a single one, nothing found": {single, []messages.Message{given(single, nothing, messages.Unanswered)}, &nothing},
		"a single one, out of time":   {single, []messages.Message{given(single, changed(pair, func(p *messages.Pair) { p.Degraded = []string{late} }), messages.Answered)}, nil},
		"a single one, expired":       {single, []messages.Message{given(single, pair, messages.Expired)}, nil},
		"a single one, unsure":        {single, []messages.Message{unsure}, nil},
		"a single one gave up a role": {single, []messages.Message{gaveUp}, nil},
		"a single one that goes on":   {single, []messages.Message{&messages.Decompose{Head: onward}}, &nothing},
		"a single one that went on":   {single, []messages.Message{&messages.Decompose{Head: onward}, escalated}, &nothing},
		"how it went on is forgotten": {single, []messages.Message{escalated}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.claim(t, c.owner)
			in := ask("other", " who is it?")
			in.Round, in.Branch, in.Parts, in.Part = 3, 2, []string{"a"}, 1
			if v, _ := d.claim(t, in); v != work.Wait {
				t.Fatalf("before there is a result: %s", v)
			}
			for _, m := range c.stored {
				d.put(t, m)
			}
			d.now = at.Add(time.Hour) // results outlive the claim
			v, got := d.claim(t, in)
			if c.want == nil {
				if v != work.TakenOver || got != nil {
					t.Errorf("%s, %+v", v, got)
				}
				return
			}
			want := *c.want
			want.Round, want.Branch, want.Part, want.Question, want.Shared = 3, 2, 1, " who is it?", "owner.1.1"
			if v != work.Shared || !reflect.DeepEqual(got, &want) {
				t.Errorf("%s\n got %+v\nwant %+v", v, got, &want)
			}
		})
	}
}

// TestClaimEndsWithItsDeadline holds that a question which is never heard of again
// is not waited for beyond its deadline, and that one of those who wait takes over.
func TestClaimEndsWithItsDeadline(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.claim(t, ask("owner", "who is it?"))
	d.now = at.Add(time.Minute - 1)
	if v, _ := d.claim(t, ask("a", "who is it?")); v != work.Wait {
		t.Error(v)
	}
	d.now = at.Add(time.Minute)
	b := ask("b", "who is it?")
	b.Deadline = at.Add(2 * time.Minute)
	if v, _ := d.claim(t, b); v != work.TakenOver {
		t.Error(v)
	}
	if v, _ := d.claim(t, ask("a", "who is it?")); v != work.Wait {
		t.Errorf("after another took over: %s", v)
	}
}

// TestOneClaims holds that of many who ask at once one works.
func TestOneClaims(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	verdicts := make(chan work.Verdict, 16)
	for i := range cap(verdicts) {
		go func() {
			v, _, err := work.New(d.Log, log.Config{}, "so", time.Now).Claim(t.Context(), ask("q"+string(rune('a'+i)), "who is it?"))
			if err != nil {
				t.Error(err)
			}
			verdicts <- v
		}()
	}
	seen := map[work.Verdict]int{}
	for range cap(verdicts) {
		seen[<-verdicts]++
	}
	if seen[work.Own] != 1 || seen[work.Wait] != cap(verdicts)-1 {
		t.Errorf("%v", seen)
	}
}
