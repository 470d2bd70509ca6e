package archive

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"hopstream/stages/bucket"
	"hopstream/stages/client"
	"hopstream/stages/log"
)

// Schedule exports now and then. Of several processes with a schedule, whatever
// their folders, one exports: the others take over when it is gone.
type Schedule struct {
	log     *log.Log
	opts    ScheduleOptions
	holder  holder
	metrics *metrics
}

// ScheduleOptions adjust a schedule.
type ScheduleOptions struct {
	Dir     string
	Every   time.Duration
	Traces  bool
	Gzip    bool
	Streams log.Config // how the bucket is kept
	Metrics prometheus.Registerer
	Logger  *slog.Logger
	Now     func() time.Time
}

// NewSchedule returns the schedule of exports of the log l.
func NewSchedule(l *log.Log, o ScheduleOptions) *Schedule {
	return &Schedule{log: l, opts: o, metrics: newMetrics(o.Metrics), holder: holder{
		bucket: archiveBucket(l, o.Streams, o.Logger), name: client.NewID(), now: o.Now,
	}}
}

// metrics are the archive's figures.
type metrics struct {
	answers prometheus.Counter
	success prometheus.Gauge
}

func newMetrics(reg prometheus.Registerer) *metrics {
	m := &metrics{
		answers: prometheus.NewCounter(prometheus.CounterOpts{Name: "hopstream_archive_answers_total",
			Help: "Answers that this process has archived."}),
		success: prometheus.NewGauge(prometheus.GaugeOpts{Name: "hopstream_archive_last_success_timestamp_seconds",
			Help: "When every answer was archived last, by whichever process; at first, when this process started."}),
	}
	if reg != nil {
		reg.MustRegister(m.answers, m.success)
	}
	return m
}

// Run exports at once and then every so often, until ctx ends. What fails is logged
// and tried again the next time.
func (s *Schedule) Run(ctx context.Context) error {
	s.metrics.success.Set(float64(s.opts.Now().Unix()))
	tick := time.NewTicker(s.opts.Every)
	defer tick.Stop()
	for {
		if err := s.once(ctx); err != nil && ctx.Err() == nil {
			s.opts.Logger.Error("answers cannot be archived; trying again", "error", err, "after", s.opts.Every)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// patience is how long a process that archives may be silent.
func (s *Schedule) patience() time.Duration { return 2*s.opts.Every + time.Minute }

// once exports what there is, unless another process does.
func (s *Schedule) once(ctx context.Context) (err error) {
	ours, err := s.holder.take(ctx, s.patience())
	if err != nil {
		return err
	}
	if !ours {
		if at := s.holder.has.At; !at.IsZero() {
			s.metrics.success.Set(float64(at.Unix()))
		}
		return nil
	}
	folder, err := OpenFolder(s.opts.Dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	begun := s.opts.Now()
	done, err := Export(ctx, s.log, folder, Options{After: s.holder.has.Last, Traces: s.opts.Traces, Gzip: s.opts.Gzip,
		Placed: func(n int, last uint64) error {
			s.metrics.answers.Add(float64(n))
			return s.tell(ctx, func(e *entry) { e.Last = last })
		}})
	if err != nil {
		return err
	}
	if done.Answers > 0 {
		s.opts.Logger.Info("answers archived", "answers", done.Answers, "files", done.Files, "folder", s.opts.Dir)
	}
	s.metrics.success.Set(float64(begun.Unix()))
	// The folder may go further than the entry, after a process was killed.
	return s.tell(ctx, func(e *entry) { e.Last, e.At = done.Last, begun })
}

func (s *Schedule) tell(ctx context.Context, change func(*entry)) error {
	err := s.holder.write(ctx, s.patience(), change)
	if errors.Is(err, bucket.ErrConflict) {
		return fmt.Errorf("archive: another process has taken over: %w", err)
	}
	return err
}

// Archived returns the sequence of the last answer that a schedule has archived,
// in whatever process. It fails as the bucket does.
func Archived(l *log.Log, c log.Config, logger *slog.Logger) func(context.Context) (uint64, error) {
	b := archiveBucket(l, c, logger)
	return func(ctx context.Context) (uint64, error) {
		h := holder{bucket: b}
		err := h.read(ctx)
		return h.has.Last, err
	}
}
