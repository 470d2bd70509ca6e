package runner_test

import (
	"context"
	"testing"
	"time"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/log"
	"hopstream/stages/natstest"
	"hopstream/stages/runner"
)

// TestThen: what a stage hands to one that is off is handled at once, and only
// what comes of that is stored; a redelivery finds it.
func TestThen(t *testing.T) {
	t.Parallel()
	table, err := stages.Select("filter,aligner")
	if err != nil {
		t.Fatal(err)
	}
	rig := natstest.NewRig(t, log.Config{Memory: true}, table)
	calls := make(chan string, 10)
	filter := runner.Of("filter", func(_ context.Context, in *messages.Filter) ([]messages.Message, error) {
		calls <- "filter"
		return []messages.Message{&messages.Align{Head: in.Head, Query: in.Query, Passages: in.Passages}}, nil
	})
	align := runner.Of("aligner", func(_ context.Context, in *messages.Align) ([]messages.Message, error) {
		calls <- "aligner"
		return []messages.Message{&messages.Generate{Head: in.Head, Query: in.Query}}, nil
	})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- runner.New(rig.Log, runner.Options{Table: table, Streams: log.Config{Memory: true}}).
			Run(ctx, []runner.Logic{filter.Then(messages.KindAlign, align), align}, nil)
	}()
	q := &messages.Question{Question: "Who?"}
	q.Accept("q", time.Now(), messages.Policy{}, "")
	head := *q.Meta()
	head.Class, head.Round, head.Branch, head.Branches = messages.Single, 1, 1, 1
	if err := rig.Log.Put(t.Context(), &messages.Filter{Head: head, Query: "Who?"}); err != nil {
		t.Fatal(err)
	}
	key := messages.Key{ID: "q", Round: 1, Branch: 1}
	natstest.Eventually(t, "the filter's output is stored", func() bool {
		_, err := rig.Log.Get(t.Context(), messages.KindGenerate, key)
		return err == nil
	})
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	close(calls)
	var got []string
	for c := range calls {
		got = append(got, c)
	}
	if len(got) != 2 || got[0] != "filter" || got[1] != "aligner" {
		t.Errorf("calls %v", got)
	}
	if _, err := rig.Log.Get(t.Context(), messages.KindAlign, key); err == nil {
		t.Error("the hop that is off is stored")
	}
}
