package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"text/tabwriter"
	"time"

	"hopstream/cmd/hoplab/score"
	"hopstream/cmd/hoplab/sim"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/session"
	"hopstream/messages"
	"hopstream/stages/client"
	"hopstream/stages/engine/roles"
)

// ModelResult is how the pipeline uses a model's server.
type ModelResult struct {
	Questions   int     `json:"questions"`
	QPS         float64 `json:"questions_per_second"`
	CallsPerS   float64 `json:"calls_per_second"`
	Utilisation float64 `json:"server_utilisation,omitempty"` // of its slots; a simulated server tells

	// Prefix is the share of prompts that a server's cache of prefixes would not
	// read again, as a simulated server tells.
	Prefix float64 `json:"prefix_share,omitempty"`

	LatencyMS float64 `json:"low_load_p50_ms"` // of single-step questions, one at a time
	ModelMS   float64 `json:"low_load_model_p50_ms"`
	Overhead  float64 `json:"low_load_overhead_p50_ms"`

	Classes []modelClass `json:"classes"`
}

// modelClass is what the questions of a class take, on average.
type modelClass struct {
	Class     messages.Class `json:"class"`
	Questions int            `json:"questions"`
	Steps     float64        `json:"steps"`
	Hops      float64        `json:"sub_queries"`
	Calls     float64        `json:"model_calls"`
	MaxCalls  int            `json:"model_calls_max"`
	Prompt    float64        `json:"prompt_tokens"`
	Reply     float64        `json:"completion_tokens"`
}

// measureModel measures how busy the pipeline keeps a model's server, what it
// adds to the model's time when nothing else is asked, and how many calls each
// class of question takes. Without a server of its own it simulates one.
func measureModel(ctx context.Context, a *cli.App, o Options) (err error) {
	var server *simulated
	if a.Config.Models[config.DefaultModel].URL == "" {
		if server, err = simulateServer(o); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, server.close()) }()
		m := a.Config.Models[config.DefaultModel]
		m.URL, m.Concurrency = server.url, o.Parallel
		a.Config.Models[config.DefaultModel] = m
		fmt.Fprintf(a.Err, "simulating a server: %v a call, %d at once\n", o.Latency, o.Parallel)
	} else {
		server = &simulated{url: a.Config.Models[config.DefaultModel].URL}
	}
	docs, questions, cleanup, err := o.material()
	if err != nil {
		return err
	}
	defer cleanup()
	s, err := session.Open(ctx, a, session.Options{Docs: docs})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()

	r := ModelResult{Questions: o.Questions}
	if err := modelLatency(ctx, s, questions, server.latency, &r); err != nil {
		return err
	}
	// Questions not asked before: identical requests would share their calls.
	if err := o.profiled(func() error { return modelLoad(ctx, s, questions[lowLoad:], o, server, &r) }); err != nil {
		return err
	}
	if o.JSON {
		return cli.WriteJSON(a.Out, r)
	}
	return r.print(a)
}

// lowLoad is how many questions are asked one at a time.
const lowLoad = 60

// modelLatency asks one question at a time, as single-step ones, and compares
// the time each took with what the model took of it.
func modelLatency(ctx context.Context, s *session.Session, questions []string, perCall time.Duration, r *ModelResult) error {
	follow, err := s.Follow(ctx, nil)
	if err != nil {
		return err
	}
	defer follow.Close()
	var whole, model, rest []float64
	for _, text := range questions[:min(lowLoad, len(questions))] {
		start := time.Now()
		an, err := follow.Ask(ctx, s.Client, &messages.Question{Question: text})
		if err != nil {
			return err
		}
		if an.Class != messages.Single || an.Usage.ModelCalls == 0 {
			continue
		}
		took := float64(time.Since(start).Microseconds()) / 1000
		waited := criticalPath(an, perCall, s.App.Config.Models[config.DefaultModel].Concurrency)
		whole, model, rest = append(whole, took), append(model, waited), append(rest, took-waited)
	}
	if len(whole) == 0 {
		return errors.New("none of the questions was answered as a single-step one by a model")
	}
	for _, v := range [][]float64{whole, model, rest} {
		slices.Sort(v)
	}
	r.LatencyMS, r.ModelMS, r.Overhead = score.Quantile(whole, .5), score.Quantile(model, .5), score.Quantile(rest, .5)
	return nil
}

// criticalPath is how long a single-step question waited for models, in
// milliseconds: its roles' calls follow one another, but for those of the
// scales and of passages judged one by one, which run side by side. Where a
// call's time is known it counts for that, so that what the requests cost on
// the way is overhead; else it counts as it was waited for.
func criticalPath(a *messages.Answer, perCall time.Duration, atOnce int) float64 {
	var ms float64
	for _, r := range a.Usage.Roles {
		calls, waited := max(1, float64(r.Calls)), float64(r.ModelMS)
		if r.Role == string(roles.ScaleAnswerer) || r.Role == string(roles.Relevance) {
			waves := math.Ceil(calls / float64(atOnce))
			waited, calls = waited/calls*waves, waves
		}
		if perCall > 0 {
			waited = calls * float64(perCall.Microseconds()) / 1000
		}
		ms += waited
	}
	return ms
}

