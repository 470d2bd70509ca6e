package model

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"hopstream/messages"
	"hopstream/messages/fault"
	"hopstream/stages/meter"
)

// Options adjust a model; zero fields take the defaults named.
type Options struct {
	Name   string // for metrics and errors; never empty
	Server string // likewise
	// NumCtx is the model's context, prompt and reply together, in tokens; 8,192.
	NumCtx int
	// Slots are how many requests are at the server at once, shared with other
	// models of the same name and server; 8 of its own. More than the server
	// works on at once wait in its queue instead of here.
	Slots *Slots
	// MaxTokens bounds every reply; 1,024. Thinking is added to it, for models
	// that think before they reply; none.
	MaxTokens, Thinking int
	// Timeout bounds one request, waiting in the server's own queue included; 2 min.
	Timeout time.Duration
	// Batch is how many texts are embedded per request; 64.
	Batch int
	// Cache is how many replies, and how many vectors, are kept for requests
	// that come again; none. CacheTTL is for how long; for good.
	Cache    int
	CacheTTL time.Duration
	Observe  Observer     // nobody
	Log      *slog.Logger // discarded
}

func (o Options) withDefaults() Options {
	if o.NumCtx <= 0 {
		o.NumCtx = 8192
	}
	if o.Slots == nil {
		o.Slots = NewSlots(8)
	}
	if o.MaxTokens <= 0 {
		o.MaxTokens = 1024
	}
	if o.Timeout <= 0 {
		o.Timeout = 2 * time.Minute
	}
	if o.Batch <= 0 {
		o.Batch = 64
	}
	if o.Observe == nil {
		o.Observe = deaf{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// Model is one model on one server, as everybody in the process shares it.
// It is safe for concurrent use.
type Model struct {
	client Client
	opts   Options
	gauge  gauge

	chats   flights[*Reply]
	embeds  flights[*Vectors]
	replies *cache[*Reply]
	vectors *cache[[]float32]

	warned sync.Map // when each warning was last logged, by role and text, in minutes
}

// Slots bound how many requests are at a server at once. The request that has
// waited longest goes first.
type Slots struct {
	sem *semaphore.Weighted
	n   int
}

// NewSlots returns n slots.
func NewSlots(n int) *Slots { return &Slots{semaphore.NewWeighted(int64(n)), n} }

// N returns how many there are.
func (s *Slots) N() int { return s.n }

// New returns a model that makes its requests through c.
func New(c Client, o Options) *Model {
	o = o.withDefaults()
	return &Model{client: c, opts: o, replies: newCache[*Reply](o.Cache, o.CacheTTL), vectors: newCache[[]float32](o.Cache, o.CacheTTL)}
}

// Name returns the model's name.
func (m *Model) Name() string { return m.opts.Name }

// Server returns the server's URL, as it may be shown.
func (m *Model) Server() string { return m.opts.Server }

// Check asks the server whether it has the model.
func (m *Model) Check(ctx context.Context) error { return m.client.Check(ctx) }

// Close waits for requests that nobody waits for any more.
func (m *Model) Close() {
	m.chats.wait()
	m.embeds.wait()
	if c, ok := m.client.(interface{ Close() }); ok {
		c.Close()
	}
}

// Chat asks for a reply on behalf of a role. A call is taken from the budget
// that ctx carries, unless the reply comes from the cache or from an identical
// request in flight. It fails with meter.ErrSpent when the budget is used up,
// with ctx's error when ctx ends, and otherwise as the Client does.
func (m *Model) Chat(ctx context.Context, role string, r *Chat) (*Reply, error) {
	key := chatKey(r)
	if reply, ok := m.replies.get(key); ok {
		m.opts.Observe.Call(Call{Role: role, Model: m.opts.Name, Outcome: Cached})
		return reply, nil
	}
	budget := meter.From(ctx)
	f, shared, err := m.chats.join(ctx, key, budget.Call, func(run context.Context, f *flight[*Reply]) {
		f.queue, f.took, f.err = m.request(run, func(ctx context.Context) (err error) {
			f.value, err = m.client.Chat(ctx, r)
			return err
		})
	})
	end := endOf(f, shared, err)
	var reply *Reply
	if f != nil {
		reply = f.value
	}
	if reply != nil && !shared {
		end.prompt, end.completion = reply.PromptTokens, reply.CompletionTokens
	}
	m.account(budget, role, true, end)
	if err != nil {
		return nil, err
	}
	if !shared {
		m.inspect(role, r, reply)
		m.replies.put(key, reply)
	}
	return reply, nil
}

// Embed returns one vector per text, in batches side by side. Tokens count
// against the budget, calls do not: an embedding costs a hundredth of a reply.
func (m *Model) Embed(ctx context.Context, role string, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	var missing []int
	for i, t := range texts {
		if v, ok := m.vectors.get(t); ok {
			out[i] = v
			continue
		}
		missing = append(missing, i)
	}
	if len(missing) == 0 {
		if len(texts) > 0 {
			m.opts.Observe.Call(Call{Role: role, Model: m.opts.Name, Outcome: Cached})
		}
		return out, nil
	}
	err := Each(ctx, (len(missing)+m.opts.Batch-1)/m.opts.Batch, func(ctx context.Context, n int) error {
		part := missing[n*m.opts.Batch : min(len(missing), (n+1)*m.opts.Batch)]
		batch := make([]string, len(part))
		for i, at := range part {
			batch[i] = texts[at]
		}
		vectors, err := m.embed(ctx, role, batch)
		if err != nil {
			return err
		}
		for i, at := range part {
			out[at] = vectors[i]
			m.vectors.put(texts[at], vectors[i])
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, v := range out {
		if len(v) != len(out[0]) { // the model was replaced, and the cache has the old one's vectors
			return nil, fmt.Errorf("%s: vectors of %d and of %d numbers", m.opts.Name, len(out[0]), len(v))
		}
	}
	return out, nil
}

func (m *Model) embed(ctx context.Context, role string, texts []string) ([][]float32, error) {
	budget := meter.From(ctx)
	f, shared, err := m.embeds.join(ctx, textsKey(texts), budget.Allow, func(run context.Context, f *flight[*Vectors]) {
		f.queue, f.took, f.err = m.request(run, func(ctx context.Context) (err error) {
			f.value, err = m.client.Embed(ctx, texts)
			return err
		})
	})
	end := endOf(f, shared, err)
	if f != nil && f.value != nil && !shared {
		end.prompt = f.value.PromptTokens
	}
	m.account(budget, role, false, end)
	if err != nil {
		return nil, err
	}
	if len(f.value.Vectors) != len(texts) {
		return nil, fmt.Errorf("%s: %d vectors for %d texts", m.opts.Name, len(f.value.Vectors), len(texts))
	}
	return f.value.Vectors, nil
}

// request waits for a slot and makes one request within the time limit.
func (m *Model) request(ctx context.Context, fn func(context.Context) error) (queue, took time.Duration, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	start := time.Now()
	if err := m.opts.Slots.sem.Acquire(ctx, 1); err != nil {
		return time.Since(start), 0, err
	}
	defer m.opts.Slots.sem.Release(1)
	queue = time.Since(start)
	m.opts.Observe.InFlight(m.opts.Name, 1)
	defer m.opts.Observe.InFlight(m.opts.Name, -1)
	limited, cancel := context.WithTimeout(ctx, m.opts.Timeout)
	defer cancel()
	err = fn(limited)
	took = time.Since(start) - queue
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		err = fmt.Errorf("%s at %s gave no reply within %v (timeout)", m.opts.Name, m.opts.Server, m.opts.Timeout)
	}
	return queue, took, err
}

// end is how a call ended.
type end struct {
	landed             bool // the request ended; false where none was made, or the caller left before
	shared             bool // the request is another caller's, who pays for it
	err                error
	queue, took        time.Duration
	prompt, completion int // tokens
}

// endOf is the end of a call that joined a flight, as far as the flight tells.
func endOf[T any](f *flight[T], shared bool, err error) end {
	if f == nil {
		return end{shared: shared, err: err}
	}
	return end{landed: true, shared: shared, err: err, queue: f.queue, took: f.took}
}

// account tells budget and observer what a call came to.
func (m *Model) account(budget *meter.Meter, role string, takesCall bool, e end) {
	c := Call{Role: role, Model: m.opts.Name, Outcome: OK, Queue: e.queue, Took: e.took, PromptTokens: e.prompt, CompletionTokens: e.completion}
	class, _ := fault.Of(e.err)
	switch {
	case e.err == nil && e.shared:
		c.Outcome = Shared
	case e.err == nil:
	case errors.Is(e.err, meter.ErrSpent):
		return // no call was made
	case !e.landed || class == fault.Cancelled:
		c.Outcome = Cancelled
	case class == fault.Unavailable:
		c.Outcome = Unavailable
	default:
		c.Outcome = Failed
	}
	switch {
	case e.shared:
	case c.Outcome == Unavailable: // the server took nothing, and it will be asked again
		if takesCall {
			budget.Return()
		}
	default:
		budget.Spend(messages.RoleUsage{Role: role, Calls: 1, PromptTokens: e.prompt, CompletionTokens: e.completion,
			QueueMS: e.queue.Milliseconds(), ModelMS: e.took.Milliseconds()})
	}
	m.opts.Observe.Call(c)
}

// inspect compares the server's token count of a prompt with the estimate. A count
// at the limit of the context, or far below the estimate, shows that the server
// cut the prompt without reporting it.
func (m *Model) inspect(role string, r *Chat, reply *Reply) {
	if reply.PromptTokens <= 0 {
		return
	}
	estimated := Estimate(r.Messages)
	corrected := m.gauge.tokens(r.Messages)
	atEdge := reply.PromptTokens >= m.opts.NumCtx-1
	m.gauge.learn(estimated, reply.PromptTokens)
	if atEdge {
		m.gauge.raise()
	}
	if atEdge || corrected > 200 && reply.PromptTokens*5 < corrected*2 {
		m.opts.Observe.Event(role, m.opts.Name, Truncated, 1)
		m.warn(role, "the server seems to have cut the prompt silently: set num_ctx to what the server really has",
			"model", m.opts.Name, "prompt_tokens", reply.PromptTokens, "estimate", corrected, "num_ctx", m.opts.NumCtx)
	}
}

// warn logs at most once a minute per role and text.
func (m *Model) warn(role, text string, args ...any) {
	now := time.Now().Unix() / 60
	if last, ok := m.warned.Swap(role+text, now); ok && last == now {
		return
	}
	m.opts.Log.Warn(text, append([]any{"role", role}, args...)...)
}

// chatKey is the same for identical requests only. What it leaves out is constant
// for a model.
func chatKey(r *Chat) string {
	h := sha256.New()
	var n [8]byte
	put := func(s string) {
		binary.LittleEndian.PutUint64(n[:], uint64(len(s)))
		h.Write(n[:])
		h.Write([]byte(s))
	}
	for _, msg := range r.Messages {
		put(msg.Role)
		put(msg.Text)
	}
	put(string(r.Schema))
	binary.LittleEndian.PutUint64(n[:], uint64(r.MaxTokens))
	h.Write(n[:])
	return string(h.Sum(nil))
}

func textsKey(texts []string) string {
	c := Chat{Messages: make([]Message, len(texts))}
	for i, t := range texts {
		c.Messages[i].Text = t
	}
	return chatKey(&c)
}
