package telemetry

import (
	"context"
	"encoding/hex"
	"log/slog"

	"hopstream/stages/meter"
)

// LogHandler returns a handler that adds to each line the question that the line's
// context works for, and the ID of its trace, whether or not spans are made.
func LogHandler(next slog.Handler) slog.Handler { return questionHandler{next} }

type questionHandler struct{ slog.Handler }

// Handle adds question and trace_id.
func (h questionHandler) Handle(ctx context.Context, r slog.Record) error {
	m := meter.From(ctx)
	if id := m.Question(); id != "" {
		t := m.Trace()
		r.AddAttrs(slog.String("question", id), slog.String("trace_id", hex.EncodeToString(t[:])))
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs returns the handler with attributes.
func (h questionHandler) WithAttrs(a []slog.Attr) slog.Handler {
	return questionHandler{h.Handler.WithAttrs(a)}
}

// WithGroup returns the handler with a group.
func (h questionHandler) WithGroup(name string) slog.Handler {
	return questionHandler{h.Handler.WithGroup(name)}
}
