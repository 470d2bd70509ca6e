package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"text/tabwriter"
	"time"

	"hopstream/cmd/hoplab/report"
	"hopstream/cmd/hoplab/score"
	"hopstream/cmd/internal/bulk"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/session"
	"hopstream/cmd/internal/synthetic"
	"hopstream/messages"
)

// RealResult is what the configured engine and index reach.
type RealResult struct {
	Questions int                    `json:"questions"`
	Passages  int                    `json:"passages"`
	Classes   map[messages.Class]int `json:"classes"`
	QPS       float64                `json:"questions_per_second"`
	Rate      float64                `json:"half_load_per_second"`
	P50MS     float64                `json:"half_load_p50_ms"`
	P95MS     float64                `json:"half_load_p95_ms"`
	P99MS     float64                `json:"half_load_p99_ms"`
	RSSMB     int                    `json:"rss_mb"`
}

// measureReal measures throughput, then latency at half of it.
func measureReal(ctx context.Context, a *cli.App, o Options) (err error) {
	docs, questions, cleanup, err := o.material()
	if err != nil {
		return err
	}
	defer cleanup()
	if o.Profile == "single" {
		a.Config.Router.Force = string(messages.Single)
	}
	s, err := session.Open(ctx, a, session.Options{Docs: docs})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	r := RealResult{Questions: o.Questions, Passages: s.Node.Stores.Passages(), Classes: map[messages.Class]int{}}
	if _, err := askAll(ctx, s, o.pick(questions, min(500, o.Questions)), o.Window); err != nil {
		return err
	}
	var rounds []pace
	if err := o.profiled(func() error {
		for range o.Rounds {
			p, err := askAll(ctx, s, o.pick(questions, o.Questions), o.Window)
			if err != nil {
				return err
			}
			rounds = append(rounds, p)
		}
		return nil
	}); err != nil {
		return err
	}
	r.QPS = median(rounds).qps
	r.Rate = r.QPS / 2
	latency, err := atRate(ctx, s, o.pick(questions, o.Questions), r.Rate, r.Classes)
	if err != nil {
		return err
	}
	r.P50MS, r.P95MS, r.P99MS = score.Quantile(latency, .5), score.Quantile(latency, .95), score.Quantile(latency, .99)
	runtime.GC()
	r.RSSMB = residentMB()
	if o.JSON {
		return cli.WriteJSON(a.Out, r)
	}
	w := tabwriter.NewWriter(a.Out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "passages\tquestions/s\tat half load:\tp50 ms\tp95 ms\tp99 ms\tRSS MB\t")
	fmt.Fprintf(w, "%d\t%.0f\t%.0f/s\t%.1f\t%.1f\t%.1f\t%d\t\n", r.Passages, r.QPS, r.Rate, r.P50MS, r.P95MS, r.P99MS, r.RSSMB)
	if err := w.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.Out, "%s, engine %s, classes: %s\n", cores(), a.Config.Engine, report.Counts(r.Classes))
	return err
}

// material returns the documents and questions to bench with.
func (o Options) material() (docs []string, questions []string, cleanup func(), err error) {
	cleanup = func() {}
	if (len(o.Docs) == 0) != (o.In == "") {
		return nil, nil, cleanup, cli.Usagef("--docs and --in go together")
	}
	if o.In == "" {
		return generated(o.Passages)
	}
	f, err := os.Open(o.In)
	if err != nil {
		return nil, nil, cleanup, err
	}
	defer f.Close()
	for in := bulk.NewLines(f); ; {
		line, n, err := in.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		var q *messages.Question
		if err == nil {
			q, _, err = bulk.ParseQuestion(line)
		}
		if err == nil {
			err = q.Validate()
		}
		if err != nil {
			return nil, nil, cleanup, fmt.Errorf("%s:%d: %w", o.In, n, err)
		}
		questions = append(questions, q.Question)
	}
	if len(questions) == 0 {
		return nil, nil, cleanup, fmt.Errorf("%s holds no questions", o.In)
	}
	return o.Docs, questions, cleanup, nil
}

// pick returns n questions under new IDs, going round.
func (o Options) pick(texts []string, n int) []messages.Question {
	out := make([]messages.Question, n)
	for i := range out {
		out[i].Question, out[i].Priority = texts[i%len(texts)], messages.Bulk
	}
	return out
}

// atRate asks questions at a steady rate, whatever the answers do, and
// returns the sorted latencies in milliseconds, from the moment each was due.
func atRate(ctx context.Context, s *session.Session, questions []messages.Question, rate float64, classes map[messages.Class]int) ([]float64, error) {
	follow, err := s.Follow(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer follow.Close()
	var mu sync.Mutex
	var latency []float64
	var failed error
	var wg sync.WaitGroup
	start := time.Now()
	for i := range questions {
		due := start.Add(time.Duration(float64(i) / rate * float64(time.Second)))
		if wait := time.Until(due); wait > 0 {
			select {
			case <-time.After(wait):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		wg.Go(func() {
			an, err := follow.Ask(ctx, s.Client, &questions[i])
			ms := float64(time.Since(due).Microseconds()) / 1000
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed = err
				return
			}
			latency = append(latency, ms)
			classes[an.Class]++
		})
	}
	wg.Wait()
	slices.Sort(latency)
	return latency, failed
}

// generated writes a corpus of so many passages to a folder of its own, and
// returns it with questions about it.
func generated(passages int) (docs, questions []string, cleanup func(), err error) {
	dir, err := os.MkdirTemp("", "hopstream-bench-")
	if err != nil {
		return nil, nil, func() {}, err
	}
	cleanup = func() { _ = os.RemoveAll(dir) }
	path := filepath.Join(dir, "corpus.jsonl")
	if questions, err = synthetic.Corpus(path, passages); err != nil {
		cleanup()
		return nil, nil, func() {}, err
	}
	return []string{path}, questions, cleanup, nil
}
