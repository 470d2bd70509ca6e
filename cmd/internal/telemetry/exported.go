package telemetry

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
)

// said is an exporter whose failures are logged, once a minute at most: the SDK
// would tell a handler of the whole process.
type said struct {
	sdk.SpanExporter
	logger *slog.Logger
	last   *lastSaid
}

// lastSaid is the minute in which something was last logged.
type lastSaid struct{ atomic.Int64 }

// ExportSpans exports spans. It never fails: those that cannot be exported are
// dropped.
func (e said) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	err := e.SpanExporter.ExportSpans(ctx, spans)
	if err == nil {
		return nil
	}
	if now := time.Now().Unix()/60 + 1; e.last.Swap(now) != now {
		e.logger.Warn("spans cannot be exported, and are dropped", "spans", len(spans), "error", err)
	}
	return nil
}
