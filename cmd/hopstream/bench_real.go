package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/session"
	"hopstream/messages"
)

// realResult is what the configured engine and index reach.
type realResult struct {
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

// benchReal measures throughput, then latency at half of it.
func benchReal(ctx context.Context, a *cli.App, o benchOptions) (err error) {
	docs, questions, cleanup, err := o.material()
	if err != nil {
		return err
	}
	defer cleanup()
	if o.profile == "single" {
		a.Config.Router.Force = string(messages.Single)
	}
	s, err := session.Open(ctx, a, session.Options{Docs: docs})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	r := realResult{Questions: o.questions, Passages: s.Node.Stores.Passages(), Classes: map[messages.Class]int{}}
	if _, err := askAll(ctx, s, o.pick(questions, min(500, o.questions)), o.window); err != nil {
		return err
	}
	var rounds []pace
	if err := o.profiled(func() error {
		for range o.rounds {
			p, err := askAll(ctx, s, o.pick(questions, o.questions), o.window)
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
	latency, err := atRate(ctx, s, o.pick(questions, o.questions), r.Rate, r.Classes)
	if err != nil {
		return err
	}
	r.P50MS, r.P95MS, r.P99MS = quantile(latency, .5), quantile(latency, .95), quantile(latency, .99)
	runtime.GC()
	r.RSSMB = residentMB()
	if o.json {
		return cli.WriteJSON(a.Out, r)
	}
	w := tabwriter.NewWriter(a.Out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "passages\tquestions/s\tat half load:\tp50 ms\tp95 ms\tp99 ms\tRSS MB\t")
	fmt.Fprintf(w, "%d\t%.0f\t%.0f/s\t%.1f\t%.1f\t%.1f\t%d\t\n", r.Passages, r.QPS, r.Rate, r.P50MS, r.P95MS, r.P99MS, r.RSSMB)
	if err := w.Flush(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.Out, "%s, engine %s, classes: %s\n", cores(), a.Config.Engine, counts(r.Classes))
	return err
}

// material returns the documents and questions to bench with.
func (o benchOptions) material() (docs []string, questions []string, cleanup func(), err error) {
	cleanup = func() {}
	if (len(o.docs) == 0) != (o.in == "") {
		return nil, nil, cleanup, cli.Usagef("--docs and --in go together")
	}
	if o.in == "" {
		return generated(o.passages)
	}
	f, err := os.Open(o.in)
	if err != nil {
		return nil, nil, cleanup, err
	}
	defer f.Close()
	for in := newLines(f); ; {
		line, n, err := in.next()
		if errors.Is(err, io.EOF) {
			break
		}
		var q *messages.Question
		if err == nil {
			q, _, err = parseQuestion(line)
		}
		if err == nil {
			err = q.Validate()
		}
		if err != nil {
			return nil, nil, cleanup, fmt.Errorf("%s:%d: %w", o.in, n, err)
		}
		questions = append(questions, q.Question)
	}
	if len(questions) == 0 {
		return nil, nil, cleanup, fmt.Errorf("%s holds no questions", o.in)
	}
	return o.docs, questions, cleanup, nil
}

// pick returns n questions under new IDs, going round.
func (o benchOptions) pick(texts []string, n int) []messages.Question {
	out := make([]messages.Question, n)
	for i := range out {
		out[i].Question = texts[i%len(texts)]
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
	if questions, err = generate(path, passages); err != nil {
		cleanup()
		return nil, nil, func() {}, err
	}
	return []string{path}, questions, cleanup, nil
}

// generate writes a corpus of n passages about invented people, towns and
// works, linked to one another, to path, and returns questions about them. The
// words follow Zipf's law, as those of real text do.
func generate(path string, n int) (questions []string, err error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriterSize(f, 1<<20)
	rng := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(rng, 1.1, 4, 30_000)
	name := func(i int) string {
		return word(uint64(i)*2654435761%90_000+40_000, true) + " " + word(uint64(i)*40503%70_000+40_000, true)
	}
	enc := json.NewEncoder(w)
	for i := range n {
		town, work := name(n+i/7), name(2*n+i)
		var b strings.Builder
		fmt.Fprintf(&b, "%s (born %d in %s) is a writer from %s. %s wrote %s, which appeared in %d.", name(i), 1800+i%200, town, town, name(i), work, 1820+i%200)
		for range 5 {
			b.WriteString(" ")
			for w := range 14 {
				if w > 0 {
					b.WriteByte(' ')
				}
				b.WriteString(word(zipf.Uint64(), w == 0))
			}
			b.WriteByte('.')
		}
		if err := enc.Encode(messages.Document{ID: fmt.Sprintf("p%d", i), Title: name(i), Text: b.String()}); err != nil {
			return nil, err
		}
		switch i % 3 {
		case 0:
			questions = append(questions, fmt.Sprintf("Where was %s born?", name(i)))
		case 1:
			questions = append(questions, fmt.Sprintf("Where was %s born and what did %s write?", name(i), name(i)))
		case 2:
			questions = append(questions, fmt.Sprintf("Where was the author of %s born?", work))
		}
	}
	rng.Shuffle(len(questions), func(i, j int) { questions[i], questions[j] = questions[j], questions[i] })
	return questions, w.Flush()
}

// word spells a number in syllables.
func word(n uint64, capital bool) string {
	const consonants, vowels = "bdfgklmnprstv", "aeiou"
	b := make([]byte, 0, 12)
	for ok := true; ok || n > 0; ok = false {
		b = append(b, consonants[n%13], vowels[n/13%5])
		n /= 65
	}
	if capital {
		b[0] -= 'a' - 'A'
	}
	return string(b)
}
