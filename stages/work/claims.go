// Package work lets questions that ask the same sub-query share the work on it,
// whichever processes they are in.
//
//	claims.go  Claims: who works on a sub-query, and what another is to do
//	result.go  what became of the work of whoever claimed a sub-query
//
// The first to ask claims the sub-query in a bucket of the broker and goes on as
// usual; what it finds is in the log, as always, and nowhere else. Who asks
// the same later takes the result over from there, or waits for it. A claim ends
// with the deadline of its question, with the end of its question without a
// result, and with a result that is of no use to others; the next one who asks
// then puts its own in its place. So nobody depends on who claimed: a worker that
// is killed is a question that goes on elsewhere, or ends.
package work

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"hopstream/messages"
	"hopstream/stages/bucket"
	"hopstream/stages/log"
	"hopstream/stages/meter"
)

// Claims are the sub-queries that are worked on, in one bucket for all processes.
// It is safe for concurrent use.
type Claims struct {
	log       *log.Log
	bucket    *bucket.Bucket
	answering string
	now       func() time.Time
}

// New returns the claims beside a log whose streams c describes. Only processes
// with the same text answering share work: it says what decides a sub-query's
// answer, other than the sub-query and the documents.
func New(l *log.Log, c log.Config, answering string, now func() time.Time) *Claims {
	stream := c.Stream(l.Names(), messages.KindRetrieve)
	return &Claims{log: l, answering: answering, now: now, bucket: bucket.New(l.JetStream(), bucket.Config{
		Name: l.Names().WorkBucket(), Description: "hopstream sub-queries and who works on them",
		TTL: stream.MaxAge, Replicas: stream.Replicas, Storage: stream.Storage, Logger: c.Logger,
	})}
}

// Ensure makes the bucket of the claims, unless it is there.
func (c *Claims) Ensure(ctx context.Context) error { return c.bucket.Ensure(ctx) }

// Verdict says what is to become of a sub-query.
type Verdict string

// The verdicts.
const (
	Own       Verdict = "own"        // work on it: nobody has
	TakenOver Verdict = "taken_over" // work on it: whoever did came to nothing
	Wait      Verdict = "wait"       // somebody works on it
	Shared    Verdict = "shared"     // its answer is there
)

// claim is an entry of the bucket: whose work a sub-query is.
type claim struct {
	ID     string `json:"id"`
	Round  int    `json:"round"`
	Branch int    `json:"branch"`
	// Single is set where the sub-query is the question, whose answer is then
	// where another's sub-answer is.
	Single   bool              `json:"single,omitempty"`
	Priority messages.Priority `json:"priority,omitempty"`
	Until    time.Time         `json:"until"` // when it ends
}

// String is the claim's question, round and branch.
func (c *claim) String() string { return fmt.Sprintf("%s.%d.%d", c.ID, c.Round, c.Branch) }

// tries bounds how often a claim is read that others change meanwhile.
const tries = 3

// Taken is what another question found, as the pair of the one that takes it over.
type Taken struct {
	messages.Pair
	// Trace is the W3C traceparent of the delivery that found it.
	Trace string
}

// Claim says what is to become of a sub-query, which is claimed if that is to work
// on it. Of one that is shared it returns the pair. An error is the broker's.
func (c *Claims) Claim(ctx context.Context, in *messages.Retrieve) (Verdict, *Taken, error) {
	documents, err := c.log.DocumentStream(ctx)
	if err != nil {
		return "", nil, err
	}
	key := c.key(in, documents)
	for range tries {
		data, revision, err := c.bucket.Get(ctx, key)
		var has claim
		switch {
		case errors.Is(err, bucket.ErrNotFound):
			err = c.put(ctx, key, in, 0)
			if errors.Is(err, bucket.ErrConflict) {
				continue
			}
			return Own, nil, err
		case err != nil:
			return "", nil, err
		}
		if err := json.Unmarshal(data, &has); err != nil {
			return "", nil, fmt.Errorf("a claim: %w", err)
		}
		if has.ID == in.ID && has.Round == in.Round && has.Branch == in.Branch {
			return Own, nil, nil
		}
		found, state, err := c.result(ctx, &has)
		switch {
		case err != nil:
			return "", nil, err
		case state == useful:
			return Shared, c.take(in, found, &has), nil
		case state == open && c.now().Before(has.Until) && !before(in.Priority, has.Priority):
			return Wait, nil, nil
		}
		if err = c.put(ctx, key, in, revision); errors.Is(err, bucket.ErrConflict) {
			continue
		}
		return TakenOver, nil, err
	}
	return Wait, nil, nil
}

// before reports whether a question of priority a goes before one of b: it then
// does not wait for the other's work, which waits for its turn.
func before(a, b messages.Priority) bool {
	return meter.Urgency{Priority: a}.Compare(meter.Urgency{Priority: b}) < 0
}

// put claims the sub-query, in place of the entry with that revision.
func (c *Claims) put(ctx context.Context, key string, in *messages.Retrieve, revision uint64) error {
	data, err := json.Marshal(&claim{ID: in.ID, Round: in.Round, Branch: in.Branch, Single: in.Single(), Priority: in.Priority, Until: in.Deadline})
	if err != nil {
		return err
	}
	return c.bucket.Replace(ctx, key, data, revision)
}

// take returns what another question found, as the pair of in.
func (c *Claims) take(in *messages.Retrieve, found *Taken, from *claim) *Taken {
	own := *found
	own.Round, own.Branch, own.Part, own.Question, own.Shared = in.Round, in.Branch, in.Part, in.Query, from.String()
	return &own
}

// key is the same for sub-queries that have the same answer: asked in the same
// words, of the same documents, in the same way. documents is when their stream was
// made.
func (c *Claims) key(in *messages.Retrieve, documents time.Time) string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %d %d %v %s", c.answering, documents.UnixNano(), in.Docs, in.Summarised(), strings.Join(strings.Fields(in.Query), " "))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}
