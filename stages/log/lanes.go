package log

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/index/durable"
	"hopstream/messages"
	"hopstream/stages"
)

// A question waits in the lane of its tenant and priority, which its subject
// names, until it is admitted. Every lane has a durable consumer of its own, so
// that a lane in which many wait holds up no other: JetStream delivers what one
// consumer reads in the order of the stream. The zero lane's is the one that the
// stage has by its name, as it had before there were lanes.

// A server writes what a consumer has delivered ten times a second to a file of its
// own: for a hundred lanes that was a tenth of a busy pipeline's processor time. So
// it keeps it in memory. Started again, it delivers anew what is still in a lane.

// laneIdle is how long the server keeps the consumer of a lane that nobody reads. A
// lane whose consumer is made anew is delivered from its beginning, which changes
// nothing (see Log.Consumer).
const laneIdle = 10 * time.Minute

// LaneConsumer creates or updates the consumer with which stage s reads a lane.
func (l *Log) LaneConsumer(ctx context.Context, c Config, s stages.Stage, lane messages.Lane) (jetstream.Consumer, error) {
	if tenant, p := lane.Of(); messages.NewLane(tenant, p) == (messages.Lane{}) {
		return l.Consumer(ctx, c, s)
	}
	cfg := consumerConfig(s)
	cfg.Durable, cfg.FilterSubject, cfg.InactiveThreshold = laneConsumer(s, lane), l.names.Lane(lane), laneIdle
	cfg.MemoryStorage = true
	consumer, err := durable.Consumer(ctx, l.js, l.names.Stream(s.Input), cfg, c.Logger)
	if err != nil {
		return nil, fmt.Errorf("consumer %s: %w", cfg.Durable, err)
	}
	return consumer, nil
}

// laneConsumer is the name of a lane's consumer.
func laneConsumer(s stages.Stage, lane messages.Lane) string {
	return s.Name + "-" + lane.Tenant + "-" + string(lane.Priority)
}

// firstLane are the subjects of the zero lane, which a client may also name whole.
func (l *Log) firstLane() []string {
	tenant, p := messages.Lane{}.Of()
	return []string{l.names.Lane(messages.Lane{}), l.names.Lane(messages.Lane{Tenant: tenant, Priority: p})}
}

// widen removes the consumer that is to read every lane, if so far it read the zero
// lane only: it has gone past questions of the other lanes that wait, and is made
// anew.
func (l *Log) widen(ctx context.Context, cfg jetstream.ConsumerConfig) error {
	stream := l.names.Stream(messages.KindQuestion)
	have, err := l.js.Consumer(ctx, stream, cfg.Durable)
	if errors.Is(err, jetstream.ErrConsumerNotFound) || err == nil && len(have.CachedInfo().Config.FilterSubjects) == 0 {
		return nil
	}
	if err == nil {
		err = l.js.DeleteConsumer(ctx, stream, cfg.Durable)
	}
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		return nil
	}
	return err
}

// lagOfLanes is the sum of what the stage's consumers of the question stream have
// yet to deliver, and to be told. Others' consumers there do not count.
func (l *Log) lagOfLanes(ctx context.Context, s stages.Stage) (sum Lag, err error) {
	stream, err := l.js.Stream(ctx, l.names.Stream(s.Input))
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return Lag{}, nil
	}
	if err != nil {
		return Lag{}, fmt.Errorf("lag of %s: %w", s.Name, err)
	}
	list := stream.ListConsumers(ctx)
	for i := range list.Info() {
		if i.Name == s.Name || strings.HasPrefix(i.Name, s.Name+"-") {
			sum.add(i)
		}
	}
	if err := list.Err(); err != nil {
		return Lag{}, fmt.Errorf("lag of %s: %w", s.Name, err)
	}
	return sum, nil
}

// AskedHeader tells of a question that was moved to its lane when it was stored
// first, as RFC 3339: its deadline counts from then.
const AskedHeader = "Hop-Asked"

// Asked returns when a question was stored first, by its header, or else at
// stored. A time after that is not believed.
func Asked(h nats.Header, stored time.Time) time.Time {
	if at, err := time.Parse(time.RFC3339Nano, h.Get(AskedHeader)); err == nil && at.Before(stored) {
		return at
	}
	return stored
}

// MoveQuestion puts a question that was stored in the zero lane into its own: once
// there, and then removed here. Where a crash comes between the two, the next
// delivery finds it there already, or answered. h is the stored message's header.
// It fails with ErrStored if another question stands there under the same ID, and
// with ErrFull if the stream has no room for both.
func (l *Log) MoveQuestion(ctx context.Context, q *messages.Question, seq uint64, h nats.Header, stored time.Time) error {
	msg, err := l.message(q)
	if err != nil {
		return err
	}
	msg.Header.Set(AskedHeader, Asked(h, stored).UTC().Format(time.RFC3339Nano))
	if trace := h.Get(TraceHeader); trace != "" {
		msg.Header.Set(TraceHeader, trace)
	}
	ctx, cancel := withTimeout(ctx)
	defer cancel()
	if err := l.publish(ctx, msg); err != nil {
		if err = putError(msg, err); !errors.Is(err, ErrStored) {
			return err
		}
		there, ferr := Find[*messages.Question](ctx, l, messages.KindQuestion, q.Key())
		if ferr != nil && !errors.Is(ferr, ErrNotFound) {
			return ferr
		}
		if ferr == nil && there.Question != q.Question {
			return err
		}
	}
	return l.DropQuestion(ctx, seq)
}

// OpenOf returns how many questions of a tenant are in the question stream.
func (l *Log) OpenOf(ctx context.Context, tenant string) (int, error) {
	n := 0
	filters := []string{l.names.Lane(messages.Lane{Tenant: tenant, Priority: "*"})}
	if tenant == messages.DefaultTenant {
		filters = append(filters, l.names.Lane(messages.Lane{}))
	}
	for _, filter := range filters {
		subjects, err := l.subjects(ctx, filter)
		if err != nil {
			return 0, err
		}
		n += len(subjects)
	}
	return n, nil
}

// OpenByTenant returns how many questions are in the question stream, by tenant.
func (l *Log) OpenByTenant(ctx context.Context) (map[string]int, error) {
	subjects, err := l.subjects(ctx, l.names.Filter(messages.KindQuestion))
	if err != nil {
		return nil, err
	}
	open := map[string]int{}
	for s := range subjects {
		if _, key, err := l.names.Parse(s); err == nil {
			tenant, _ := key.Lane.Of()
			open[tenant]++
		}
	}
	return open, nil
}

// subjects returns the question stream's that match filter.
func (l *Log) subjects(ctx context.Context, filter string) (map[string]uint64, error) {
	stream, err := l.js.Stream(ctx, l.names.Stream(messages.KindQuestion))
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil, nil
	}
	var info *jetstream.StreamInfo
	if err == nil {
		info, err = stream.Info(ctx, jetstream.WithSubjectFilter(filter))
	}
	if err != nil {
		return nil, &BrokerError{fmt.Errorf("count open questions: %w", err)}
	}
	return info.State.Subjects, nil
}
