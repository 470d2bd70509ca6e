package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"hopstream/cmd/hoplab/score"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
)

// TraceResult is what tracing costs: the pipeline without it and with it, in turn.
type TraceResult struct {
	Profile   string  `json:"profile"`
	Questions int     `json:"questions"`
	Pairs     int     `json:"pairs"`
	Sample    float64 `json:"sample"`
	Off       float64 `json:"questions_per_second_off"`
	On        float64 `json:"questions_per_second_on"`
	// Ratio and CPURatio are the medians of the pairs' own: of the questions per
	// second, and of the processor's time for a question.
	Ratio    float64 `json:"ratio"`
	CPURatio float64 `json:"cpu_ratio"`
	Lowest   float64 `json:"ratio_lowest"`
	Highest  float64 `json:"ratio_highest"`
	Bytes    int64   `json:"bytes_exported"`
}

// measureTracing runs rounds with and without tracing in turn, each pair the other
// way round than the one before. The receiver, in the same process, reads what it is
// sent and throws it away.
func measureTracing(ctx context.Context, a *cli.App, o Options) (err error) {
	sink, err := newSink()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sink.close()) }()
	r := TraceResult{Profile: o.Profile, Questions: o.Questions, Pairs: o.Rounds, Sample: a.Config.Tracing.Sample}
	if r.Profile == "all" {
		r.Profile = "mix"
	}
	off, on := *a, *a
	off.Config.Tracing = config.TracingConfig{}
	on.Config.Tracing = config.TracingConfig{Endpoint: sink.url, Sample: r.Sample}
	var offs, ons []pace
	var ratios, cpus []float64
	for n := range o.Rounds {
		var pair [2]pace // off, on
		for k := range pair {
			i := (n + k) % 2
			if pair[i], err = pipelineRound(ctx, []*cli.App{&off, &on}[i], r.Profile, o); err != nil {
				return err
			}
		}
		offs, ons = append(offs, pair[0]), append(ons, pair[1])
		ratios, cpus = append(ratios, pair[1].qps/pair[0].qps), append(cpus, pair[1].cpuUS/pair[0].cpuUS)
	}
	slices.Sort(ratios)
	slices.Sort(cpus)
	r.Off, r.On, r.Bytes = median(offs).qps, median(ons).qps, sink.bytes.Load()
	r.Ratio, r.CPURatio = score.Quantile(ratios, .5), score.Quantile(cpus, .5)
	r.Lowest, r.Highest = ratios[0], ratios[len(ratios)-1]
	if o.JSON {
		return cli.WriteJSON(a.Out, r)
	}
	return r.print(a)
}

func (r *TraceResult) print(a *cli.App) error {
	w := tabwriter.NewWriter(a.Out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "profile\tpairs\tsampled\tquestions/s off\ton\tratio\tlowest\thighest\tcpu ratio\tkB exported\t")
	fmt.Fprintf(w, "%s\t%d\t%.0f %%\t%.0f\t%.0f\t%.1f %%\t%.1f %%\t%.1f %%\t%.1f %%\t%d\t\n", r.Profile, r.Pairs, 100*r.Sample, r.Off, r.On,
		100*r.Ratio, 100*r.Lowest, 100*r.Highest, 100*r.CPURatio, r.Bytes/1000)
	return w.Flush()
}

// sink is an OTLP receiver that keeps nothing.
type sink struct {
	url    string
	bytes  atomic.Int64
	server *http.Server
	ended  chan error
}

func newSink() (*sink, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &sink{url: "http://" + l.Addr().String(), ended: make(chan error, 1)}
	s.server = &http.Server{ReadHeaderTimeout: 5 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, err := io.Copy(io.Discard, r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		s.bytes.Add(n)
	})}
	go func() { s.ended <- s.server.Serve(l) }() // ends with close
	return s, nil
}

func (s *sink) close() error {
	err := s.server.Close()
	if served := <-s.ended; !errors.Is(served, http.ErrServerClosed) {
		err = errors.Join(err, served)
	}
	return err
}