// modelLoad keeps many questions open and looks at the server between the
// first fifth of them and the last.
func modelLoad(ctx context.Context, s *session.Session, questions []string, o Options, server *simulated, r *ModelResult) error {
	if len(questions) < o.Questions {
		return fmt.Errorf("%d questions are too few for --questions %d and %d before", len(questions), o.Questions, lowLoad)
	}
	classes := map[messages.Class]*modelClass{}
	var from, to sim.Stats
	var began time.Time
	answered, callsFrom, calls, asked := 0, 0, 0, 0
	all := o.pick(questions, o.Questions)
	var bad error
	err := s.Run(ctx, client.Bulk{Window: o.Window,
		Answer: func(an *messages.Answer) {
			answered++
			calls += an.Usage.ModelCalls
			switch answered {
			case o.Questions / 5:
				from, began, callsFrom = server.stats(ctx), time.Now(), calls
			case o.Questions - o.Questions/5:
				to = server.stats(ctx)
				took := time.Since(began).Seconds()
				r.QPS, r.CallsPerS = float64(o.Questions-2*(o.Questions/5))/took, float64(calls-callsFrom)/took
			}
			c := classes[an.Class]
			if c == nil {
				c = &modelClass{Class: an.Class}
				classes[an.Class] = c
			}
			c.add(an)
		},
		Reject: func(_ *messages.Question, err error) { bad = err },
	}, func() (*messages.Question, bool) {
		if asked == len(all) {
			return nil, false
		}
		asked++
		return &all[asked-1], true
	})
	if err = errors.Join(err, bad); err != nil {
		return err
	}
	if w := to.Window - from.Window; w > 0 && to.Parallel > 0 {
		r.Utilisation = float64(to.Busy-from.Busy) / float64(w) / float64(to.Parallel)
	}
	r.Prefix = to.PrefixShare
	for _, c := range classes {
		r.Classes = append(r.Classes, c.mean())
	}
	slices.SortFunc(r.Classes, func(a, b modelClass) int { return cmp.Compare(a.Class, b.Class) })
	return nil
}

func (c *modelClass) add(a *messages.Answer) {
	c.Questions++
	c.Steps += float64(a.Steps)
	c.Hops += float64(len(a.Hops))
	c.Calls += float64(a.Usage.ModelCalls)
	c.MaxCalls = max(c.MaxCalls, a.Usage.ModelCalls)
	c.Prompt += float64(a.Usage.PromptTokens)
	c.Reply += float64(a.Usage.CompletionTokens)
}

func (c *modelClass) mean() modelClass {
	out, n := *c, float64(c.Questions)
	out.Steps, out.Hops, out.Calls, out.Prompt, out.Reply = c.Steps/n, c.Hops/n, c.Calls/n, c.Prompt/n, c.Reply/n
	return out
}

func (r *ModelResult) print(a *cli.App) error {
	w := tabwriter.NewWriter(a.Out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "questions/s\tcalls/s\tserver busy\tprefix known\tsingle p50 ms\tmodel ms\toverhead ms\t")
	busy, known := "–", "–" // only a simulated server tells
	if r.Utilisation > 0 {
		busy, known = fmt.Sprintf("%.1f %%", 100*r.Utilisation), fmt.Sprintf("%.0f %%", 100*r.Prefix)
	}
	fmt.Fprintf(w, "%.1f\t%.1f\t%s\t%s\t%.1f\t%.1f\t%.1f\t\n", r.QPS, r.CallsPerS, busy, known, r.LatencyMS, r.ModelMS, r.Overhead)
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(a.Out)
	w = tabwriter.NewWriter(a.Out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "class\tquestions\tsteps\tsub-queries\tcalls\tmost\tprompt tokens\treply tokens\t")
	for _, c := range r.Classes {
		fmt.Fprintf(w, "%s\t%d\t%.2f\t%.2f\t%.2f\t%d\t%.0f\t%.0f\t\n", c.Class, c.Questions, c.Steps, c.Hops, c.Calls, c.MaxCalls, c.Prompt, c.Reply)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	windows := "passages whole"
	if a.Config.Aligner.Windows && !a.Config.Aligner.Off {
		windows = fmt.Sprintf("windows of %v characters", a.Config.Aligner.Scales)
	}
	_, err := fmt.Fprintf(a.Out, "%s, %s, %s, filter per passage: %v\n", cores(), a.Config.WhoAnswers(), windows, a.Config.Filter.PerPassage)
	return err
}
