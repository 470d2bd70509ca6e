package runner

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"go.opentelemetry.io/otel/trace"

	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages"
	"hopstream/stages/log"
	"hopstream/stages/meter"
)

// job is a delivery that was decoded.
type job struct {
	*delivery
	in       messages.Carrier
	key      messages.Key
	meta     *jetstream.MsgMetadata
	deadline time.Time
	used     messages.Usage // of models, by this attempt
	span     span           // its place in the question's trace
	// client is the place of the client's span, where the delivery ends its question.
	client trace.SpanContext
}

func (j *job) redelivered() bool { return j.meta.NumDelivered > 1 }

// deliver does everything for one message, up to its ack, and then calls settled.
// On success that is after deliver has returned: no worker waits while the
// outputs are stored and the input is acked.
func (s *worker) deliver(ctx context.Context, d *delivery, settled func()) {
	started := s.opts.Now()
	s.figures.inFlight.Inc()
	var j *job
	settle := func() {
		s.figures.worked(s.opts.Now().Sub(started), j)
		s.figures.inFlight.Dec()
		if j != nil {
			s.record(j, started)
		}
		settled()
	}
	meta, err := d.msg.Metadata()
	if err != nil { // not a JetStream message: nobody will send it again
		s.logger.Error("message without metadata", "subject", d.msg.Subject(), "error", err)
		settle()
		return
	}
	s.figures.wait.Observe(max(0, started.Sub(meta.Timestamp)).Seconds())
	if meta.NumDelivered > 1 {
		s.figures.redeliveries.Inc()
	}
	j, err = s.decode(d, meta)
	var outs []messages.Message
	if err == nil {
		outs, err = s.work(ctx, j)
	} else {
		err = fault.AsPermanent(err)
	}
	if err == nil && len(outs) > 0 {
		s.store(ctx, j, outs, settle)
		return
	}
	s.decide(ctx, j, err)
	settle()
}

// decode reads the message and checks that its subject fits its content.
func (s *worker) decode(d *delivery, meta *jetstream.MsgMetadata) (*job, error) {
	j := &job{delivery: d, meta: meta}
	names := s.log.Names()
	kind, key, err := names.Parse(d.msg.Subject())
	j.key = key
	if err != nil {
		return j, fmt.Errorf("%w: %w", errNoPlace, err)
	}
	m, err := messages.Decode(kind, d.msg.Data())
	if err != nil {
		return j, err
	}
	in, ok := m.(messages.Carrier)
	if !ok || kind != s.stage.Input {
		return j, fmt.Errorf("a %s is no input of stage %s", kind, s.stage.Name)
	}
	if q, ok := in.(*messages.Question); ok {
		if err := messages.CheckID(key.ID); err != nil {
			return j, err
		}
		if q.ID != "" && q.ID != key.ID {
			return j, fmt.Errorf("question ID %q stands under the subject of %q", q.ID, key.ID)
		}
		if err := q.Stand(key.Lane); err != nil {
			return j, err
		}
		q.Accept(key.ID, log.Asked(d.msg.Headers(), meta.Timestamp), s.opts.Policy, d.msg.Headers().Get(log.TraceHeader))
		q.Meta().Seq = meta.Sequence.Stream
	} else if in.Key() != key {
		return j, fmt.Errorf("message of %s stands under subject %s", names.Of(in), d.msg.Subject())
	}
	j.in, j.deadline = in, in.Meta().Deadline
	s.place(j)
	return j, nil
}

// Errors that end a question rather than a message.
var (
	errExpired   = errors.New("the deadline passed")
	errCancelled = errors.New("the question was cancelled")
	errAnswered  = errors.New("the question has ended")
)

// errNoPlace says that a message's subject is none of the pipeline's.
var errNoPlace = errors.New("no subject of the pipeline")

