package replies_test

import (
	"context"
	"reflect"
	"strconv"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/engine/chat"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/roles"
	"hopstream/stages/engine/scripted"
	"hopstream/stages/generator"
	"hopstream/stages/log"
	"hopstream/stages/natstest"
	"hopstream/stages/replies"
	"hopstream/stages/retriever"
	"hopstream/stages/runner"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestStore(t *testing.T) {
	t.Parallel()
	_, js := natstest.Connect(t, natstest.Server(t))
	open := func() *replies.Store {
		return replies.New(js, messages.DefaultNames(), log.Config{}, 1<<20)
	}
	want := &model.Reply{Text: "{\"answer\":\"a\u2028<b>\"}", Thinking: 3, Cut: true, PromptTokens: 7, CompletionTokens: 2,
		Tokens: []model.Token{{Text: "a", Logprob: -0.1234567890123456789}}}
	open().Put(t.Context(), "any ID=+", "key", want)
	if got := open().Get(t.Context(), "any ID=+", "key"); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := open().Get(t.Context(), "any ID=+", "other"); got != nil {
		t.Errorf("%+v", got)
	}
	kv, err := js.KeyValue(t.Context(), messages.DefaultNames().RepliesBucket())
	if err != nil {
		t.Fatal(err)
	}
	if s, err := kv.Status(t.Context()); err != nil || s.TTL() != time.Hour || s.Config().MaxBytes != 1<<20 {
		t.Errorf("%v, %v", s, err)
	}
}

// TestNothingFailsWithoutABroker holds that a broker which is away costs replies,
// not answers.
func TestNothingFailsWithoutABroker(t *testing.T) {
	t.Parallel()
	s := natstest.Server(t)
	_, js := natstest.Connect(t, s)
	store := replies.New(js, messages.DefaultNames(), log.Config{}, 1<<20)
	s.Shutdown()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	store.Put(ctx, "q", "k", &model.Reply{})
	if r := store.Get(ctx, "q", "k"); r != nil {
		t.Error(r)
	}
}

// process is one process of the pipeline with a model of its own, over a server
// that is shared.
type process struct {
	scales, fusions int
	mu              sync.Mutex
}

// models are those of the scales' answers and of their fusion. Each scale answers
// otherwise, so that there is something to fuse; fuse is called as a fusion is
// asked for.
func (p *process) models(store model.Store, fuse func(context.Context) error) map[roles.Role]*model.Model {
	answers := &model.Scripted{ChatFunc: func(_ context.Context, r *model.Chat) (*model.Reply, error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.scales++
		return &model.Reply{Text: `{"quotes":[],"answer":"answer of ` + strconv.Itoa(len(r.Messages[1].Text)) + `","items":[],"passages":[1]}`}, nil
	}}
	fusion := &model.Scripted{ChatFunc: func(ctx context.Context, _ *model.Chat) (*model.Reply, error) {
		p.mu.Lock()
		p.fusions++
		p.mu.Unlock()
		if err := fuse(ctx); err != nil {
			return nil, err
		}
		return &model.Reply{Text: `{"readers":[1],"answer":"fused"}`}, nil
	}}
	return map[roles.Role]*model.Model{
		roles.ScaleAnswerer: model.New(answers, model.Options{Name: "m", Store: store}),
		roles.Fusion:        model.New(fusion, model.Options{Name: "m", Store: store}),
	}
}

// TestKilledGeneratorDoesNotAskAgain kills a process between the scales' answers
// and their fusion: the process that takes over asks for the fusion alone.
func TestKilledGeneratorDoesNotAskAgain(t *testing.T) {
	t.Parallel()
	table := stages.Pipeline()
	for i := range table {
		table[i].AckWait = 600 * time.Millisecond
	}
	rig := natstest.NewRig(t, log.Config{}, table)
	passage := messages.Passage{ID: "d", Text: "The keeper of the lighthouse was Orla Venn. She kept it for forty years. Then the lamp was replaced by a machine, and nobody lived there any more."}
	run := func(p *process, fuse func(context.Context) error) (kill func()) {
		nc, js := natstest.Connect(t, rig.Server)
		l := log.New(js, messages.DefaultNames())
		models := p.models(replies.New(js, l.Names(), log.Config{}, 1<<20), fuse)
		engine := chat.New(&roles.Set{}, models, chat.Options{NoFallback: true})
		search := &scripted.Engine{SearchFunc: func(context.Context, string, int) ([]messages.Passage, error) {
			return []messages.Passage{passage}, nil
		}}
		parts := stages.Parts{Engine: engine, Search: retriever.Plain(search), Branches: l}
		parts.Filter.Off, parts.Aligner.Windows, parts.Aligner.Scales = true, true, []int{40, 150}
		parts.Generator = generator.Options{Windows: true, Escalate: generator.EscalateNever}
		ctx, cancel := context.WithCancel(context.Background())
		ready, ended := make(chan struct{}), make(chan error, 1)
		go func() {
			ended <- runner.New(l, runner.Options{Grace: 10 * time.Millisecond, Policy: messages.Policy{Deadline: time.Minute}}).
				Run(ctx, stages.Assemble(table, parts), func() { close(ready) })
		}()
		<-ready
		kill = sync.OnceFunc(func() {
			nc.Close()
			cancel()
			<-ended
			l.Close()
			for _, m := range models {
				m.Close()
			}
		})
		t.Cleanup(kill)
		return kill
	}
	first, second := &process{}, &process{}
	fusing := make(chan struct{})
	kill := run(first, func(ctx context.Context) error {
		close(fusing)
		<-ctx.Done()
		return ctx.Err()
	})
	q := messages.Question{ID: "q", Question: "Who kept the lighthouse?", Class: messages.Single}
	if _, err := rig.Client.Submit(t.Context(), &q); err != nil {
		t.Fatal(err)
	}
	<-fusing
	kill()
	run(second, func(context.Context) error { return nil })
	var a *messages.Answer
	natstest.Eventually(t, "an answer", func() (ok bool) {
		var err error
		a, err = rig.Log.Answer(t.Context(), "q")
		return err == nil
	})
	if first.scales != 2 || first.fusions != 1 || second.scales != 0 || second.fusions != 1 {
		t.Errorf("calls: %d and %d before, %d and %d after", first.scales, first.fusions, second.scales, second.fusions)
	}
	if a.Answer != "fused" || a.Usage.ModelCalls != 1 {
		t.Errorf("%+v", a)
	}
}
