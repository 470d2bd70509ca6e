package bench

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"hopstream/cmd/hoplab/sim"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/session"
	"hopstream/messages"
	"hopstream/stages/client"
	"hopstream/stages/engine/roles"
)

// SpeedOptions say for which models the presets are measured.
type SpeedOptions struct {
	Presets  []string
	Calls    []time.Duration // a model's times per call
	Parallel []int           // calls that its server works on at once
	Deadline time.Duration   // of a question
	// Scale divides the time of a call and all that is measured against it; 0 makes
	// every call a tenth of a second, so that what the pipeline itself takes on a
	// small machine stays little beside it.
	Scale float64
}

// SpeedDefaults are the presets, all of them, and models of today: a small one on
// a graphics card, a large one, and one without any.
func SpeedDefaults() SpeedOptions {
	return SpeedOptions{
		Presets:  append([]string{config.DefaultPreset}, slices.DeleteFunc(config.Presets(), func(p string) bool { return p == config.DefaultPreset })...),
		Calls:    []time.Duration{200 * time.Millisecond, 1500 * time.Millisecond, 6 * time.Second},
		Parallel: []int{1, 4, 16}, Deadline: 5 * time.Minute,
	}
}

// SpeedPassages are how many passages are generated unless told: each preset
// indexes them anew.
const SpeedPassages = 600

const (
	// openPerSlot is how many questions are open for each of the server's slots, so
	// that one is always ready to be worked on while others are between their calls.
	openPerSlot = 3
	// windows is how many questions are asked, in times those that are open at once:
	// the first are for warming up, the last find the server emptier.
	windows = 4
	// scaledCall is a call's time unless the scale is given.
	scaledCall = 100 * time.Millisecond
	// vectorsPerCall is how many requests for vectors take as long as one reply.
	vectorsPerCall = 100
)

// Speed is how a preset does with a model.
type Speed struct {
	Preset    string                  `json:"preset"`
	Call      time.Duration           `json:"call_ns"`
	Parallel  int                     `json:"parallel"`
	Scale     float64                 `json:"scale"`
	Open      int                     `json:"open"` // questions at once
	Questions int                     `json:"questions"`
	Statuses  map[messages.Status]int `json:"statuses"`
	// Latest is when the last answer of any question came, as a share of its time.
	Latest float64 `json:"latest_end"`
	Calls  float64 `json:"model_calls"` // on average
	Most   int     `json:"model_calls_max"`
	// Bound is what the paper allows the question that took most; Over counts
	// those that took more than it allows them.
	Bound       int     `json:"model_calls_bound"`
	Over        int     `json:"over_bound"`
	Utilisation float64 `json:"server_utilisation"`
	Prefix      float64 `json:"prefix_share"`
}

// Ended is how many questions ended in one of the statuses.
func (r *Speed) Ended(statuses ...messages.Status) (n int) {
	for _, s := range statuses {
		n += r.Statuses[s]
	}
	return n
}

// measureSpeed measures every preset with every model.
func measureSpeed(ctx context.Context, a *cli.App, o Options) error {
	docs, questions, cleanup, err := o.material()
	if err != nil {
		return err
	}
	defer cleanup()
	t := newSpeedTable(a, o)
	for _, preset := range o.Speed.Presets {
		for _, call := range o.Speed.Calls {
			for _, parallel := range o.Speed.Parallel {
				r, err := o.cell(ctx, a, docs, questions, Speed{Preset: preset, Call: call, Parallel: parallel})
				if err != nil {
					return fmt.Errorf("%s with %v a call, %d at once: %w", preset, call, parallel, err)
				}
				if err := t.row(r); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// cell measures one preset with one model, over a store of its own.
func (o Options) cell(ctx context.Context, a *cli.App, docs, questions []string, r Speed) (_ Speed, err error) {
	r.Scale, r.Open = o.Speed.Scale, openPerSlot*r.Parallel
	if r.Scale <= 0 {
		r.Scale = max(1, float64(r.Call)/float64(scaledCall))
	}
	scaled := func(d time.Duration) time.Duration { return time.Duration(float64(d) / r.Scale) }
	o.Latency, o.Parallel = scaled(r.Call), r.Parallel
	model, err := simulateServer(o)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, model.close()) }()
	o.Latency, o.Parallel = o.Latency/vectorsPerCall, 16
	embedder, err := simulateServer(o)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, embedder.close()) }()

	one, err := a.Preset(r.Preset)
	if err != nil {
		return r, err
	}
	one.Config.NATS.URL = ""
	one.Config.Retriever.Timeout = scaled(one.Config.Retriever.Timeout)
	one.Config.Models = maps.Clone(one.Config.Models)
	served := func(name, url string, parallel int) {
		m := one.Config.Models[name]
		m.URL, m.Concurrency = url, parallel
		m.Timeout = max(time.Second, scaled(one.Config.Models[config.DefaultModel].Timeout))
		if m.Name == "" {
			m.Name = "vectors"
		}
		one.Config.Models[name] = m
	}
	served(config.DefaultModel, model.url, r.Parallel)
	served(string(roles.Embedder), embedder.url, 16)
	s, err := session.Open(ctx, one, session.Options{Docs: docs})
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	asked := o.pick(questions, min(windows*r.Open, o.Questions))
	for i := range asked {
		asked[i].Deadline = messages.Deadline{After: scaled(o.Speed.Deadline)}
	}
	return r, r.load(ctx, s, asked, model)
}

