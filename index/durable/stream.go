package durable

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"

	"github.com/nats-io/nats.go/jetstream"
)

// Stream returns the stream that cfg describes: made if there is none, and
// updated if it has another configuration. Metadata that others keep in it
// stays, and so does the number of its copies where cfg names none. log is told of a stream that comes back with messages in it; nil
// means that nobody is. It returns JetStream's errors, with what to do where
// the server cannot open the stream or does not change it into what cfg says.
func Stream(ctx context.Context, js jetstream.JetStream, cfg jetstream.StreamConfig, log *slog.Logger) (jetstream.Stream, error) {
	s, err := openStream(ctx, js, cfg, log)
	if err != nil {
		return nil, err
	}
	have := s.CachedInfo().Config
	// What is left to the server it fills in.
	cfg.MaxConsumers = cmp.Or(cfg.MaxConsumers, have.MaxConsumers)
	cfg.MaxMsgSize = cmp.Or(cfg.MaxMsgSize, have.MaxMsgSize)
	cfg.Replicas = cmp.Or(cfg.Replicas, have.Replicas)
	cfg.Metadata = marked(cfg.Metadata, have.Metadata)
	return updateStream(ctx, js, s, cfg)
}

// StreamAsItIs returns the stream of cfg's name with the configuration it has,
// and makes it from cfg if there is none. log and errors are as with Stream.
func StreamAsItIs(ctx context.Context, js jetstream.JetStream, cfg jetstream.StreamConfig, log *slog.Logger) (jetstream.Stream, error) {
	s, err := openStream(ctx, js, cfg, log)
	if err != nil {
		return nil, err
	}
	have := s.CachedInfo().Config
	have.Metadata = marked(have.Metadata)
	return updateStream(ctx, js, s, have)
}

// openStream returns the stream as it is. One that it makes has no mark yet.
func openStream(ctx context.Context, js jetstream.JetStream, cfg jetstream.StreamConfig, log *slog.Logger) (jetstream.Stream, error) {
	s, err := permitted(ctx, js, "$JS.API.STREAM.INFO."+cfg.Name, func(ctx context.Context) (jetstream.Stream, error) { return js.Stream(ctx, cfg.Name) })
	if !errors.Is(err, jetstream.ErrStreamNotFound) {
		return s, err
	}
	s, err = permitted(ctx, js, "$JS.API.STREAM.CREATE."+cfg.Name, func(ctx context.Context) (jetstream.Stream, error) { return js.CreateStream(ctx, cfg) })
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // somebody was faster
		return js.Stream(ctx, cfg.Name)
	}
	if err != nil {
		return nil, adviseStream(err)
	}
	if state := s.CachedInfo().State; state.LastSeq > 0 {
		orDiscard(log).Warn("the server had lost sight of a stream; it is back with what it held",
			"stream", cfg.Name, "messages", state.Msgs, "last_seq", state.LastSeq)
	}
	return s, nil
}

func updateStream(ctx context.Context, js jetstream.JetStream, s jetstream.Stream, want jetstream.StreamConfig) (jetstream.Stream, error) {
	if reflect.DeepEqual(s.CachedInfo().Config, want) {
		return s, nil
	}
	s, err := permitted(ctx, js, "$JS.API.STREAM.UPDATE."+want.Name, func(ctx context.Context) (jetstream.Stream, error) { return js.UpdateStream(ctx, want) })
	if err != nil {
		return nil, adviseStream(err)
	}
	return s, nil
}

// The server's words for what it does not do, by error code.
const (
	codeInvalidConfig   = 10052
	codeSubjectsOverlap = 10065
	codeUpdateRefused   = 10069
	codeConsumerRefused = 10012
)

// adviseStream adds what to do to an error of creating or updating.
func adviseStream(err error) error {
	api, ok := errors.AsType[*jetstream.APIError](err)
	switch {
	case !ok:
		return err
	case unreadable(api):
		return fmt.Errorf("%w: the server's log says why it cannot open what it keeps of the stream: mend that, or stop the server and move the stream's folder out of its store, with all that it holds", err)
	case api.ErrorCode == codeSubjectsOverlap:
		return fmt.Errorf("%w: delete that one, or choose another prefix", err)
	case api.ErrorCode == codeInvalidConfig, api.ErrorCode == codeUpdateRefused:
		return fmt.Errorf("%w: set that back, or delete the stream, with all that it holds, or choose another prefix", err)
	}
	return err
}

// unreadable reports whether the server failed on its own files.
func unreadable(api *jetstream.APIError) bool {
	return strings.HasPrefix(api.Description, "error creating store for ")
}
