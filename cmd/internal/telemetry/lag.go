package telemetry

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"hopstream/stages"
	"hopstream/stages/log"
)

// LagCollector asks the server, at each scrape, how far the stages and the
// index are behind.
type LagCollector struct {
	log    *log.Log
	index  Index // nil where this process has no index
	table  []stages.Stage
	logger *slog.Logger

	lag, age, clock, down, documents, passages, indexLag, indexReady *prometheus.Desc
}

// Index are what the index of this process tells of itself.
type Index interface {
	Documents() int
	Passages() int
	// Lacks says what keeps it from holding every document up to seq, or nothing.
	Lacks(seq uint64) string
	// Lag is how many stored documents it has yet to take in.
	Lag(ctx context.Context) (uint64, error)
}

// NewLagCollector returns a collector over the streams of l and, unless it is
// nil, the index of this process.
func NewLagCollector(l *log.Log, index Index, table []stages.Stage, logger *slog.Logger) *LagCollector {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, labels, nil)
	}
	return &LagCollector{log: l, index: index, table: table, logger: logger,
		lag:        desc("hopstream_stage_lag", "Messages a stage has yet to finish: not delivered, or delivered and not acked. Every process tells it of every stage, so that a stage without workers is seen too.", "stage"),
		age:        desc("hopstream_stage_lag_age_seconds", "Time since the oldest message was stored that a stage has yet to finish, by the server's clock; 0 where nothing waits. Every process tells it of every stage.", "stage"),
		clock:      desc("hopstream_clock_offset_seconds", "This process's clock less the NATS server's; half a request's time is in it."),
		down:       desc("hopstream_nats_replicas_down", "Copies on NATS servers of a stage's queue that are away or behind, of the stage that lacks most; 0 on a single server."),
		documents:  desc("hopstream_index_documents", "Documents in this replica's index."),
		passages:   desc("hopstream_index_passages", "Passages in this replica's index."),
		indexLag:   desc("hopstream_index_lag", "Stored documents this replica's index has yet to take in."),
		indexReady: desc("hopstream_index_ready", "1 while this replica's index may be searched; 0 while it is loading, or does not follow the documents."),
	}
}

// Describe names the figures.
func (c *LagCollector) Describe(ch chan<- *prometheus.Desc) {
	ch <- c.lag
	ch <- c.age
	ch <- c.clock
	ch <- c.down
	if c.index != nil {
		ch <- c.documents
		ch <- c.passages
		ch <- c.indexLag
		ch <- c.indexReady
	}
}

// Collect reads the figures. What cannot be read within two seconds is left
// out of this scrape; and all that the server would be asked for, while there is
// none: a process that waits for it at each scrape looks as if it were down.
func (c *LagCollector) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	connected := c.log.JetStream().Conn().IsConnected() // else every request waits in vain
	if connected {
		c.collectStages(ctx, gauge)
	}
	if c.index != nil {
		c.collectIndex(gauge)
	}
	if c.index != nil && connected {
		if lag, err := c.index.Lag(ctx); err == nil {
			gauge(c.indexLag, float64(lag))
		}
	}
}

// collectStages reads the figures of the stages, and how far this process's
// clock is off, from the quickest of the server's replies.
func (c *LagCollector) collectStages(ctx context.Context, gauge func(d *prometheus.Desc, v float64, labels ...string)) {
	var offset, quickest time.Duration
	down := 0
	for _, s := range c.table {
		asked := time.Now()
		lag, err := c.log.Lag(ctx, s)
		if err != nil {
			c.logger.Debug("lag cannot be read", "stage", s.Name, "error", err)
			continue
		}
		if took := time.Since(asked); !lag.At().IsZero() && (quickest == 0 || took < quickest) {
			quickest, offset = took, asked.Add(took/2).Sub(lag.At())
		}
		down = max(down, lag.Down)
		gauge(c.lag, float64(lag.Total()), s.Name)
		if age, err := c.log.LagAge(ctx, s, lag); err == nil {
			gauge(c.age, age.Seconds(), s.Name)
		}
	}
	if quickest > 0 {
		gauge(c.clock, offset.Seconds())
		gauge(c.down, float64(down))
	}
}

// collectIndex reads the figures of this process's index that it knows by itself.
func (c *LagCollector) collectIndex(gauge func(d *prometheus.Desc, v float64, labels ...string)) {
	gauge(c.documents, float64(c.index.Documents()))
	gauge(c.passages, float64(c.index.Passages()))
	ready := 0.0
	if c.index.Lacks(0) == "" {
		ready = 1
	}
	gauge(c.indexReady, ready)
}
