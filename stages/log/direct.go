package log

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"

	"hopstream/messages"
)

// directAPI is the server's subject for direct reads, which any replica of a
// stream answers.
const directAPI = "$JS.API.DIRECT.GET."

// logTimeout bounds one request to the log. A reply may be lost with a server,
// and waiting for it must not use up the question's time.
const logTimeout = 5 * time.Second

// Get returns the message stored under kind k and key, or ErrNotFound. A
// lagging replica may not have it yet: absence proves nothing by itself.
func (l *Log) Get(ctx context.Context, k messages.Kind, key messages.Key) (*Stored, error) {
	ctx, cancel := withTimeout(ctx)
	defer cancel()
	subject := l.names.Subject(k, key)
	msg, err := l.js.Conn().RequestWithContext(ctx, directAPI+l.names.Stream(k)+"."+subject, nil)
	if err != nil {
		return nil, readError(subject, err)
	}
	if s := status(msg); s != "" {
		if s == "404" {
			return nil, ErrNotFound
		}
		return nil, fmt.Errorf("read %s: %s %s", subject, s, msg.Header.Get("Description"))
	}
	return stored(msg)
}

// Find returns the message of kind k at key, decoded, or ErrNotFound.
func Find[M messages.Message](ctx context.Context, l *Log, k messages.Kind, key messages.Key) (M, error) {
	var none M
	s, err := l.Get(ctx, k, key)
	if err != nil {
		return none, err
	}
	m, err := messages.Decode(k, s.Data)
	if err != nil {
		return none, err
	}
	typed, ok := m.(M)
	if !ok {
		return none, fmt.Errorf("read %s: it is a %s", s.Subject, k)
	}
	return typed, nil
}

// maxLast is how many subjects one read names at most; the server allows 1,024.
const maxLast = 512

// Last returns the messages stored under the given subjects of kind k; a
// subject may hold wildcards. Missing ones are left out. The order is the
// stream's.
func (l *Log) Last(ctx context.Context, k messages.Kind, subjects []string) ([]*Stored, error) {
	var all []*Stored
	for len(subjects) > 0 {
		n := min(maxLast, len(subjects))
		got, err := l.collect(ctx, k, directRequest{MultiLast: subjects[:n]})
		if err != nil {
			return nil, err
		}
		all, subjects = append(all, got...), subjects[n:]
	}
	return all, nil
}

// rangeBytes bounds what one read of a range returns, but for its last message.
const rangeBytes = 8 << 20

// Range returns up to n messages of kind k with a sequence of at least from,
// in the stream's order, fewer if they are large; none means the end was reached.
func (l *Log) Range(ctx context.Context, k messages.Kind, from uint64, n int) ([]*Stored, error) {
	return l.collect(ctx, k, directRequest{Seq: max(1, from), NextFor: l.names.Filter(k), Batch: n, MaxBytes: rangeBytes})
}

type directRequest struct {
	Seq       uint64     `json:"seq,omitempty"`
	NextFor   string     `json:"next_by_subj,omitempty"`
	Batch     int        `json:"batch,omitempty"`
	MaxBytes  int        `json:"max_bytes,omitempty"`
	StartTime *time.Time `json:"start_time,omitempty"`
	MultiLast []string   `json:"multi_last,omitempty"`
}

// collect sends a request that is answered by several messages and an end
// mark.
func (l *Log) collect(ctx context.Context, k messages.Kind, req directRequest) ([]*Stored, error) {
	body, err := json.Marshal(req)
	if err != nil {
		return nil, err
	}
	in, err := l.receiver()
	if err != nil {
		return nil, err
	}
	ctx, cancel := withTimeout(ctx)
	defer cancel()
	reply, r := in.open()
	defer in.done(reply, r)
	stream := l.names.Stream(k)
	if err := l.js.Conn().PublishRequest(directAPI+stream, reply, body); err != nil {
		return nil, readError(stream, err)
	}
	var out []*Stored
	for {
		select {
		case <-ctx.Done():
			return nil, readError(stream, ctx.Err())
		case msg := <-r.got:
			switch s := status(msg); s {
			case "":
				one, err := stored(msg)
				if err != nil {
					return nil, err
				}
				out = append(out, one)
			case "204":
				if len(req.MultiLast) > 0 && msg.Header.Get("Nats-Num-Pending") != "0" {
					return nil, fmt.Errorf("read %s: more than one reply can hold", stream)
				}
				return out, nil
			case "404":
				if len(out) > 0 { // one of them aged out while it was read
					return nil, readError(stream, errors.New(msg.Header.Get("Description")))
				}
				return nil, nil
			default:
				return nil, fmt.Errorf("read %s: %s %s", stream, s, msg.Header.Get("Description"))
			}
		}
	}
}

func status(m *nats.Msg) string {
	if len(m.Data) > 0 || m.Header == nil {
		return ""
	}
	if v := m.Header["Status"]; len(v) > 0 {
		return v[0]
	}
	return ""
}

func stored(m *nats.Msg) (*Stored, error) {
	one := func(name string) string {
		if v := m.Header[name]; len(v) > 0 {
			return v[0]
		}
		return ""
	}
	s := &Stored{Subject: one("Nats-Subject"), Header: m.Header, Data: m.Data}
	var err error
	if s.Seq, err = strconv.ParseUint(one("Nats-Sequence"), 10, 64); err != nil {
		return nil, fmt.Errorf("direct read: bad sequence: %w", err)
	}
	if s.Time, err = time.Parse(time.RFC3339Nano, one("Nats-Time-Stamp")); err != nil {
		return nil, fmt.Errorf("direct read: bad time: %w", err)
	}
	return s, nil
}

func readError(what string, err error) error {
	if errors.Is(err, nats.ErrNoResponders) {
		err = fmt.Errorf("the stream does not exist or has no leader: %w", err)
	}
	return &BrokerError{fmt.Errorf("read %s: %w", what, err)}
}

func withTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, logTimeout)
}
