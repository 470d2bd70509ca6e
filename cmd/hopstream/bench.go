package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hopstream/index/docstream"
	"hopstream/messages"
	"hopstream/stages/client"
)

func newBench(a *app) *cobra.Command {
	var o benchOptions
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure throughput and latency beside the raw JetStream ceiling",
		Long: `Measure what the pipeline itself costs. An engine and index that do nothing
answer; in the same run, plain JetStream workers (consume, publish, ack: no
write-once, no join, no deadline, no JSON) move messages of the same number and
size over the same hops: the ceiling. Rounds alternate between the two, and the
medians are compared. Latency is one question at a time.

With --engine-real the configured engine and index work, over --docs and --in,
or over a generated corpus; latency is then measured at half the throughput.

With --engine ollama the question is how well the pipeline uses a model: how
busy it keeps the server's slots under load, what it adds to the model's time
for one single-step question, and how many calls each class of question takes.
Unless --ollama-url names a server, one is simulated whose calls take
--sim-latency, --sim-parallel of them at once.`,
		Example: `  hopstream bench
  hopstream bench --profile compound --questions 20000 --json
  hopstream bench --engine-real --docs corpus.jsonl --in questions.jsonl
  hopstream bench --engine ollama --sim-latency 200ms --sim-parallel 8`,
		Args: exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.questions < 10 || o.rounds < 1 || o.window < 1 {
				return usagef("--questions is at least 10, --rounds and --window at least 1")
			}
			if o.passages < 10 || o.passages > 10_000_000 {
				return usagef("--passages is between 10 and 10,000,000")
			}
			if o.profile != "all" && !slices.Contains(profiles, o.profile) {
				return usagef("--profile %q: choose from %s, all", o.profile, strings.Join(profiles, ", "))
			}
			a.cfg.NATS.URL = ""
			if a.cfg.Engine == engineOllama && !o.real {
				if o.latency < 0 || o.parallel < 1 {
					return usagef("--sim-latency is at least 0, --sim-parallel at least 1")
				}
				if !cmd.Flags().Changed("questions") {
					o.questions = 400
				}
				return a.benchModel(cmd.Context(), o)
			}
			if o.real {
				return a.benchReal(cmd.Context(), o)
			}
			return a.bench(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.questions, "questions", 5000, "questions per round (400 with --engine ollama)")
	f.StringVar(&o.profile, "profile", "all", "single, compound (of three), complex (two rounds), mix, or all")
	f.IntVar(&o.rounds, "rounds", 3, "rounds of pipeline and ceiling in turn")
	f.IntVar(&o.window, "window", 256, "questions open at once")
	f.BoolVar(&o.json, "json", false, "print JSON lines")
	f.BoolVar(&o.real, "engine-real", false, "measure the configured engine and index instead")
	f.StringArrayVar(&o.docs, "docs", nil, "with --engine-real: the documents (default: generated ones)")
	f.IntVar(&o.passages, "passages", 10_000, "with --engine-real: how many passages are generated")
	f.StringVar(&o.in, "in", "", "with --engine-real: the questions, as JSON lines")
	f.StringVar(&o.profileTo, "cpuprofile", "", "write a CPU profile of the pipeline's rounds to this file")
	f.DurationVar(&o.latency, "sim-latency", 200*time.Millisecond, "with --engine ollama: the simulated server's time per call")
	f.IntVar(&o.parallel, "sim-parallel", 8, "with --engine ollama: the simulated server's calls at once")
	f.BoolVar(&o.memory, "memory", false, "follow the resident memory over ten times --questions instead")
	return cmd
}

// profiles are the kinds of load, by the class of their questions.
var profiles = []string{"single", "compound", "complex", "mix"}

type benchOptions struct {
	questions, rounds, window int
	passages                  int
	profile                   string
	json, real, memory        bool
	docs                      []string
	in                        string
	profileTo                 string
	latency                   time.Duration
	parallel                  int
}

