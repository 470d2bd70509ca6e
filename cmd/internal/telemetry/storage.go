package telemetry

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"hopstream/stages/log"
	"hopstream/stages/storage"
)

// StorageCollector asks the server, at each scrape, how much it stores.
type StorageCollector struct {
	log    *log.Log
	groups []storage.Group
	total  func(context.Context) (used, limit uint64, err error)
	logger *slog.Logger

	bytes, limit, messages, all, allLimit *prometheus.Desc
}

// NewStorageCollector returns a collector over groups of the streams of l. total
// returns what the server stores for this account, and may store; a limit of 0
// means that there is none, or that it is not told.
func NewStorageCollector(l *log.Log, groups []storage.Group, total func(context.Context) (used, limit uint64, err error), logger *slog.Logger) *StorageCollector {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, labels, nil)
	}
	return &StorageCollector{log: l, groups: groups, total: total, logger: logger,
		bytes:    desc("hopstream_storage_bytes", "Bytes stored: of open questions, of the traces of all questions, of answers, dead letters and documents.", "stream"),
		limit:    desc("hopstream_storage_limit_bytes", "Bytes to which what is stored is trimmed; 0: it is not.", "stream"),
		messages: desc("hopstream_storage_messages", "Messages stored.", "stream"),
		all:      desc("hopstream_jetstream_bytes", "Bytes that JetStream stores for this account, whatever they are."),
		allLimit: desc("hopstream_jetstream_limit_bytes", "Bytes that JetStream may store for this account; 0: as many as the server has, which it does not tell."),
	}
}

// Describe names the figures.
func (c *StorageCollector) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{c.bytes, c.limit, c.messages, c.all, c.allLimit} {
		ch <- d
	}
}

// Collect reads the figures. What cannot be read within two seconds is left
// out of this scrape, and all of it while there is no server.
func (c *StorageCollector) Collect(ch chan<- prometheus.Metric) {
	if !c.log.JetStream().Conn().IsConnected() { // else every request waits in vain
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	gauge := func(d *prometheus.Desc, v uint64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(v), labels...)
	}
	for _, g := range c.groups {
		u, err := storage.Read(ctx, c.log, g)
		if err != nil {
			c.logger.Debug("what is stored cannot be read", "stream", g.Name, "error", err)
			continue
		}
		gauge(c.bytes, u.Bytes, g.Name)
		gauge(c.limit, g.Bound.Bytes, g.Name)
		gauge(c.messages, u.Messages, g.Name)
	}
	used, limit, err := c.total(ctx)
	if err != nil {
		c.logger.Debug("what JetStream stores cannot be read", "error", err)
		return
	}
	gauge(c.all, used)
	gauge(c.allLimit, limit)
}
