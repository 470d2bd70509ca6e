package main

import (
	"context"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"hopstream/stages"
)

func newRegistry() *prometheus.Registry {
	reg := prometheus.NewRegistry()
	reg.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	info := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "hopstream_build_info", Help: "Always 1; the labels tell the build.",
		ConstLabels: prometheus.Labels{"version": version()},
	})
	info.Set(1)
	reg.MustRegister(info)
	return reg
}

func version() string {
	if b, ok := debug.ReadBuildInfo(); ok && b.Main.Version != "" {
		return b.Main.Version
	}
	return "unknown"
}

// lagCollector asks the server, at each scrape, how far the stages and the
// index are behind.
type lagCollector struct {
	node  *node
	table []stages.Stage
	log   *slog.Logger

	lag, documents, passages, indexLag, indexReady *prometheus.Desc
}

func newLagCollector(n *node, table []stages.Stage, log *slog.Logger) *lagCollector {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, labels, nil)
	}
	return &lagCollector{node: n, table: table, log: log,
		lag:        desc("hopstream_stage_lag", "Messages a stage has yet to finish: not delivered, or delivered and not acked. Every process tells it of every stage, so that a stage without workers is seen too.", "stage"),
		documents:  desc("hopstream_index_documents", "Documents in this replica's index."),
		passages:   desc("hopstream_index_passages", "Passages in this replica's index."),
		indexLag:   desc("hopstream_index_lag", "Stored documents this replica's index has yet to take in."),
		indexReady: desc("hopstream_index_ready", "1 while this replica's index may be searched; 0 while it is loading, or does not follow the documents."),
	}
}

// Describe names the figures.
func (c *lagCollector) Describe(ch chan<- *prometheus.Desc) {
	ch <- c.lag
	if len(c.node.shelves) > 0 {
		ch <- c.documents
		ch <- c.passages
		ch <- c.indexLag
		ch <- c.indexReady
	}
}

// Collect reads the figures. What cannot be read within two seconds is left
// out of this scrape.
func (c *lagCollector) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	gauge := func(d *prometheus.Desc, v float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	for _, s := range c.table {
		lag, err := c.node.log.Lag(ctx, s)
		if err != nil {
			c.log.Debug("lag cannot be read", "stage", s.Name, "error", err)
			continue
		}
		gauge(c.lag, float64(lag.Total()), s.Name)
	}
	if len(c.node.shelves) == 0 {
		return
	}
	gauge(c.documents, float64(c.node.shelves[0].store.Documents()))
	gauge(c.passages, float64(c.node.shelves[0].store.Passages()))
	ready := 0.0
	if c.node.shelves.lacks(0) == "" {
		ready = 1
	}
	gauge(c.indexReady, ready)
	if lag, err := c.node.shelves.lag(ctx); err == nil {
		gauge(c.indexLag, float64(lag))
	}
}
