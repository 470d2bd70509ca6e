package bench

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

	"hopstream/cmd/hoplab/score"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/node"
	"hopstream/cmd/internal/session"
	"hopstream/messages"
	"hopstream/stages/admission"
	"hopstream/stages/client"
)

// Profiles returns the kinds of load, by name.
func Profiles() []string { return slices.Clone(profiles) }

// profiles are the kinds of load, by the class of their questions.
var profiles = []string{"single", "compound", "complex", "mix"}

// Options are what the command line says.
type Options struct {
	Questions int           // in each round
	Rounds    int           // of pipeline and ceiling in turn
	Window    int           // questions open at once
	Profile   string        // the kind of load, or all
	Memory    bool          // follow the resident memory instead
	Real      bool          // measure the configured engine and index
	Docs      []string      // of Real; empty: a synthetic corpus
	In        string        // questions about Docs
	Passages  int           // of the synthetic corpus
	Latency   time.Duration // of a call of the simulated model server
	Parallel  int           // calls that it works on at once
	ProfileTo string        // a file for the CPU profile
	JSON      bool          // print JSON lines
	// Entities is how many things the questions are about, over and over: measures
	// what a model's calls come to where questions share them; 0: something else.
	Entities int
	// Traced measures what tracing costs.
	Traced bool
	// Tenants measures what so many tenants get of the pipeline while one of them
	// floods it, as Flood says; 0: something else.
	Tenants int
	Flood   FloodOptions
	// AtSpeeds measures every preset with models of several speeds, as Speed says.
	AtSpeeds bool
	Speed    SpeedOptions
}

// ModelQuestions is how many questions are asked of a model unless told.
const ModelQuestions = 400

// Run measures what o says and prints the figures: the pipeline beside the
// ceiling, the configured engine and index, or the use of a model. It fails as wrong
// use where the options are out of bounds.
func Run(ctx context.Context, a *cli.App, o Options) error {
	if err := o.validate(a.Config.Engine == config.EngineOllama && !o.Real); err != nil {
		return err
	}
	if o.AtSpeeds {
		if err := o.Speed.validate(a.Config.Engine); err != nil {
			return err
		}
	}
	a.Config.NATS.URL = ""
	switch {
	case o.Traced:
		return measureTracing(ctx, a, o)
	case o.Tenants > 0:
		return measureTenants(ctx, a, o)
	case o.AtSpeeds:
		return measureSpeed(ctx, a, o)
	case o.Entities > 0:
		return measureShared(ctx, a, o)
	case o.Real:
		return measureReal(ctx, a, o)
	case a.Config.Engine == config.EngineOllama:
		return measureModel(ctx, a, o)
	}
	return pipeline(ctx, a, o)
}

func (o *Options) validate(model bool) error {
	switch {
	case o.Questions < 10 || o.Rounds < 1 || o.Window < 1:
		return cli.Usagef("--questions is at least 10, --rounds and --window at least 1")
	case o.Passages < 10 || o.Passages > 10_000_000:
		return cli.Usagef("--passages is between 10 and 10,000,000")
	case o.Profile != "all" && !slices.Contains(profiles, o.Profile):
		return cli.Usagef("--profile %q: choose from %s, all", o.Profile, strings.Join(profiles, ", "))
	case o.Entities < 0 || o.Entities > 0 && (!model || o.Entities > o.Questions):
		return cli.Usagef("--entities wants --engine ollama, and no more of them than --questions")
	case model && (o.Latency < 0 || o.Parallel < 1):
		return cli.Usagef("--sim-latency is at least 0, --sim-parallel at least 1")
	}
	return o.validateFlood()
}

func (o *Options) validateFlood() error {
	f := &o.Flood
	if o.Tenants != 0 && (o.Tenants < 4 || o.Tenants > admission.MaxTenants || f.Questions < 1 || f.Open < 1 || f.For < time.Second) {
		return cli.Usagef("--tenants is between 4 and %d, --flood and --tenant-open at least 1, --for at least a second", admission.MaxTenants)
	}
	return nil
}