// profiled runs fn under the CPU profile, where one was asked for.
func (o benchOptions) profiled(fn func() error) error {
	if o.profileTo == "" {
		return fn()
	}
	f, err := os.Create(o.profileTo)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		return errors.Join(err, f.Close())
	}
	err = fn()
	pprof.StopCPUProfile()
	return errors.Join(err, f.Close())
}

// benchResult is one profile's figures.
type benchResult struct {
	Profile   string  `json:"profile"`
	Questions int     `json:"questions"`
	Messages  int     `json:"messages_per_question"`
	Bytes     int     `json:"bytes_per_question"`
	QPS       float64 `json:"questions_per_second"`
	Ceiling   float64 `json:"ceiling_questions_per_second"`
	Ratio     float64 `json:"ratio"`
	P50MS     float64 `json:"latency_p50_ms"`
	P95MS     float64 `json:"latency_p95_ms"`
	P99MS     float64 `json:"latency_p99_ms"`
	RawP50MS  float64 `json:"ceiling_latency_p50_ms,omitempty"`
	CPUUS     float64 `json:"cpu_us_per_question"`
	RawCPUUS  float64 `json:"ceiling_cpu_us_per_question"`
}

// pace is how fast a round went.
type pace struct{ qps, cpuUS float64 }

// measure runs fn, which answers n questions.
func measure(n int, fn func() error) (pace, error) {
	started, cpu := nowMS(), cpuMS()
	err := fn()
	return pace{float64(n) / (nowMS() - started) * 1000, (cpuMS() - cpu) / float64(n) * 1000}, err
}

// median of rounds, by questions per second.
func median(rounds []pace) pace {
	slices.SortFunc(rounds, func(a, b pace) int { return cmp.Compare(a.qps, b.qps) })
	return rounds[len(rounds)/2]
}

