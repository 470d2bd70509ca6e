package meter_test

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"

	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages/meter"
)

func TestCalls(t *testing.T) {
	t.Parallel()
	ctx, m := meter.With(context.Background(), messages.Usage{ModelCalls: 10, PromptTokens: 1000})
	var taken atomic.Int64
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			err := meter.From(ctx).Call()
			if err == nil {
				taken.Add(1)
			} else if class, _ := fault.Of(err); class != fault.Permanent || !errors.Is(err, meter.ErrSpent) {
				t.Errorf("%v is %v", err, class)
			}
		})
	}
	wg.Wait()
	if taken.Load() != 10 || m.Used().ModelCalls != 10 {
		t.Errorf("%d calls taken, %+v used", taken.Load(), m.Used())
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	_, m := meter.With(context.Background(), messages.Usage{ModelCalls: 10, PromptTokens: 100})
	if err := m.Call(); err != nil {
		t.Fatal(err)
	}
	m.Spend(messages.RoleUsage{Role: "router", Calls: 1, PromptTokens: 60, CompletionTokens: 39, QueueMS: 1, ModelMS: 20})
	if err := m.Call(); err != nil {
		t.Fatal(err)
	}
	if err := m.Allow(); err != nil {
		t.Errorf("with a token left: %v", err)
	}
	before := m.Used()
	m.Spend(messages.RoleUsage{Role: "embedder", Calls: 1, PromptTokens: 1})
	m.Spend(messages.RoleUsage{Role: "router", ModelMS: 5})
	for _, err := range []error{m.Call(), m.Allow()} {
		if class, _ := fault.Of(err); !errors.Is(err, meter.ErrSpent) || class != fault.Permanent {
			t.Errorf("error is %v", err)
		}
	}
	want := messages.Usage{ModelCalls: 2, PromptTokens: 61, CompletionTokens: 39, Roles: []messages.RoleUsage{
		{Role: "embedder", Calls: 1, PromptTokens: 1},
		{Role: "router", Calls: 1, PromptTokens: 60, CompletionTokens: 39, QueueMS: 1, ModelMS: 25},
	}}
	if u := m.Used(); !reflect.DeepEqual(u, want) {
		t.Errorf("used %+v, want %+v", u, want)
	}
	if len(before.Roles) != 1 || before.Roles[0].ModelMS != 20 {
		t.Errorf("what was told before has changed: %+v", before)
	}
}

func TestReturn(t *testing.T) {
	t.Parallel()
	_, m := meter.With(context.Background(), messages.Usage{ModelCalls: 1, PromptTokens: 1})
	m.Return()
	for range 3 {
		if err := m.Call(); err != nil {
			t.Fatal(err)
		}
		if err := m.Call(); !errors.Is(err, meter.ErrSpent) {
			t.Errorf("a second call: %v", err)
		}
		m.Return()
	}
	if !m.Used().IsZero() {
		t.Errorf("%+v used", m.Used())
	}
}

func TestNoMeterAllowsEverything(t *testing.T) {
	t.Parallel()
	m := meter.From(context.Background())
	m.Spend(messages.RoleUsage{Role: "router", PromptTokens: 1})
	m.Return()
	if err := errors.Join(m.Call(), m.Allow()); err != nil || !m.Used().IsZero() {
		t.Errorf("%v, %+v", err, m.Used())
	}
}
