package model

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages/meter"
)

func chat(text string) *Chat {
	return &Chat{Messages: []Message{{"system", "You are brief."}, {"user", text}}, MaxTokens: 16}
}

func TestSlotsBoundTheServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := func(ctx context.Context, _ *Chat) (*Reply, error) {
			time.Sleep(time.Second)
			return &Reply{Text: "{}"}, nil
		}
		w := watching()
		slots := NewSlots(3)
		a := New(&Scripted{ChatFunc: slow}, Options{Name: "m", Slots: slots, Observe: w})
		b := New(&Scripted{ChatFunc: slow}, Options{Name: "m", Slots: slots, Observe: w})
		start := time.Now()
		var wg sync.WaitGroup
		for i := range 12 {
			m := a
			if i%2 == 1 {
				m = b
			}
			wg.Go(func() {
				if _, err := m.Chat(t.Context(), "r", chat(fmt.Sprint(i))); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if took := time.Since(start); took != 4*time.Second || w.most != 3 {
			t.Errorf("12 calls of a second over 3 slots took %v, %d at once", took, w.most)
		}
	})
}

func TestIdenticalRequestsShareOneCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		w := watching()
		m := New(&Scripted{ChatFunc: func(ctx context.Context, _ *Chat) (*Reply, error) {
			calls.Add(1)
			select {
			case <-time.After(time.Second):
				return &Reply{Text: "{}", PromptTokens: 60, CompletionTokens: 2}, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}}, Options{Name: "m", Observe: w})
		// Whoever comes first makes the call; the others outlive its leaving.
		first, leave := context.WithCancel(t.Context())
		first, paid := meter.With(first, messages.Usage{ModelCalls: 5, PromptTokens: 1000})
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := m.Chat(first, "r", chat("same")); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		})
		synctest.Wait()
		for range 4 {
			wg.Go(func() {
				ctx, free := meter.With(t.Context(), messages.Usage{ModelCalls: 0})
				if r, err := m.Chat(ctx, "r", chat("same")); err != nil || r.Text != "{}" {
					t.Error(r, err)
				}
				if u := free.Used(); u.ModelCalls != 0 {
					t.Errorf("a shared call is paid twice: %+v", u)
				}
			})
		}
		synctest.Wait()
		leave()
		wg.Wait()
		if calls.Load() != 1 || w.outcome(Shared) != 4 || w.outcome(Cancelled) != 1 {
			t.Errorf("%d calls, outcomes %v", calls.Load(), w.outcomes)
		}
		if u := paid.Used(); u.ModelCalls != 1 {
			t.Errorf("the first one's use is %+v", u)
		}
		if _, err := m.Chat(t.Context(), "r", chat("same")); err != nil || calls.Load() != 2 {
			t.Errorf("a call that ended is shared: %d calls, %v", calls.Load(), err)
		}
	})
}

func TestCallEndsWhenNobodyWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan error, 1)
		m := New(&Scripted{ChatFunc: func(ctx context.Context, _ *Chat) (*Reply, error) {
			<-ctx.Done()
			time.Sleep(time.Second) // long after the caller has left
			ended <- ctx.Err()
			return nil, ctx.Err()
		}}, Options{Name: "m"})
		ctx, leave := context.WithCancel(t.Context())
		go func() {
			synctest.Wait()
			leave()
		}()
		_, err := m.Chat(ctx, "r", chat("x"))
		if class, _ := fault.Of(err); class != fault.Cancelled {
			t.Errorf("%v is %v", err, class)
		}
		m.Close()
		select {
		case err := <-ended:
			if !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		default:
			t.Error("Close does not wait for the request")
		}
	})
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := watching()
		m := New(&Scripted{ChatFunc: func(ctx context.Context, _ *Chat) (*Reply, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}, Options{Name: "m", Server: "http://s", Timeout: 3 * time.Second, Observe: w})
		_, err := m.Chat(t.Context(), "r", chat("x"))
		class, _ := fault.Of(err)
		if class != fault.Transient || !strings.Contains(err.Error(), "no reply within 3s") || w.outcome(Failed) != 1 {
			t.Errorf("%v is %v", err, class)
		}
	})
}

func TestBudget(t *testing.T) {
	t.Parallel()
	m := New(&Scripted{Replies: []string{"{}"}}, Options{Name: "m"})
	ctx, used := meter.With(t.Context(), messages.Usage{ModelCalls: 2, PromptTokens: 10_000})
	for i := range 3 {
		_, err := m.Chat(ctx, "router", chat(fmt.Sprint(i)))
		if spent := errors.Is(err, meter.ErrSpent); spent != (i == 2) {
			t.Errorf("call %d: %v", i, err)
		}
	}
	if _, err := m.Embed(ctx, "embedder", []string{"a", "b"}); err != nil {
		t.Error(err)
	}
	u := used.Used()
	if u.ModelCalls != 2 || len(u.Roles) != 2 || u.Roles[1].Role != "router" || u.Roles[1].Calls != 2 || u.PromptTokens == 0 {
		t.Errorf("use is %+v", u)
	}
}

