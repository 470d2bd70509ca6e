package log

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
	"hopstream/messages/fault"
)

// TraceHeader carries the W3C trace context of a question that is published.
// Between stages the context travels in the message's head alone.
const TraceHeader = "traceparent"

// ErrStored says that the subject already holds a message: the work was done
// before, and what is stored counts.
var ErrStored = errors.New("already stored")

// ErrFull says that no more questions are admitted for now.
var ErrFull = errors.New("the pipeline is full: too many open questions; try again later")

// ErrNoSpace says that the server's store is full. It passes: the oldest traces and
// answers are dropped as they age.
var ErrNoSpace = errors.New("no space is left in the server's store")

// ErrTooLarge says that a message is larger than the server takes.
var ErrTooLarge = errors.New("larger than the server takes (max_payload)")

// ErrNotFound says that nothing is stored under the subject.
var ErrNotFound = errors.New("not found")

// Log reads and writes the log through one connection. It is safe for
// concurrent use.
type Log struct {
	js    jetstream.JetStream
	names messages.Names
	// dropSubject is where the server is asked to drop a question.
	dropSubject string
	// documents shares requests for the end of the document stream.
	documents *Shared[uint64]

	mu        sync.Mutex // guards the below, which are opened at first use
	inbox     *inbox
	publisher *publisher
}

// New returns the log behind a connection.
func New(js jetstream.JetStream, names messages.Names) *Log {
	l := &Log{js: js, names: names, dropSubject: "$JS.API.STREAM.MSG.DELETE." + names.Stream(messages.KindQuestion)}
	l.documents = NewShared(restBetweenLooks, l.lookAtDocuments)
	return l
}

// JetStream returns what the log was made from.
func (l *Log) JetStream() jetstream.JetStream { return l.js }

// Names returns the names the log writes under.
func (l *Log) Names() messages.Names { return l.names }

// Close ends the log's subscriptions and requests. It does not close the
// connection.
func (l *Log) Close() {
	l.documents.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.inbox != nil {
		l.inbox.close()
		l.inbox = nil
	}
	if l.publisher != nil {
		l.publisher.close()
		l.publisher = nil
	}
}

// Put stores m once and returns when the log has it. It returns ErrStored if
// the subject already holds a message, ErrFull if the question stream is at
// its bound, ErrTooLarge, a permanent fault, if m is, and otherwise what the
// connection says, in which case m may or may not be stored.
func (l *Log) Put(ctx context.Context, m messages.Message) error {
	msg, err := l.message(m)
	if err != nil {
		return err
	}
	ctx, cancel := withTimeout(ctx)
	defer cancel()
	if err := l.publish(ctx, msg); err != nil {
		return putError(msg, err)
	}
	return nil
}

// publish sends msg and reads the server's confirmation, whose usual form needs
// no parsing; jetstream's own Publish decodes each. A stream without a leader
// is asked again twice, as that does.
func (l *Log) publish(ctx context.Context, msg *nats.Msg) error {
	for try := 0; ; try++ {
		reply, err := l.js.Conn().RequestMsgWithContext(ctx, msg)
		if err == nil {
			return confirmation(reply)
		}
		if !errors.Is(err, nats.ErrNoResponders) {
			return err
		}
		if try == 2 {
			return jetstream.ErrNoStreamResponse
		}
		timer := time.NewTimer(250 * time.Millisecond)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
	}
}

// zeroSeq is shared by all headers; nobody writes to it.
var zeroSeq = []string{"0"}

// The server's error codes for a refused write.
const (
	codeWrongLastSeq         = 10071
	codeWrongLastSeqConstant = 10164
	codeStoreFailed          = 10077
	codeMsgTooLarge          = 10054
	codeNoResources          = 10023
	codeNoStorage            = 10047
)

func putError(msg *nats.Msg, err error) error {
	if api, ok := errors.AsType[*jetstream.APIError](err); ok {
		switch api.ErrorCode {
		case codeWrongLastSeq, codeWrongLastSeqConstant:
			return ErrStored
		case codeStoreFailed:
			switch api.Description {
			case "maximum messages per subject exceeded":
				return ErrStored
			case "maximum messages exceeded":
				return ErrFull
			}
		}
	}
	what := fmt.Sprintf("store %s (%d bytes)", msg.Subject, len(msg.Data))
	if errors.Is(err, nats.ErrMaxPayload) || isCode(err, codeMsgTooLarge) {
		return fault.AsPermanent(fmt.Errorf("%s: %w", what, ErrTooLarge))
	}
	if isCode(err, codeNoResources) || isCode(err, codeNoStorage) {
		err = fmt.Errorf("%w (%w)", ErrNoSpace, err)
	}
	return &BrokerError{fmt.Errorf("%s: %w", what, err)}
}

func isCode(err error, code jetstream.ErrorCode) bool {
	api, ok := errors.AsType[*jetstream.APIError](err)
	return ok && api.ErrorCode == code
}

// BrokerError is a failure of the log itself rather than of what was asked of
// it: no connection, no leader, a full disk. It is transient.
type BrokerError struct{ err error }

// Error says what failed.
func (e *BrokerError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *BrokerError) Unwrap() error { return e.err }

// End stores a question's one answer and closes the question. It returns
// ErrStored if the question had ended before.
func (l *Log) End(ctx context.Context, a *messages.Answer) error {
	err := l.Put(ctx, a)
	if err != nil && !errors.Is(err, ErrStored) {
		return err
	}
	if cerr := l.CloseQuestion(ctx, a.ID, a.Question); cerr != nil {
		return cerr
	}
	return err
}

// Stored is a message as the log holds it.
type Stored struct {
	Subject string
	Seq     uint64
	Time    time.Time
	Header  nats.Header
	Data    []byte
}

// Decode reads the stored message as its subject's kind.
func (s *Stored) Decode(n messages.Names) (messages.Message, error) {
	k, _, err := n.Parse(s.Subject)
	if err != nil {
		return nil, err
	}
	return messages.Decode(k, s.Data)
}

func sortByTime(all []*Stored) {
	slices.SortStableFunc(all, func(a, b *Stored) int { return a.Time.Compare(b.Time) })
}
