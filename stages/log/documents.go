package log

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
	"hopstream/stages"
)

// restBetweenLooks is the pause after a shared request for the end of the document
// stream, in which further questions gather for the next one. Such a request
// costs the server as much as a message or two, so questions that arrive at the
// same time share one (see Shared).
const restBetweenLooks = 2 * time.Millisecond

// Documents returns the last sequence of the document stream: whatever was
// stored before the call has at most this one. Without a document stream it is
// 0. The stream's leader is asked, since a direct read may be answered by a
// replica that lags behind. An error is a BrokerError.
func (l *Log) Documents(ctx context.Context) (last uint64, err error) {
	return l.LookAtDocuments()(ctx)
}

// LookAtDocuments is Documents in two steps, for callers with other work to do
// meanwhile: it starts the request, and the function returned waits for the
// result.
func (l *Log) LookAtDocuments() (wait func(context.Context) (last uint64, err error)) {
	r := l.documents.Begin()
	return func(ctx context.Context) (uint64, error) {
		last, err := r.Wait(ctx)
		if err != nil {
			return 0, &BrokerError{fmt.Errorf("look at the document stream: %w", err)}
		}
		return last, nil
	}
}

// DocumentStream returns when the document stream was made, which tells it from
// another with the same sequences; the zero time where there is none. An error is
// a BrokerError.
func (l *Log) DocumentStream(ctx context.Context) (made time.Time, err error) {
	ctx, cancel := withTimeout(ctx)
	defer cancel()
	s, err := l.js.Stream(ctx, l.names.Stream(messages.KindDocument))
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound):
		return time.Time{}, nil
	case err != nil:
		return time.Time{}, &BrokerError{fmt.Errorf("look at the document stream: %w", err)}
	}
	return s.CachedInfo().Created, nil
}

// askAgain is how long the first request for the end of the document stream may
// last; each further one has twice as long. Only a stream's leader answers, so a
// request that comes while another server takes over is lost.
const askAgain = 250 * time.Millisecond

// lookAtDocuments asks the stream's leader, and asks again as long as none answers.
func (l *Log) lookAtDocuments(ctx context.Context) (uint64, error) {
	ctx, cancel := withTimeout(ctx)
	defer cancel()
	for patience := askAgain; ; patience *= 2 {
		msg, err := l.requestWithin(ctx, patience, "$JS.API.STREAM.INFO."+l.names.Stream(messages.KindDocument))
		switch {
		case err == nil:
			return lastSeq(msg.Data)
		case !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil:
			return 0, err
		}
	}
}

// requestWithin sends a request without a body and waits so long for the reply.
func (l *Log) requestWithin(ctx context.Context, patience time.Duration, subject string) (*nats.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return l.js.Conn().RequestWithContext(ctx, subject, nil)
}

// codeNoStream is the server's error code for a stream that does not exist.
const codeNoStream = 10059

// lastSeq reads the last sequence from a stream's info. It looks for the field
// where the server writes it, since decoding the whole info costs ten times as
// much. A reply that looks different is decoded.
func lastSeq(data []byte) (uint64, error) {
	// In a string the quotes would be escaped, so these are the keys.
	if i := bytes.Index(data, []byte(`"state":{"messages":`)); i >= 0 {
		state := data[i:]
		if i := bytes.Index(state, []byte(`"last_seq":`)); i >= 0 {
			digits, n := state[i+len(`"last_seq":`):], 0
			var last uint64
			for n < len(digits) && n < 19 && digits[n] >= '0' && digits[n] <= '9' {
				last = 10*last + uint64(digits[n]-'0')
				n++
			}
			if n > 0 && n < len(digits) && (digits[n] == ',' || digits[n] == '}') {
				return last, nil
			}
		}
	}
	var info struct {
		State *struct {
			LastSeq uint64 `json:"last_seq"`
		} `json:"state"`
		Error *jetstream.APIError `json:"error"`
	}
	switch err := json.Unmarshal(data, &info); {
	case err != nil:
		return 0, fmt.Errorf("unreadable answer: %w", err)
	case info.Error != nil && info.Error.ErrorCode == codeNoStream:
		return 0, nil
	case info.Error != nil:
		return 0, info.Error
	case info.State == nil:
		return 0, errors.New("the answer tells no state")
	}
	return info.State.LastSeq, nil
}

// Unread reports whether a question waits for documents to be searched by
// stage search: it has a sub-query for which that stage wrote nothing. need is
// the last document that an index must hold for it.
func (l *Log) Unread(ctx context.Context, id string, search stages.Stage) (need uint64, waits bool, err error) {
	all := func(k messages.Kind) ([]*Stored, error) {
		return l.Last(ctx, k, []string{l.names.Subject(k, messages.Key{ID: id}) + ".>"})
	}
	asked, err := all(search.Input)
	if err != nil || len(asked) == 0 {
		return 0, false, err
	}
	searched := map[messages.Key]bool{}
	for _, out := range search.Outputs {
		found, err := all(out.Kind)
		if err != nil {
			return 0, false, err
		}
		for _, s := range found {
			_, key, err := l.names.Parse(s.Subject)
			if err != nil {
				return 0, false, err
			}
			searched[key] = true
		}
	}
	if len(searched) >= len(asked) {
		return 0, false, nil
	}
	m, err := asked[0].Decode(l.names) // all of them need the same documents
	if err != nil {
		return 0, false, err
	}
	return m.(messages.Carrier).Meta().Docs, true, nil
}