func (a *app) bench(ctx context.Context, o benchOptions) error {
	profiles := profiles
	if o.profile != "all" {
		profiles = []string{o.profile}
	}
	if o.memory {
		return a.benchMemory(ctx, o, profiles[0])
	}
	fmt.Fprintf(a.err, "%s, %s, file storage, in-process server\n", cores(), runtime.Version())
	var results []benchResult
	for _, p := range profiles {
		r, err := a.benchProfile(ctx, o, p)
		if err != nil {
			return fmt.Errorf("profile %s: %w", p, err)
		}
		if o.json {
			if err := writeJSON(a.out, r); err != nil {
				return err
			}
		}
		results = append(results, r)
	}
	if o.json {
		return nil
	}
	w := tabwriter.NewWriter(a.out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "profile\tmessages\tbytes\tquestions/s\tceiling/s\tratio\tp50 ms\tp95 ms\tp99 ms\traw p50 ms\tcpu µs\traw cpu µs\t")
	for _, r := range results {
		ratio := "–" // a mix has no one ceiling
		if r.Ratio > 0 {
			ratio = fmt.Sprintf("%.0f %%", 100*r.Ratio)
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%.0f\t%.0f\t%s\t%.2f\t%.2f\t%.2f\t%.2f\t%.0f\t%.0f\t\n", r.Profile, r.Messages, r.Bytes, r.QPS, r.Ceiling, ratio, r.P50MS, r.P95MS, r.P99MS, r.RawP50MS, r.CPUUS, r.RawCPUUS)
	}
	return w.Flush()
}

// benchProfile alternates pipeline and ceiling.
func (a *app) benchProfile(ctx context.Context, o benchOptions, profile string) (benchResult, error) {
	r := benchResult{Profile: profile, Questions: o.questions}
	shape, latency, err := a.benchShape(ctx, profile, o)
	if err != nil {
		return r, err
	}
	for _, h := range shape {
		r.Messages += h.fan
		r.Bytes += h.fan * h.bytes
	}
	slices.Sort(latency)
	r.P50MS, r.P95MS, r.P99MS = quantile(latency, .5), quantile(latency, .95), quantile(latency, .99)
	var ours, raws []pace
	var rawLatency []float64
	for range o.rounds {
		if profile != "mix" { // whose questions have no one shape
			raw, lat, err := a.rawRound(ctx, shape, o)
			if err != nil {
				return r, fmt.Errorf("ceiling: %w", err)
			}
			raws, rawLatency = append(raws, raw), append(rawLatency, lat...)
		}
		our, err := a.pipelineRound(ctx, profile, o)
		if err != nil {
			return r, err
		}
		ours = append(ours, our)
	}
	our := median(ours)
	r.QPS, r.CPUUS = our.qps, our.cpuUS
	if len(raws) > 0 {
		raw := median(raws)
		r.Ceiling, r.RawCPUUS, r.Ratio = raw.qps, raw.cpuUS, our.qps/raw.qps
		slices.Sort(rawLatency)
		r.RawP50MS = quantile(rawLatency, .5)
	}
	return r, nil
}

// benchSession starts a pipeline that does nothing, on a fresh store.
func (a *app) benchSession(ctx context.Context) (*session, error) {
	table, err := a.cfg.table("all")
	if err != nil {
		return nil, err
	}
	l, err := a.temporary()
	if err != nil {
		return nil, err
	}
	// Every question looks at the document stream, also where nothing is read.
	if _, err := docstream.Ensure(ctx, l.js, l.names, a.documentStream(l), a.log); err != nil {
		l.close()
		return nil, err
	}
	e := nullEngine()
	s := &session{app: a, link: l}
	if s.node, err = a.startNode(ctx, l, nodeParts{table: table, engine: e, search: e}); err != nil {
		l.close()
		return nil, err
	}
	s.log, s.Client = s.node.log, s.node.client
	return s, nil
}

// benchShape runs questions one at a time: it returns their latencies in
// milliseconds, and which messages a question consists of.
func (a *app) benchShape(ctx context.Context, profile string, o benchOptions) (shape []hop, latency []float64, err error) {
	s, err := a.benchSession(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	follow, err := s.Follow(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	defer follow.Close()
	warm, counted := min(200, o.questions), min(1000, 5*o.questions)
	questions := benchQuestions(profile, warm+counted)
	var last []string
	for i := range questions {
		started := nowMS()
		an, err := follow.Ask(ctx, s.Client, &questions[i])
		if err != nil {
			return nil, nil, err
		}
		if an.Status != messages.Answered {
			return nil, nil, fmt.Errorf("question ended as %s: %s", an.Status, an.Error)
		}
		if i >= warm {
			latency = append(latency, nowMS()-started)
		}
		last = append(last, an.ID)
	}
	shape, err = s.shapeOf(ctx, last[len(last)-4:])
	return shape, latency, err
}

// pipelineRound measures questions per second with many open.
func (a *app) pipelineRound(ctx context.Context, profile string, o benchOptions) (p pace, err error) {
	s, err := a.benchSession(ctx)
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	if _, err := s.askAll(ctx, benchQuestions(profile, min(500, o.questions)), o.window); err != nil {
		return p, err
	}
	questions := benchQuestions(profile, o.questions)
	err = o.profiled(func() error {
		p, err = s.askAll(ctx, questions, o.window)
		return err
	})
	return p, err
}

// askAll asks the questions and returns how many were answered per second.
func (s *session) askAll(ctx context.Context, questions []messages.Question, window int) (pace, error) {
	i, answered := 0, 0
	var bad error
	p, err := measure(len(questions), func() error {
		return s.Run(ctx, client.Bulk{Window: window,
			Answer: func(an *messages.Answer) {
				answered++
				if bad == nil && an.Status != messages.Answered && len(s.node.shelves) == 0 {
					bad = fmt.Errorf("question ended as %s: %s", an.Status, an.Error)
				}
			},
			Reject: func(_ *messages.Question, err error) { bad = err },
		}, func() (*messages.Question, bool) {
			if i == len(questions) {
				return nil, false
			}
			i++
			return &questions[i-1], true
		})
	})
	if err == nil && bad == nil && answered != len(questions) {
		err = fmt.Errorf("%d answers to %d questions", answered, len(questions))
	}
	return p, errors.Join(err, bad)
}
