package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"text/tabwriter"
	"time"

	"hopstream/cmd/hoplab/score"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/session"
	"hopstream/stages/admission"
	"hopstream/stages/log"
)

// FloodOptions say what tenants ask.
type FloodOptions struct {
	Questions int           // of the one that floods
	Open      int           // of each of the others at a time
	For       time.Duration // how long is measured
}

// TenantsRow is what tenants got in one run.
type TenantsRow struct {
	Run   string  `json:"run"`
	QPS   float64 `json:"questions_per_second"` // of all
	CPUUS float64 `json:"cpu_us_per_question"`
	P50MS float64 `json:"others_p50_ms"` // of all tenants but the one that floods
	P95MS float64 `json:"others_p95_ms"`
}

// TenantsResult is what tenants get of the pipeline.
type TenantsResult struct {
	Tenants  int          `json:"tenants"`
	Flood    int          `json:"flood"`
	Open     int          `json:"open_each"`
	Rows     []TenantsRow `json:"runs"`
	P95Ratio float64      `json:"others_p95_ratio"` // with the flood, to that without
	// RateRatio is that of a backlog of everybody's questions with fair shares to that
	// with first come, first served: the median of RateRatios, a pair of runs each.
	RateRatio  float64   `json:"rate_ratio"`
	RateRatios []float64 `json:"rate_ratios"`
	// Shares are the parts of the answers that tenants of weights 1, 2 and 4 got, and
	// Deviation by how much the worst of them differs from its weight's, of that.
	Shares    [3]float64 `json:"shares"`
	Deviation float64    `json:"worst_share_deviation"`
}

// measureTenants measures what tenants get, each run over a store of its own.
func measureTenants(ctx context.Context, a *cli.App, o Options) error {
	if o.Profile == "all" {
		o.Profile = "mix"
	}
	r := TenantsResult{Tenants: o.Tenants, Flood: o.Flood.Questions, Open: o.Flood.Open}
	for _, run := range []struct {
		name  string
		flood int
		fair  bool
	}{{"without the flood", 0, true}, {"with it", o.Flood.Questions, true}, {"with it, first come first served", o.Flood.Questions, false}} {
		row, err := o.flooded(ctx, a, run.flood, run.fair)
		if err != nil {
			return fmt.Errorf("%s: %w", run.name, err)
		}
		row.Run = run.name
		fmt.Fprintf(a.Err, "%s: %.0f/s, %.0f µs\n", run.name, row.QPS, row.CPUUS)
		r.Rows = append(r.Rows, row)
	}
	r.P95Ratio = r.Rows[1].P95MS / r.Rows[0].P95MS
	var err error
	if r.RateRatios, err = o.rates(ctx, a); err != nil {
		return fmt.Errorf("a backlog: %w", err)
	}
	r.RateRatio = score.Quantile(slices.Sorted(slices.Values(r.RateRatios)), .5)
	if r.Shares, err = o.weighted(ctx, a); err != nil {
		return fmt.Errorf("weights: %w", err)
	}
	for i, w := range weights {
		r.Deviation = max(r.Deviation, math.Abs(r.Shares[i]*weightSum/w-1))
	}
	if o.JSON {
		return cli.WriteJSON(a.Out, r)
	}
	return r.print(a)
}

// floodSession is nullSession with room for a flood.
func (o Options) floodSession(ctx context.Context, a *cli.App, flood int, fair bool) (*session.Session, error) {
	b := *a
	b.Config.Admission.Fair = fair
	b.Config.Pipeline.MaxOpen = max(b.Config.Pipeline.MaxOpen, int64(flood+o.Tenants*o.Flood.Open+1000))
	return nullSession(ctx, &b)
}