// load asks the questions, r.Open at once, and looks at the server from when as
// many were answered until the last was asked.
func (r *Speed) load(ctx context.Context, s *session.Session, asked []messages.Question, model *simulated) error {
	way := published()[r.Preset]
	r.Statuses = map[messages.Status]int{}
	var from, to sim.Stats
	var bad error
	next, all := 0, 0
	err := s.Run(ctx, client.Bulk{Window: r.Open,
		Answer: func(an *messages.Answer) {
			r.Questions++
			r.Statuses[an.Status]++
			r.Latest = max(r.Latest, an.LatencyMS/float64(asked[0].Deadline.After.Milliseconds()))
			n, bound := an.Usage.ModelCalls, way.bound(an)
			all += n
			if n > r.Most {
				r.Most, r.Bound = n, bound
			}
			if n > bound {
				r.Over++
			}
			switch r.Questions {
			case min(r.Open, len(asked)/3):
				from = model.stats(ctx)
			case len(asked) - r.Open:
				to = model.stats(ctx)
			}
		},
		Reject: func(_ *messages.Question, err error) { bad = err },
	}, func() (*messages.Question, bool) {
		if next == len(asked) {
			return nil, false
		}
		next++
		return &asked[next-1], true
	})
	r.Calls = float64(all) / float64(max(1, r.Questions))
	if w := to.Window - from.Window; w > 0 {
		r.Utilisation = float64(to.Busy-from.Busy) / float64(w) / float64(to.Parallel)
	}
	r.Prefix = to.PrefixShare
	return errors.Join(err, bad)
}

// speedTable prints what is measured, row by row: a table takes a quarter of an hour.
type speedTable struct {
	app *cli.App
	o   Options
}

func newSpeedTable(a *cli.App, o Options) *speedTable {
	if !o.JSON {
		fmt.Fprintf(a.Out, "Questions have %v. Times are divided by %s. For each of the server's slots %d questions are open; %d times as many are asked, of which the first warm up. A request for vectors takes a %dth of a call.\n\n",
			o.Speed.Deadline, o.Speed.scale(), openPerSlot, windows, vectorsPerCall)
		fmt.Fprintln(a.Out, "| preset | call | parallel | questions | answered | partial | unanswered | other | latest end | calls | most (paper's bound) | over | slots busy | prefix known |")
		fmt.Fprintln(a.Out, "|---"+strings.Repeat("|---", 13)+"|")
	}
	return &speedTable{a, o}
}

func (o *SpeedOptions) scale() string {
	if o.Scale > 0 {
		return fmt.Sprintf("%g", o.Scale)
	}
	return fmt.Sprintf("as much as makes a call one of %v", scaledCall)
}

func (t *speedTable) row(r Speed) error {
	if t.o.JSON {
		return cli.WriteJSON(t.app.Out, r)
	}
	known := r.Ended(messages.Answered, messages.Partial, messages.Unanswered)
	_, err := fmt.Fprintf(t.app.Out, "| %s | %v | %d | %d | %d | %d | %d | %d | %.0f %% | %.1f | %d (%d) | %d | %.1f %% | %.0f %% |\n",
		r.Preset, r.Call, r.Parallel, r.Questions, r.Statuses[messages.Answered], r.Statuses[messages.Partial], r.Statuses[messages.Unanswered], r.Questions-known,
		100*r.Latest, r.Calls, r.Most, r.Bound, r.Over, 100*r.Utilisation, 100*r.Prefix)
	return err
}

func (o *SpeedOptions) validate(engine string) error {
	if engine != config.EngineOllama {
		return cli.Usagef("--speed measures with a model: add --engine ollama (it is simulated)")
	}
	known := config.Presets()
	for _, p := range o.Presets {
		if !slices.Contains(known, p) {
			return cli.Usagef("--speed-presets: there is no preset %q: choose from %v", p, known)
		}
	}
	for _, d := range o.Calls {
		if d <= 0 {
			return cli.Usagef("--speed-calls: %v is no time that a call takes", d)
		}
	}
	for _, n := range o.Parallel {
		if n < 1 {
			return cli.Usagef("--speed-parallel: %d calls at once: at least 1", n)
		}
	}
	if o.Deadline < time.Second || o.Scale < 0 {
		return cli.Usagef("--speed-deadline is at least a second, --speed-scale more than 0 (or 0: as the call needs it)")
	}
	return nil
}