func TestUnavailableServerCostsNoCall(t *testing.T) {
	t.Parallel()
	m := New(&Scripted{
		ChatFunc: func(context.Context, *Chat) (*Reply, error) {
			return nil, fault.AsUnavailable(errors.New("refused"), 0)
		},
		EmbedFunc: func(context.Context, []string) (*Vectors, error) {
			return nil, fault.AsUnavailable(errors.New("refused"), 0)
		},
	}, Options{Name: "m"})
	ctx, used := meter.With(t.Context(), messages.Usage{ModelCalls: 2, PromptTokens: 10_000})
	if err := meter.From(ctx).Call(); err != nil { // somebody else's
		t.Fatal(err)
	}
	if _, err := m.Chat(ctx, "r", chat("x")); err == nil {
		t.Fatal("no error")
	}
	if _, err := m.Embed(ctx, "e", []string{"x"}); err == nil {
		t.Fatal("no error")
	}
	if u := used.Used(); u.ModelCalls != 1 || len(u.Roles) != 0 {
		t.Errorf("use is %+v", u)
	}
}

func TestCache(t *testing.T) {
	t.Parallel()
	var embedded atomic.Int32
	s := &Scripted{Replies: []string{`{"n":1}`, `{"n":2}`}}
	s.EmbedFunc = func(_ context.Context, texts []string) (*Vectors, error) {
		embedded.Add(int32(len(texts)))
		v := &Vectors{}
		for _, t := range texts {
			v.Vectors = append(v.Vectors, []float32{float32(len(t))})
		}
		return v, nil
	}
	w := watching()
	m := New(s, Options{Name: "m", Cache: 10, Observe: w})
	for range 3 {
		if r, err := m.Chat(t.Context(), "r", chat("x")); err != nil || r.Text != `{"n":1}` {
			t.Error(r, err)
		}
	}
	longer := chat("x")
	longer.MaxTokens++
	if r, err := m.Chat(t.Context(), "r", longer); err != nil || r.Text != `{"n":2}` {
		t.Errorf("another request came from the cache: %v, %v", r, err)
	}
	for range 2 {
		v, err := m.Embed(t.Context(), "e", []string{"a", "bb", "ccc"})
		if err != nil || len(v) != 3 || v[1][0] != 2 {
			t.Error(v, err)
		}
	}
	if v, err := m.Embed(t.Context(), "e", []string{"dddd", "bb"}); err != nil || v[0][0] != 4 || v[1][0] != 2 {
		t.Error(v, err)
	}
	if len(s.Asked()) != 2 || embedded.Load() != 4 || w.outcome(Cached) != 3 {
		t.Errorf("%d chats, %d texts embedded, outcomes %v", len(s.Asked()), embedded.Load(), w.outcomes)
	}
}

func TestCacheForgets(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &Scripted{Replies: []string{"{}"}}
		m := New(s, Options{Name: "m", Cache: 1, CacheTTL: time.Minute})
		for i, wait := range []time.Duration{0, 59 * time.Second, 2 * time.Second} {
			time.Sleep(wait)
			if _, err := m.Chat(t.Context(), "r", chat("x")); err != nil || len(s.Asked()) != 1+i/2 {
				t.Errorf("after %v: %d calls, %v", wait, len(s.Asked()), err)
			}
		}
	})
}

func TestEmbedInBatches(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var sizes []int
	m := New(&Scripted{EmbedFunc: func(_ context.Context, texts []string) (*Vectors, error) {
		mu.Lock()
		sizes = append(sizes, len(texts))
		mu.Unlock()
		v := &Vectors{}
		for _, t := range texts {
			v.Vectors = append(v.Vectors, []float32{float32(len(t)), 1})
		}
		return v, nil
	}}, Options{Name: "m", Batch: 10})
	texts := make([]string, 25)
	for i := range texts {
		texts[i] = strings.Repeat("x", i)
	}
	v, err := m.Embed(t.Context(), "e", texts)
	if err != nil || len(sizes) != 3 {
		t.Fatalf("batches of %v, %v", sizes, err)
	}
	for i := range v {
		if int(v[i][0]) != i {
			t.Errorf("text %d has the vector of %v", i, v[i])
		}
	}
	short := New(&Scripted{EmbedFunc: func(context.Context, []string) (*Vectors, error) {
		return &Vectors{Vectors: [][]float32{{1}}}, nil
	}}, Options{Name: "m"})
	if _, err := short.Embed(t.Context(), "e", texts); err == nil {
		t.Error("one vector for 25 texts is taken")
	}
}

func TestPanickingClientIsAnError(t *testing.T) {
	t.Parallel()
	m := New(&Scripted{
		ChatFunc:  func(context.Context, *Chat) (*Reply, error) { panic("oh") },
		EmbedFunc: func(context.Context, []string) (*Vectors, error) { panic("oh") },
	}, Options{Name: "m", Slots: NewSlots(1)})
	for range 2 { // and the slot is free again
		if _, err := m.Chat(t.Context(), "r", chat("x")); err == nil || !strings.Contains(err.Error(), "oh") {
			t.Error(err)
		}
	}
	if _, err := m.Embed(t.Context(), "r", []string{"x"}); err == nil {
		t.Error("no error")
	}
}

func TestSilentTruncationIsSeen(t *testing.T) {
	t.Parallel()
	for name, counted := range map[string]int{"at the edge": 2048, "far too few": 100} {
		w := watching()
		m := New(&Scripted{ChatFunc: func(_ context.Context, r *Chat) (*Reply, error) {
			return &Reply{Text: `{"a":"b"}`, PromptTokens: counted}, nil
		}}, Options{Name: "m", NumCtx: 2048, Observe: w})
		long := chat(strings.Repeat("some words of a passage ", 200))
		if _, err := m.Chat(t.Context(), "r", long); err != nil || w.event(Truncated) != 1 {
			t.Errorf("%s: %v, events %v", name, err, w.events)
		}
	}
}