// flooded measures the other tenants while one has stored so many questions.
func (o Options) flooded(ctx context.Context, a *cli.App, flood int, fair bool) (row TenantsRow, err error) {
	s, err := o.floodSession(ctx, a, flood, fair)
	if err != nil {
		return row, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	l, err := newLoad(ctx, s, o.Profile)
	if err != nil {
		return row, err
	}
	defer l.close()
	if flood > 0 {
		if err := l.store(ctx, flood, "flood"); err != nil {
			return row, err
		}
	}
	before, started, cpu := sum(l.counts()), time.Now(), cpuMS()
	var latency []float64
	if flood == 0 || !fair {
		o.ProfileTo = ""
	}
	if err := o.profiled(func() error {
		latency, err = l.loop(ctx, o.others(), o.Flood.Open, o.Flood.For)
		return err
	}); err != nil {
		return row, err
	}
	ended := float64(sum(l.counts()) - before)
	row.QPS, row.CPUUS = ended/time.Since(started).Seconds(), (cpuMS()-cpu)*1000/ended
	row.P50MS, row.P95MS = spread(latency)
	if left := flood - l.counts()["flood"]; flood > 0 && left <= 0 {
		return row, fmt.Errorf("the flood of %d questions was over before the end: measure for less than %v, or with more", flood, o.Flood.For)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return row, l.failed
}

// rates measures, in pairs of runs, how fast a backlog is worked on with fair shares
// and without. Nobody asks meanwhile: a run in which others are answered at once
// would have to take their next questions too.
func (o Options) rates(ctx context.Context, a *cli.App) (ratios []float64, err error) {
	for i := range o.Rounds {
		rate := map[bool]float64{}
		for k := range 2 {
			fair := (i+k)%2 == 0 // each comes first in turn
			if rate[fair], err = o.backlog(ctx, a, fair); err != nil {
				return nil, err
			}
		}
		fmt.Fprintf(a.Err, "a backlog: %.0f/s, %.0f/s first come, first served\n", rate[true], rate[false])
		ratios = append(ratios, rate[true]/rate[false])
	}
	return ratios, nil
}

// backlog measures how many questions a second are answered while a flood and
// questions of everybody else wait.
func (o Options) backlog(ctx context.Context, a *cli.App, fair bool) (rate float64, err error) {
	each := o.Flood.Questions / o.Tenants / 4
	s, err := o.floodSession(ctx, a, o.Flood.Questions+o.Tenants*each, fair)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	l, err := newLoad(ctx, s, o.Profile)
	if err != nil {
		return 0, err
	}
	defer l.close()
	if err := l.store(ctx, o.Flood.Questions, "flood"); err != nil {
		return 0, err
	}
	if err := l.store(ctx, each, o.others()...); err != nil {
		return 0, err
	}
	started, before := time.Now(), sum(l.counts())
	after, err := l.counted(ctx, o.Flood.For, o.Flood.Questions)
	return float64(sum(after)-before) / time.Since(started).Seconds(), err
}

// others are the tenants that do not flood.
func (o Options) others() (names []string) {
	for i := range o.Tenants - 1 {
		names = append(names, fmt.Sprintf("t%d", i))
	}
	return names
}

func sum(counts map[string]int) (n int) {
	for _, k := range counts {
		n += k
	}
	return n
}

// The weights of the tenants that flood the pipeline together.
var weights = [3]float64{1, 2, 4}

const weightSum = 7

// settled is how long it takes until every router has read what was set.
const settled = 1500 * time.Millisecond

// weighted returns the parts of the answers that tenants of different weights get
// while all of them have more questions than are answered. It ends early where one
// has few left.
func (o Options) weighted(ctx context.Context, a *cli.App) (shares [3]float64, err error) {
	each := max(1, o.Flood.Questions/3)
	s, err := o.floodSession(ctx, a, 3*each, true)
	if err != nil {
		return shares, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	var names []string
	for i, w := range weights {
		names = append(names, fmt.Sprintf("w%d", i))
		if _, err := s.Log.Tenants(log.Config{}).Change(ctx, names[i], func(t *admission.Tenant) { t.Weight = w }); err != nil {
			return shares, err
		}
	}
	l, err := newLoad(ctx, s, o.Profile)
	if err != nil {
		return shares, err
	}
	defer l.close()
	if _, err := l.counted(ctx, settled, 1); err != nil {
		return shares, err
	}
	if err := l.store(ctx, each, names...); err != nil {
		return shares, err
	}
	before := l.counts()
	after, err := l.counted(ctx, o.Flood.For, 3*each/4)
	if err != nil {
		return shares, err
	}
	all := 0.0
	for i, name := range names {
		if after[name] >= each {
			return shares, fmt.Errorf("%s had no question left before the end: measure for less than %v, or with more", name, o.Flood.For)
		}
		shares[i] = float64(after[name] - before[name])
		all += shares[i]
	}
	for i := range shares {
		shares[i] /= all
	}
	return shares, nil
}

func (r *TenantsResult) print(a *cli.App) error {
	w := tabwriter.NewWriter(a.Out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "run\tquestions/s\tcpu µs\tothers p50 ms\tp95 ms\t")
	for _, row := range r.Rows {
		fmt.Fprintf(w, "%s\t%.0f\t%.0f\t%.1f\t%.1f\t\n", row.Run, row.QPS, row.CPUUS, row.P50MS, row.P95MS)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(a.Out, "%s, %d tenants, a flood of %d: the others' p95 is %.2f times that without it; a backlog goes at %.0f %% of first come, first served; weights 1, 2, 4 get %.1f, %.1f and %.1f %% (%.1f %% off)\n",
		cores(), r.Tenants, r.Flood, r.P95Ratio, 100*r.RateRatio, 100*r.Shares[0], 100*r.Shares[1], 100*r.Shares[2], 100*r.Deviation)
	return err
}
