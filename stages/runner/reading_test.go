package runner_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages"
	"hopstream/stages/engine/scripted"
	"hopstream/stages/log"
	"hopstream/stages/natstest"
	"hopstream/stages/retriever"
)

// reads is an Index that does as told.
type reads func(ctx context.Context, seq uint64, search func(context.Context) error) error

func (r reads) Read(ctx context.Context, seq uint64, search func(context.Context) error) error {
	return r(ctx, seq, search)
}

// over returns logics whose retriever reads i.
func over(e *scripted.Engine, table []stages.Stage, change func(*stages.Parts)) func(*log.Log) []stages.Logic {
	return func(j *log.Log) []stages.Logic {
		p := stages.Parts{Engine: e, Search: retriever.Plain(e), Branches: j}
		change(&p)
		return stages.Assemble(table, p)
	}
}

// documents makes the document stream and stores n of them.
func (r *rig) documents(t testing.TB, n int) {
	t.Helper()
	names := r.Log.Names()
	if _, err := r.Log.JetStream().CreateOrUpdateStream(t.Context(), jetstream.StreamConfig{
		Name: names.Stream(messages.KindDocument), Subjects: []string{names.Filter(messages.KindDocument)},
	}); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if _, err := r.Log.JetStream().Publish(t.Context(), names.Subject(messages.KindDocument, messages.Key{ID: fmt.Sprint("d", i)}), nil); err != nil {
			t.Fatal(err)
		}
	}
}

// TestQuestionsAreReadUpToTheirAcceptance holds what a question asks of the
// index, and what its answer says.
func TestQuestionsAreReadUpToTheirAcceptance(t *testing.T) {
	t.Parallel()
	for maxBehind, less := range map[uint64]uint64{0: 0, 3: 3, 100: 100} {
		t.Run(fmt.Sprint(maxBehind), func(t *testing.T) {
			t.Parallel()
			o := options()
			o.MaxBehind = maxBehind
			r := idleRig(t, o)
			var asked atomic.Uint64
			r.runLogics(t, o, over(fullEngine(), o.Table, func(p *stages.Parts) {
				p.Retriever.Index = reads(func(ctx context.Context, seq uint64, search func(context.Context) error) error {
					asked.Store(seq)
					return search(ctx)
				})
			}))
			stored := 0
			for _, n := range []int{0, 7, 1} {
				r.documents(t, n)
				stored += n
				want := max(uint64(stored), less) - less
				for _, class := range []messages.Class{messages.Single, messages.Compound, messages.Complex} {
					asked.Store(12345)
					if a := r.ask(t, messages.Question{Question: string(class) + " one"}); a.Status != messages.Answered || asked.Load() != want || a.DocsSeq != want {
						t.Errorf("%s with %d documents: reads up to %d, says %d, want %d: %+v", class, stored, asked.Load(), a.DocsSeq, want, a)
					}
				}
			}
			if a := r.ask(t, messages.Question{Question: "straightforward one"}); a.Status != messages.Answered || a.DocsSeq != 0 {
				t.Errorf("a question that asks no document says that it read up to %d", a.DocsSeq)
			}
		})
	}
}

// TestIndexBehind holds that no attempt is used up by an index that is behind,
// and that a question that ends for it says so.
func TestIndexBehind(t *testing.T) {
	t.Parallel()
	behind := func() error {
		return fault.AsUnavailable(errors.New("the index holds documents up to 10 of 11"), time.Millisecond)
	}
	var reading atomic.Int64
	o := options() // three attempts
	r := idleRig(t, o)
	r.runLogics(t, o, over(fullEngine(), o.Table, func(p *stages.Parts) {
		p.Retriever.Index = reads(func(ctx context.Context, _ uint64, search func(context.Context) error) error {
			if reading.Add(1) <= 20 {
				return behind()
			}
			return search(ctx)
		})
	}))
	if a := r.ask(t, messages.Question{ID: "waits", Question: "compound one"}); a.Status != messages.Answered {
		t.Errorf("%+v", a)
	}
	r.verify(t, "waits")

	never := options()
	r = idleRig(t, never)
	r.runLogics(t, never, over(fullEngine(), never.Table, func(p *stages.Parts) {
		p.Retriever.Index = reads(func(context.Context, uint64, func(context.Context) error) error { return behind() })
		p.Lacks = func(seq uint64) string { return fmt.Sprintf("the index holds documents up to 10 of %d", seq) }
	}))
	r.documents(t, 11)
	// Long enough for a slow machine to get to the retriever.
	a := r.ask(t, messages.Question{ID: "expires", Question: "single one", Deadline: after(10 * time.Second)})
	if a.Status != messages.Expired || !strings.Contains(a.Error, "stage retriever: the index holds documents up to 10 of 11") {
		t.Errorf("%+v", a)
	}
	r.verify(t, "expires")
}

