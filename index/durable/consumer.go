package durable

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"

	"github.com/nats-io/nats.go/jetstream"
)

// Consumer returns the durable consumer of a stream that cfg describes: made
// if there is none, and updated if it has another configuration. Metadata that
// others keep in it stays. log is told of a consumer that comes back where it
// was; nil means that nobody is. It returns JetStream's errors, with what to
// do where the server cannot open the consumer or does not change it into what
// cfg says.
func Consumer(ctx context.Context, js jetstream.JetStream, stream string, cfg jetstream.ConsumerConfig, log *slog.Logger) (jetstream.Consumer, error) {
	c, err := openConsumer(ctx, js, stream, cfg, log)
	if err != nil {
		return nil, err
	}
	have := c.CachedInfo().Config
	// What is left to the server it fills in.
	cfg.Name = cmp.Or(cfg.Name, have.Name)
	cfg.AckWait = cmp.Or(cfg.AckWait, have.AckWait)
	cfg.MaxDeliver = cmp.Or(cfg.MaxDeliver, have.MaxDeliver)
	cfg.MaxAckPending = cmp.Or(cfg.MaxAckPending, have.MaxAckPending)
	cfg.MaxWaiting = cmp.Or(cfg.MaxWaiting, have.MaxWaiting)
	cfg.MaxRequestBatch = cmp.Or(cfg.MaxRequestBatch, have.MaxRequestBatch)
	cfg.InactiveThreshold = cmp.Or(cfg.InactiveThreshold, have.InactiveThreshold)
	cfg.Metadata = marked(cfg.Metadata, have.Metadata)
	if reflect.DeepEqual(have, cfg) {
		return c, nil
	}
	c, err = permitted(ctx, js, consumerSubject(stream, cfg), func(ctx context.Context) (jetstream.Consumer, error) { return js.UpdateConsumer(ctx, stream, cfg) })
	if err != nil {
		return nil, adviseConsumer(err, stream, cfg.Durable)
	}
	return c, nil
}

// openConsumer returns the consumer as it is. One that it makes has no mark
// yet.
func openConsumer(ctx context.Context, js jetstream.JetStream, stream string, cfg jetstream.ConsumerConfig, log *slog.Logger) (jetstream.Consumer, error) {
	c, err := permitted(ctx, js, "$JS.API.CONSUMER.INFO."+stream+"."+cfg.Durable, func(ctx context.Context) (jetstream.Consumer, error) { return js.Consumer(ctx, stream, cfg.Durable) })
	if !errors.Is(err, jetstream.ErrConsumerNotFound) {
		return c, err
	}
	c, err = permitted(ctx, js, consumerSubject(stream, cfg), func(ctx context.Context) (jetstream.Consumer, error) { return js.CreateConsumer(ctx, stream, cfg) })
	if errors.Is(err, jetstream.ErrConsumerExists) { // somebody was faster
		return js.Consumer(ctx, stream, cfg.Durable)
	}
	if err != nil {
		return nil, adviseConsumer(err, stream, cfg.Durable)
	}
	if info := c.CachedInfo(); info.Delivered.Consumer > 0 {
		orDiscard(log).Warn("the server had lost sight of a consumer; it is back where it was",
			"stream", stream, "consumer", cfg.Durable, "ack_floor", info.AckFloor.Stream)
	}
	return c, nil
}

// consumerSubject is where the server is asked to make or change a consumer.
func consumerSubject(stream string, cfg jetstream.ConsumerConfig) string {
	return "$JS.API.CONSUMER.CREATE." + stream + "." + cfg.Durable
}

// adviseConsumer adds what to do to an error of creating or updating.
func adviseConsumer(err error, stream, name string) error {
	api, ok := errors.AsType[*jetstream.APIError](err)
	switch {
	case !ok:
		return err
	case unreadable(api):
		return fmt.Errorf("%w: the server cannot read what it keeps of the consumer: stop the server and remove the folder %s/obs/%s from its store: the consumer is then made anew, and its stream delivered from the beginning", err, stream, name)
	case api.ErrorCode == codeConsumerRefused:
		return fmt.Errorf("%w: set that back, or delete consumer %s of stream %s: it is then made anew, and its stream delivered from the beginning", err, name, stream)
	}
	return err
}
