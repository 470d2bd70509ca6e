package meter_test

import (
	"context"
	"errors"
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
	m.Tokens(60, 39)
	if err := m.Call(); err != nil {
		t.Fatal(err)
	}
	m.Tokens(1, 0)
	if err := m.Call(); !errors.Is(err, meter.ErrSpent) {
		t.Errorf("error is %v", err)
	}
	if u := m.Used(); u != (messages.Usage{ModelCalls: 2, PromptTokens: 61, CompletionTokens: 39}) {
		t.Errorf("used %+v", u)
	}
}

func TestNoMeterAllowsEverything(t *testing.T) {
	t.Parallel()
	m := meter.From(context.Background())
	m.Tokens(1, 1)
	if err := m.Call(); err != nil || m.Used() != (messages.Usage{}) {
		t.Errorf("%v, %+v", err, m.Used())
	}
}
