package runner_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"hopstream/messages"
	"hopstream/stages/log"
	"hopstream/stages/natstest"
)

func TestFourClasses(t *testing.T) {
	t.Parallel()
	r := newRig(t, fullEngine(), options())
	for _, c := range []struct {
		question, answer string
		steps, hops      int
	}{
		{"straightforward one", "yes", 0, 0},
		{"single one", "<single one>", 1, 1},
		{"compound one", "<compound one c>", 1, 3},
		{"complex one", "<complex one #2>", 2, 2},
	} {
		a := r.ask(t, messages.Question{Question: c.question})
		if a.Status != messages.Answered || a.Answer != c.answer || a.Steps != c.steps || len(a.Hops) != c.hops || a.Class != classOf(c.question) {
			t.Errorf("%s: %+v", c.question, a)
		}
		natstest.Eventually(t, c.question+" is closed", func() bool {
			_, err := r.Log.Get(t.Context(), messages.KindQuestion, messages.Key{ID: a.ID})
			return errors.Is(err, log.ErrNotFound)
		})
	}
}

func BenchmarkPipeline(b *testing.B) {
	for _, class := range messages.Classes() {
		b.Run(string(class), func(b *testing.B) {
			r := newRig(b, fullEngine(), options())
			b.ReportAllocs()
			b.ResetTimer()
			sem := make(chan struct{}, 256)
			for i := range b.N {
				sem <- struct{}{}
				go func() {
					defer func() { <-sem }()
					q := messages.Question{Question: string(class) + " q" + fmt.Sprint(i)}
					if _, err := r.Follow.Ask(context.Background(), r.Client, &q); err != nil {
						b.Error(err)
					}
				}()
			}
			for range cap(sem) {
				sem <- struct{}{}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "questions/s")
		})
	}
}
