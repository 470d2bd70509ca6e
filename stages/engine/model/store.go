package model

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"time"

	"hopstream/stages/meter"
)

// Store keeps the replies that questions got where every process finds them, so
// that an attempt which is repeated, after a crash or an error, does not ask again
// what was answered. A reply is kept by the whole request and by who was asked:
// for its question alone, or for all (Options.Repeatable). It is safe for
// concurrent use, and never fails: what cannot be kept is asked again.
type Store interface {
	// Get returns what was kept of a question under key, or nil. The question is
	// AllQuestions for what is kept for all.
	Get(ctx context.Context, question, key string) *Reply
	// Put keeps a reply, and returns when the store has it.
	Put(ctx context.Context, question, key string, r *Reply)
}

// AllQuestions stands for the question of a reply that is kept for all.
const AllQuestions = "*"

// storeTime bounds one request to the store. A look takes a fifth of a
// millisecond where the store is there, and a call of a model a thousand times
// that.
const storeTime = 500 * time.Millisecond

// kept returns the reply that ctx's question got to a request before, or nil. It
// is looked for whether the delivery is the first or not: another process may
// have begun the same work.
func (m *Model) kept(ctx context.Context, request string) *Reply {
	question := m.storedFor(ctx)
	if question == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, storeTime)
	defer cancel()
	return m.opts.Store.Get(ctx, question, m.storeKey(request))
}

// keep stores the reply that ctx's question got. It waits until that is done,
// since it is quick beside the call, and a crash thereafter loses nothing; and it
// stores even what came as ctx ended.
func (m *Model) keep(ctx context.Context, request string, r *Reply) {
	question := m.storedFor(ctx)
	if question == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
	defer cancel()
	m.opts.Store.Put(ctx, question, m.storeKey(request), r)
}

// storedFor is whom replies are kept for: ctx's question, or all questions; empty
// if they are not kept, as those of no question's delivery.
func (m *Model) storedFor(ctx context.Context) string {
	question := meter.From(ctx).Question()
	switch {
	case m.opts.Store == nil:
		return ""
	case question != "" && m.opts.Repeatable:
		return AllQuestions
	}
	return question
}

// storeKey is the same for identical requests to one model on one server, asked
// in the same way.
func (m *Model) storeKey(request string) string {
	h := sha256.New()
	for _, s := range []string{m.opts.Name, m.opts.Server, m.opts.Settings, request} {
		h.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(s))))
		h.Write([]byte(s))
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}