// TestLoading holds that a worker whose index is loading fetches nothing, and
// leaves the questions to another.
func TestLoading(t *testing.T) {
	t.Parallel()
	o := options()
	r := idleRig(t, o)
	loaded := make(chan struct{})
	var cold atomic.Int64
	gated := func(p *stages.Parts) {
		p.Loaded = func(ctx context.Context) error {
			select {
			case <-loaded:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		p.Retriever.Index = reads(func(ctx context.Context, _ uint64, search func(context.Context) error) error {
			cold.Add(1)
			return search(ctx)
		})
	}
	r.runLogics(t, o, over(fullEngine(), o.Table, gated)) // ready all the same
	ended := r.runLogics(t, o, over(fullEngine(), o.Table, gated))
	first := r.submit(t, messages.Question{Question: "single waits"})
	natstest.Eventually(t, "the sub-query waits, untouched", func() bool {
		lag, err := r.Log.Lag(t.Context(), o.Table[2])
		return err == nil && lag.Pending == 1 && lag.AckPending == 0 && lag.Redelivers == 0
	})
	ended.stop() // also while it waits
	warm := r.runLogics(t, o, over(fullEngine(), o.Table, func(*stages.Parts) {}))
	allAnswered(t, r.verifyAll(t, []string{first}))
	if cold.Load() > 0 {
		t.Error("a worker answers from an index that is loading")
	}
	warm.stop()
	second := r.submit(t, messages.Question{Question: "single waits on"})
	close(loaded)
	allAnswered(t, r.verifyAll(t, []string{first, second}))
}

// TestExpiredUnread holds that the sentinel says why nobody read anything for a
// question, and looks once for all of them.
func TestExpiredUnread(t *testing.T) {
	t.Parallel()
	o := options()
	var looks, asked, later atomic.Int64
	o.Now = func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
	o.Explain = func(context.Context) func(uint64) string {
		looks.Add(1)
		return func(need uint64) string {
			asked.Add(1)
			return fmt.Sprintf("nobody has read %d", need)
		}
	}
	r := idleRig(t, o)
	r.documents(t, 11)
	part := o
	part.Table = o.Table[:2] // routed and decomposed; nobody retrieves
	r.runLogics(t, part, over(fullEngine(), part.Table, func(*stages.Parts) {}))
	const n = 40
	var ids []string
	for i := range n {
		ids = append(ids, r.submit(t, messages.Question{Question: fmt.Sprintf("%s q%d", []string{"single", "compound"}[i%2], i)}))
	}
	// One that waits for another stage than the retriever.
	other := r.submit(t, messages.Question{Question: "straightforward one"})
	natstest.Eventually(t, "all wait for what nobody does", func() bool {
		return len(r.subjects(t, messages.KindRetrieve)) == n/2+3*n/2 && len(r.subjects(t, messages.KindGenerate)) == 1
	})
	later.Store(int64(10 * time.Minute))
	for _, id := range append(ids, other) {
		a := r.answer(t, id)
		explained := strings.Contains(a.Error, "the deadline passed before an answer was found: nobody has read 11")
		if a.Status != messages.Expired || explained != (id != other) {
			t.Errorf("%+v", a)
		}
	}
	if asked.Load() != n || looks.Load() > n/4 {
		t.Errorf("%d questions explained by %d looks", asked.Load(), looks.Load())
	}
}
