package runner_test

import (
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"hopstream/messages"
	"hopstream/stages/natstest"
)

// publish stores raw bytes as any NATS client can.
func (r *rig) publish(t testing.TB, subject, data string) {
	t.Helper()
	if _, err := r.Log.JetStream().PublishMsg(t.Context(), &nats.Msg{Subject: subject, Data: []byte(data)}); err != nil {
		t.Fatalf("%s: %v", subject, err)
	}
}

func TestUndecodableQuestion(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ data, reason string }{
		"no JSON":       {"what is this?", "decode question"},
		"invalid UTF-8": {"{\"question\":\"\xff\"}", "not valid UTF-8"},
		"empty":         {"", "empty"},
		"too long":      {`{"question":"` + strings.Repeat("x", messages.MaxQuestion+1) + `"}`, "the limit is 8192"},
		"other ID":      {`{"id":"other","question":"x"}`, `"other" stands under the subject of "raw"`},
		"other kind":    {`{"kind":"judge","question":"x"}`, `kind is "judge"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, fullEngine(), options())
			r.publish(t, "hop.v1.question.raw", c.data)
			a := r.answer(t, "raw")
			if a.Status != messages.Failed || !strings.Contains(a.Error, c.reason) {
				t.Errorf("%+v", a)
			}
			d := r.letter(t)
			if d.Stage != "router" || d.ID != "raw" || string(d.Data) != c.data || !strings.Contains(d.Error, c.reason) || d.Deliveries != 1 {
				t.Errorf("%+v", d)
			}
			r.verify(t, "raw")
		})
	}
}

// TestNewerVersion holds that a message of a version to come is handed back
// for other workers to read, and put aside only when none could.
func TestNewerVersion(t *testing.T) {
	t.Parallel()
	o := options()
	for i := range o.Table {
		o.Table[i].Attempts = 1
	}
	r := newRig(t, fullEngine(), o)
	const data = `{"v":9,"question":{"text":"x"}}`
	r.publish(t, "hop.v1.question.raw", data)
	a := r.answer(t, "raw")
	if a.Status != messages.Failed || !strings.Contains(a.Error, "upgrade the workers") {
		t.Errorf("%+v", a)
	}
	if d := r.letter(t); d.Stage != "router" || string(d.Data) != data || d.Deliveries != 4 {
		t.Errorf("%+v", d)
	}
	r.verify(t, "raw")
}

// TestNewerVersionInside holds the same of messages between the stages: their
// questions end with the reason.
func TestNewerVersionInside(t *testing.T) {
	t.Parallel()
	for question, subject := range map[string]string{"single one": "hop.v1.align.q.1.1", "straightforward one": "hop.v1.generate.q"} {
		t.Run(question, func(t *testing.T) {
			t.Parallel()
			o := options()
			for i := range o.Table {
				o.Table[i].Attempts = 1
			}
			r := idleRig(t, o)
			const data = `{"v":9,"id":"q","question":{"text":"x"},"deadline":{"in":"other form"}}`
			r.publish(t, subject, data)
			r.submit(t, messages.Question{ID: "q", Question: question})
			r.run(t, fullEngine(), o)
			if a := r.answer(t, "q"); a.Status != messages.Failed || !strings.Contains(a.Error, "version 9 is newer than this build reads") {
				t.Errorf("%+v", a)
			}
			if d := r.letter(t); string(d.Data) != data || d.Deliveries != 4 || !strings.Contains(d.Error, "upgrade the workers") {
				t.Errorf("%+v", d)
			}
			r.verify(t, "q")
		})
	}
}

// TestUnsafeIDs holds that a question under an ID that is no subject token,
// or means every question, harms no other.
func TestUnsafeIDs(t *testing.T) {
	t.Parallel()
	for name, id := range map[string]string{"wildcard": "*", "all": ">", "not ASCII": "é", "too long": strings.Repeat("x", messages.MaxID+1)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options()
			r := idleRig(t, o)
			r.submit(t, messages.Question{ID: "before", Question: "single one"})
			r.publish(t, "hop.v1.question."+id, `{"question":"single bad","deadline":"50ms"}`)
			r.submit(t, messages.Question{ID: "after", Question: "compound one"})
			r.run(t, fullEngine(), o)
			for _, id := range []string{"before", "after"} {
				if a := r.answer(t, id); a.Status != messages.Answered {
					t.Errorf("%s: %+v", id, a)
				}
			}
			if d := r.letter(t); d.ID != id || !strings.Contains(d.Error, "question ID") {
				t.Errorf("%+v", d)
			}
			natstest.Eventually(t, "nothing is open", func() bool {
				st, err := r.Log.StreamState(t.Context(), messages.KindQuestion)
				return err == nil && st.Msgs == 0
			})
		})
	}
}

func TestOddButSafeID(t *testing.T) {
	t.Parallel()
	r := newRig(t, fullEngine(), options())
	var ids []string
	for _, id := range []string{`"`, `a"},{`, `\`, `<b>&`, "$JS", "%41", "{}"} {
		if messages.CheckID(id) != nil {
			continue
		}
		ids = append(ids, id)
		if a := r.ask(t, messages.Question{ID: id, Question: "compound one"}); a.Status != messages.Answered || a.ID != id {
			t.Errorf("%q: %+v", id, a)
		}
	}
	r.verify(t, ids...)
}

// TestGarbageTakesABranch holds that an undecodable message in a branch's
// place fails that branch, and that the round still joins.
func TestGarbageTakesABranch(t *testing.T) {
	t.Parallel()
	for _, kind := range []messages.Kind{messages.KindRetrieve, messages.KindFilter, messages.KindAlign, messages.KindGenerate} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := idleRig(t, options())
			plan := &messages.Plan{Head: acceptedHead(messages.Compound, 1), Queries: []string{"compound one a", "compound one b"}}
			if err := r.Log.Put(t.Context(), plan); err != nil {
				t.Fatal(err)
			}
			r.publish(t, r.Log.Names().Subject(kind, messages.Key{ID: "q", Round: 1, Branch: 2}), "garbage")
			r.submit(t, messages.Question{ID: "q", Question: "compound one"})
			r.run(t, fullEngine(), options())
			a := r.answer(t, "q")
			if a.Status != messages.Partial || len(a.Hops) != 2 || !strings.Contains(a.Hops[1].Error, "decode "+string(kind)) || a.Answer != "<compound one a>" {
				t.Errorf("%+v", a)
			}
			if d := r.letter(t); string(d.Data) != "garbage" {
				t.Errorf("%+v", d)
			}
			r.verify(t, "q")
		})
	}
}

// acceptedHead is the head of the question "compound one", ID q.
func acceptedHead(class messages.Class, round int) messages.Head {
	q := messages.Question{Question: string(class) + " one"}
	q.Accept("q", time.Now(), messages.Policy{}, "")
	h := *q.Meta()
	h.Class, h.Round = class, round
	return h
}

// TestGarbageTakesAWholePlace holds that a question ends when garbage stands
// where its only next step would.
func TestGarbageTakesAWholePlace(t *testing.T) {
	t.Parallel()
	for question, subject := range map[string]string{
		"single one":          "hop.v1.align.q.1.1",
		"straightforward one": "hop.v1.generate.q",
		"complex one":         "hop.v1.judge.q.1",
		"complex two":         "hop.v1.decompose.q.2",
		"compound one":        "hop.v1.subanswer.q.1.3",
	} {
		t.Run(subject, func(t *testing.T) {
			t.Parallel()
			r := idleRig(t, options())
			r.submit(t, messages.Question{ID: "q", Question: question})
			r.publish(t, subject, `{"id":"q"}`)
			r.run(t, fullEngine(), options())
			a := r.answer(t, "q")
			if a.Status != messages.Failed || a.Question != question || a.Error == "" {
				t.Errorf("%+v", a)
			}
			if len(r.letters(t)) == 0 {
				t.Error("no dead letter")
			}
			r.verify(t, "q")
		})
	}
}

// TestGarbageOfNobody holds that what belongs to no open question is kept as a
// dead letter, and answered to nobody.
func TestGarbageOfNobody(t *testing.T) {
	t.Parallel()
	r := newRig(t, fullEngine(), options())
	r.ask(t, messages.Question{ID: "q", Question: "single one"})
	subjects := []string{
		"hop.v1.align.nobody.1.1", "hop.v1.judge.nobody.1", "hop.v1.align.q.7.7", // q has ended
		"hop.v1.retrieve.q.x.y", "hop.v1.retrieve.q.1.2.3", "hop.v1.retrieve.q.01.1", "hop.v1.filter.*.1.1", "hop.v1.filter.>",
	}
	for _, s := range subjects {
		r.publish(t, s, "garbage")
	}
	natstest.Eventually(t, "all are dead letters", func() bool { return len(r.letters(t)) == len(subjects) })
	of := map[string]bool{}
	for _, d := range r.letters(t) {
		of[d.Subject] = true
	}
	for _, s := range subjects {
		if !of[s] {
			t.Errorf("no letter of %s", s)
		}
	}
	r.verify(t, "q")
}

// TestMessageUnderWrongSubject holds that a message which is not what its
// subject says is not worked on.
func TestMessageUnderWrongSubject(t *testing.T) {
	t.Parallel()
	r := newRig(t, fullEngine(), options())
	m := &messages.Retrieve{Head: acceptedHead(messages.Single, 1), Query: "single one"}
	m.Branch, m.Branches = 1, 1
	data, err := messages.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	r.publish(t, "hop.v1.retrieve.other.1.1", string(data))
	if d := r.letter(t); !strings.Contains(d.Error, "message of hop.v1.retrieve.q.1.1 stands under subject hop.v1.retrieve.other.1.1") {
		t.Errorf("%+v", d)
	}
	r.verify(t)
}

// TestLetterTooLarge holds that a message too large to be put into a letter
// is named by one.
func TestLetterTooLarge(t *testing.T) {
	t.Parallel()
	r := newRig(t, fullEngine(), options())
	r.publish(t, "hop.v1.align.nobody.1.1", strings.Repeat("x", 900<<10))
	d := r.letter(t)
	if len(d.Data) != 0 || !strings.Contains(d.Error, "too large for a letter; it is number 1 in stream hop-v1-align") {
		t.Errorf("%d bytes, %q", len(d.Data), d.Error)
	}
	r.verify(t)
}