// work calls the stage's logic and returns the outputs that are still to be
// stored; those that follow from a decision are stored already. What failed
// attempts in this process used of models counts as used; attempts in other
// processes are not known here.
func (s *worker) work(ctx context.Context, j *job) ([]messages.Message, error) {
	if j.redelivered() {
		head := j.in.Meta()
		head.Usage = head.Usage.Add(s.history.get(j.msg.Subject()).used)
	}
	ctx, cancel := context.WithDeadline(ctx, earlier(j.deadline, s.opts.Now().Add(s.stage.Timeout)))
	defer cancel()
	if s.tracker.begin(j.delivery, j.key.ID, cancel) {
		return nil, errCancelled
	}
	if !s.opts.Now().Before(j.deadline) {
		return nil, errExpired
	}
	if limit := 4 * s.stage.Attempts; int(j.meta.NumDelivered) > limit && s.tried(ctx, j, limit+1) {
		return nil, fault.Permanentf("delivered %d times and never settled: it may crash its workers", j.meta.NumDelivered)
	}
	read := s.documents(j)
	err := s.answeredBefore(ctx, j)
	if err != nil {
		return nil, err
	}
	done, err := s.resume(ctx, j)
	if err != nil || done {
		return nil, err
	}
	if err := read(ctx); err != nil {
		return nil, s.cut(j, err)
	}
	ctx = s.traced(ctx, j)
	if outs, err := s.shared(ctx, j); err != nil {
		return nil, s.cut(j, err)
	} else if outs != nil {
		stamp(j, outs, messages.Usage{}, nil)
		return outs, nil
	}
	ctx, used := meter.With(ctx, j.in.Remaining())
	used.Of(j.key.ID, j.span.own.TraceID())
	used.Until(share(j.in, s.opts.Now()))
	outs, err := s.handle(ctx, j)
	j.used = used.Used()
	j.in.Meta().Usage = j.in.Meta().Usage.Add(j.used)
	if err != nil {
		return nil, s.cut(j, err)
	}
	gaveUp := used.GaveUp()
	s.figures.forgone(gaveUp)
	stamp(j, outs, j.used, gaveUp)
	d, err := s.decision(outs)
	if d == nil {
		s.origin(ctx, j, outs)
		return outs, err
	}
	return nil, s.publishDecision(ctx, j, d)
}

// cut returns the reason if the question was cancelled or its deadline passed
// meanwhile, and err otherwise.
func (s *worker) cut(j *job, err error) error {
	switch {
	case s.tracker.isCancelled(j.key.ID):
		return errCancelled
	case !s.opts.Now().Before(j.deadline):
		return errExpired
	}
	return err
}

// documents starts to ask where the document stream ends. The function it returns
// waits for the result and notes it in the question's head, so that the question
// is answered from all documents stored before it. The question itself is stored
// already, so none of these can be missed.
func (s *worker) documents(j *job) (note func(context.Context) error) {
	if j.in.Kind() != messages.KindQuestion {
		return func(context.Context) error { return nil }
	}
	wait := s.log.LookAtDocuments()
	return func(ctx context.Context) error {
		last, err := wait(ctx)
		if err == nil {
			j.in.Meta().Docs = last - min(last, s.opts.MaxBehind)
		}
		return err
	}
}

// resume looks, on a redelivery, for what an earlier one stored, and does
// what is left of it. It reports whether the message is done with.
func (s *worker) resume(ctx context.Context, j *job) (done bool, err error) {
	if !j.redelivered() || s.onlyWaited(j) {
		return false, nil
	}
	head := j.in.Meta()
	for _, out := range s.stage.Outputs {
		key := out.Key(head)
		if out.Of != "" && out.Of != head.Class || key.Round == 0 && out.At != stages.Whole {
			continue // this message has no such output
		}
		stored, err := s.log.Get(ctx, out.Kind, key)
		if errors.Is(err, log.ErrNotFound) {
			continue
		}
		if err != nil {
			return false, err
		}
		if err := s.same(j, stored); err != nil {
			return false, err
		}
		switch {
		case decides(out.Kind):
			return true, s.follow(ctx, j, stored)
		case out.Kind == messages.KindAnswer:
			return true, s.log.CloseQuestion(ctx, j.key.ID, head.Question)
		}
		return true, nil
	}
	return false, nil
}

// handle calls the stage's logic; a panic is an error of the message.
func (s *worker) handle(ctx context.Context, j *job) (outs []messages.Message, err error) {
	defer s.handling(ctx, j)()
	defer func() {
		if p := recover(); p != nil {
			s.about(j).Error("panic", "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	ctx, ended := s.previewing(ctx, j.in)
	defer func() { ended(outs) }()
	return s.logic.Handle(ctx, j.in)
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