// profiled runs fn under the CPU profile, where one was asked for.
func (o Options) profiled(fn func() error) error {
	if o.ProfileTo == "" {
		return fn()
	}
	f, err := os.Create(o.ProfileTo)
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

// Result is one profile's figures.
type Result struct {
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

func pipeline(ctx context.Context, a *cli.App, o Options) error {
	profiles := profiles
	if o.Profile != "all" {
		profiles = []string{o.Profile}
	}
	if o.Memory {
		return followMemory(ctx, a, o, profiles[0])
	}
	fmt.Fprintf(a.Err, "%s, %s, file storage, in-process server\n", cores(), runtime.Version())
	var results []Result
	for _, p := range profiles {
		r, err := measureProfile(ctx, a, o, p)
		if err != nil {
			return fmt.Errorf("profile %s: %w", p, err)
		}
		if o.JSON {
			if err := cli.WriteJSON(a.Out, r); err != nil {
				return err
			}
		}
		results = append(results, r)
	}
	if o.JSON {
		return nil
	}
	w := tabwriter.NewWriter(a.Out, 0, 4, 2, ' ', tabwriter.AlignRight)
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

// measureProfile alternates pipeline and ceiling.
func measureProfile(ctx context.Context, a *cli.App, o Options, profile string) (Result, error) {
	r := Result{Profile: profile, Questions: o.Questions}
	shape, latency, err := measureShape(ctx, a, profile, o)
	if err != nil {
		return r, err
	}
	for _, h := range shape {
		r.Messages += h.fan
		r.Bytes += h.fan * h.bytes
	}
	slices.Sort(latency)
	r.P50MS, r.P95MS, r.P99MS = score.Quantile(latency, .5), score.Quantile(latency, .95), score.Quantile(latency, .99)
	var ours, raws []pace
	var rawLatency []float64
	for range o.Rounds {
		if profile != "mix" { // whose questions have no one shape
			raw, lat, err := rawRound(ctx, a, shape, o)
			if err != nil {
				return r, fmt.Errorf("ceiling: %w", err)
			}
			raws, rawLatency = append(raws, raw), append(rawLatency, lat...)
		}
		our, err := pipelineRound(ctx, a, profile, o)
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
		r.RawP50MS = score.Quantile(rawLatency, .5)
	}
	return r, nil
}

// nullSession starts a pipeline that does nothing, on a fresh store.
func nullSession(ctx context.Context, a *cli.App) (*session.Session, error) {
	table, err := a.Config.Table("all")
	if err != nil {
		return nil, err
	}
	e := nullEngine()
	return session.OpenEmpty(ctx, a, node.Options{Table: table, Engine: e, Search: e})
}

// measureShape runs questions one at a time: it returns their latencies in
// milliseconds, and which messages a question consists of.
func measureShape(ctx context.Context, a *cli.App, profile string, o Options) (shape []hop, latency []float64, err error) {
	s, err := nullSession(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	follow, err := s.Follow(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	defer follow.Close()
	warm, counted := min(200, o.Questions), min(1000, 5*o.Questions)
	questions := nullQuestions(profile, warm+counted)
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
	shape, err = shapeOf(ctx, s, last[len(last)-4:])
	return shape, latency, err
}

// pipelineRound measures questions per second with many open.
func pipelineRound(ctx context.Context, a *cli.App, profile string, o Options) (p pace, err error) {
	s, err := nullSession(ctx, a)
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if _, err := askAll(ctx, s, nullQuestions(profile, min(500, o.Questions)), o.Window); err != nil {
		return p, err
	}
	questions := nullQuestions(profile, o.Questions)
	err = o.profiled(func() error {
		p, err = askAll(ctx, s, questions, o.Window)
		return err
	})
	return p, err
}

// askAll asks the questions and returns how many were answered per second.
func askAll(ctx context.Context, s *session.Session, questions []messages.Question, window int) (pace, error) {
	i, answered := 0, 0
	var bad error
	p, err := measure(len(questions), func() error {
		return s.Run(ctx, client.Bulk{Window: window,
			Answer: func(an *messages.Answer) {
				answered++
				if bad == nil && an.Status != messages.Answered && len(s.Node.Stores) == 0 {
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
