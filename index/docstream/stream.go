package docstream

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/index/durable"
	"hopstream/messages"
	"hopstream/messages/fault"
)

// Config describes the stream that holds the corpus: one message per
// document, the last one wins, kept until it is replaced. Where the operator
// sets a limit, a full stream refuses documents instead of dropping old ones.
func Config(names messages.Names) jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name:              names.Stream(messages.KindDocument),
		Description:       "hopstream: the corpus, one message per document",
		Subjects:          []string{names.Filter(messages.KindDocument)},
		Retention:         jetstream.LimitsPolicy,
		Storage:           jetstream.FileStorage,
		Compression:       jetstream.S2Compression,
		MaxMsgsPerSubject: 1,
		Discard:           jetstream.DiscardNew,
		AllowDirect:       true,
	}
}

// Ensure returns the document stream, which it creates from cfg (see
// Config) if there is none, so that it is there after the server's
// next start too (see package durable). Of an existing one it raises or lowers
// what cfg sets explicitly (replicas, bytes), and leaves the rest to the
// operator. It fails, permanently, on a stream that cannot hold documents. log
// is told of a stream that the server had lost sight of; nil means that nobody
// is. Such a stream counts as another one than before: what was read from it
// is read again.
func Ensure(ctx context.Context, js jetstream.JetStream, names messages.Names, cfg jetstream.StreamConfig, log *slog.Logger) (jetstream.Stream, error) {
	stream, err := durable.StreamAsItIs(ctx, js, cfg, log)
	if err != nil {
		return nil, fmt.Errorf("document stream %s: %w", cfg.Name, explain(err))
	}
	have := stream.CachedInfo().Config
	switch filter := names.Filter(messages.KindDocument); {
	case !slices.Contains(have.Subjects, filter):
		return nil, fault.Permanentf("stream %s takes %s instead of %s: delete it, or choose another prefix", cfg.Name, strings.Join(have.Subjects, ", "), filter)
	case have.MaxMsgsPerSubject != 1 || have.Retention != jetstream.LimitsPolicy:
		return nil, fault.Permanentf("stream %s does not keep one message per document (max-msgs-per-subject %d, retention %s): delete it, and it is made anew", cfg.Name, have.MaxMsgsPerSubject, have.Retention)
	}
	want := have
	if cfg.Replicas > 0 {
		want.Replicas = cfg.Replicas
	}
	if cfg.MaxBytes != 0 {
		want.MaxBytes = cfg.MaxBytes
	}
	if want.Replicas == have.Replicas && want.MaxBytes == have.MaxBytes {
		return stream, nil
	}
	if stream, err = js.UpdateStream(ctx, want); err != nil {
		return nil, fmt.Errorf("document stream %s: %w", cfg.Name, explain(err))
	}
	return stream, nil
}

// ID tells a stream from one of the same name made later; it is the
// Stream of a Position in it.
func ID(info *jetstream.StreamInfo) string { return info.Created.UTC().Format(time.RFC3339Nano) }

// explain adds what to do to the errors of JetStream that users meet, and the
// class where it is known.
func explain(err error) error {
	var api *jetstream.APIError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return fault.AsPermanent(fmt.Errorf("%w: start the NATS server with JetStream (nats-server -js)", err))
	case errors.Is(err, nats.ErrConnectionClosed):
		return fault.AsPermanent(err)
	case errors.Is(err, nats.ErrMaxPayload):
		return fault.AsPermanent(fmt.Errorf("%w: raise max_payload of the NATS server, or split the document", err))
	case errors.As(err, &api) && full(api):
		return fault.RetryAfter(fmt.Errorf("%w: %w", ErrFull, err), 10*time.Second)
	case errors.As(err, &api) && (api.Code == 400 || api.Code == 403):
		return fault.AsPermanent(err)
	}
	return err
}

// ErrFull says that the document stream, or the disk below it, takes no
// more. What was stored before stays; storing may go on when there is room.
var ErrFull = errors.New("the document stream is full: raise its byte limit (or the server's max_file_store), or free disk space")

// full reports whether the server has no room left.
func full(api *jetstream.APIError) bool {
	switch api.ErrorCode {
	case 10023, 10028, 10047: // insufficient resources, memory, storage
		return true
	case 10077: // stream store failed: the description says of what
		d := strings.ToLower(api.Description)
		return strings.Contains(d, "maximum") || strings.Contains(d, "no space")
	}
	return false
}
