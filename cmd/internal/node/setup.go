package node

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"hopstream/cmd/internal/archive"
	"hopstream/cmd/internal/broker"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/telemetry"
	"hopstream/index/docstream"
	"hopstream/stages/log"
	"hopstream/stages/pause"
	"hopstream/stages/replies"
	"hopstream/stages/runner"
	"hopstream/stages/work"
)

// Setup makes everything that the pipeline keeps on the server, as cfg says: the
// streams, every stage's consumer, and the buckets. What is there as it should be
// is left alone. Workers with the same configuration then need no permission to
// make anything. It fails where the server refuses or is away, with what could not
// be made.
func Setup(ctx context.Context, cfg config.Config, logger *slog.Logger, l *broker.Conn) error {
	n := &Node{cfg: cfg, logger: logger, Conn: l, Log: log.New(l.JS, l.Names)}
	defer n.Log.Close()
	table, err := cfg.Table("")
	if err != nil {
		return err
	}
	if err := runner.New(n.Log, n.runnerOptions()).Prepare(ctx, table); err != nil {
		return err
	}
	if _, err := docstream.Ensure(ctx, l.JS, l.Names, DocumentStream(cfg, l.Names), logger); err != nil {
		return err
	}
	streams := LogConfig(cfg, logger)
	if err := errors.Join(pause.New(n.Log, streams).Ensure(ctx), n.Log.Tenants(streams).Ensure(ctx)); err != nil {
		return err
	}
	if cfg.Archive.Dir != "" {
		if err := archive.EnsureBucket(ctx, n.Log, streams, logger); err != nil {
			return err
		}
	}
	if most := n.mostReplies(); most > 0 {
		if err := replies.New(l.JS, l.Names, streams, most).Ensure(ctx); err != nil {
			return err
		}
	}
	if cfg.SharesWork() {
		if err := work.New(n.Log, streams, cfg.Answering()+telemetry.Version(), time.Now).Ensure(ctx); err != nil {
			return err
		}
	}
	if cfg.Index.Store != config.StoreWeaviate {
		return nil
	}
	if err := docstream.EnsureLeases(ctx, l.JS, l.Names, docstream.LeaseOptions{Replicas: cfg.NATS.Replicas}); err != nil {
		return fmt.Errorf("bucket of leases: %w", err)
	}
	return nil
}
