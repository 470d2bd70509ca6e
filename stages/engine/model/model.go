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
	// Store keeps replies beyond the process, for attempts that are repeated;
	// nobody. Settings is what decides a reply beside model, server and request,
	// such as how tokens are sampled.
	Store    Store
	Settings string
	// Repeatable says that the same request always gets the same reply, as at
	// temperature 0: one that is kept then serves every question.
	Repeatable bool
	Observe    Observer     // nobody
	Log        *slog.Logger // discarded
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
	// chatPace is how long replies take. That of an embedding depends on the
	// texts, and is short.
	chatPace pace

	chats   flights[*Reply]
	embeds  flights[*Vectors]
	replies *cache[*Reply]
	vectors *cache[[]float32]

	warned sync.Map // when each warning was last logged, by role and text, in minutes
}

// New returns a model that makes its requests through c.
func New(c Client, o Options) *Model {
	o = o.withDefaults()
	return &Model{client: c, opts: o, chats: flights[*Reply]{slots: o.Slots}, embeds: flights[*Vectors]{slots: o.Slots}, replies: newCache[*Reply](o.Cache, o.CacheTTL), vectors: newCache[[]float32](o.Cache, o.CacheTTL)}
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
// that ctx carries, unless the reply comes from the cache, from the store, or from
// an identical request in flight. It fails with meter.ErrSpent when the budget is
// used up, with meter.ErrLate when the delivery's time is over, or is too short
// for a reply, with ctx's error when ctx ends, and otherwise as the Client does.
func (m *Model) Chat(ctx context.Context, role string, r *Chat) (*Reply, error) {
	key := chatKey(r)
	if reply, ok := m.replies.get(key); ok {
		m.opts.Observe.Call(ctx, Call{Role: role, Model: m.opts.Name, Outcome: Cached})
		return reply, nil
	}
	budget := meter.From(ctx)
	if reply := m.kept(ctx, key); reply != nil {
		m.opts.Observe.Call(ctx, Call{Role: role, Model: m.opts.Name, Outcome: Kept})
		return reply, nil
	}
	wait := m.patience(budget)
	reply, end := m.chats.join(ctx, key, wait, budget.Call, func(run context.Context, f *flight[*Reply]) {
		f.queue, f.took, f.err = m.request(run, f.place, f.begin, func(ctx context.Context) (err error) {
			f.value, err = m.client.Chat(ctx, r)
			return err
		})
		if f.err == nil {
			m.chatPace.learn(f.took)
		}
	})
	if reply != nil && !end.shared {
		end.prompt, end.completion = reply.PromptTokens, reply.CompletionTokens
	}
	m.learnLate(&end, wait)
	m.account(ctx, role, true, end)
	if end.err != nil {
		return nil, end.err
	}
	m.keep(ctx, key, reply)
	if !end.shared {
		m.inspect(role, r, reply)
		m.replies.put(key, reply)
	}
	return reply, nil
}

// patience is how long a delivery waits for a reply.
func (m *Model) patience(budget *meter.Meter) patience {
	until, bounded := budget.Deadline()
	if !bounded {
		return patience{}
	}
	return patience{until: until, usual: m.chatPace.usual()}
}

// learnLate lets the pace know of replies that did not come in time.
func (m *Model) learnLate(e *end, wait patience) {
	switch {
	case !errors.Is(e.err, meter.ErrLate):
	case e.took > 0:
		m.chatPace.atLeast(e.took)
	case time.Now().Before(wait.until):
		m.chatPace.refused()
	}
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
			m.opts.Observe.Call(ctx, Call{Role: role, Model: m.opts.Name, Outcome: Cached})
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
	var wait patience
	if until, bounded := budget.Brief(); bounded {
		wait.until = until
	}
	vectors, end := m.embeds.join(ctx, textsKey(texts), wait, budget.Allow, func(run context.Context, f *flight[*Vectors]) {
		f.queue, f.took, f.err = m.request(run, f.place, f.begin, func(ctx context.Context) (err error) {
			f.value, err = m.client.Embed(ctx, texts)
			return err
		})
	})
	if vectors != nil && !end.shared {
		end.prompt = vectors.PromptTokens
	}
	m.account(ctx, role, false, end)
	if end.err != nil {
		return nil, end.err
	}
	if len(vectors.Vectors) != len(texts) {
		return nil, fmt.Errorf("%s: %d vectors for %d texts", m.opts.Name, len(vectors.Vectors), len(texts))
	}
	return vectors.Vectors, nil
}

// request waits for a slot at its place, says so with begin, and makes one request within the
// model's time limit. How long it is waited for is its callers' affair: it ends
// with ctx, when none of them waits any more.
func (m *Model) request(ctx context.Context, place *waiter, begin func(), fn func(context.Context) error) (queue, took time.Duration, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	start := time.Now()
	if err := m.opts.Slots.acquire(ctx, place); err != nil {
		return time.Since(start), 0, err
	}
	defer m.opts.Slots.release()
	begin()
	queue = time.Since(start)
	m.opts.Observe.InFlight(m.opts.Name, 1)
	defer m.opts.Observe.InFlight(m.opts.Name, -1)
	limited, cancel := context.WithTimeout(ctx, m.opts.Timeout)
	defer cancel()
	err = fn(limited)
	took = time.Since(start) - queue
	if err != nil && ctx.Err() != nil {
		return queue, took, context.Cause(ctx)
	}
	if err != nil && limited.Err() != nil {
		err = fmt.Errorf("%s at %s gave no reply within %v (timeout)", m.opts.Name, m.opts.Server, m.opts.Timeout)
	}
	return queue, took, err
}

// account tells the budget in ctx and the observer what a call came to.
func (m *Model) account(ctx context.Context, role string, takesCall bool, e end) {
	budget := meter.From(ctx)
	c := Call{Role: role, Model: m.opts.Name, Server: m.opts.Server, Embeds: !takesCall, Err: e.err, Outcome: OK, Queue: e.queue, Took: e.took, PromptTokens: e.prompt, CompletionTokens: e.completion}
	class, _ := fault.Of(e.err)
	switch {
	case e.err == nil && e.shared:
		c.Outcome = Shared
	case e.err == nil:
	case errors.Is(e.err, meter.ErrSpent):
		return // no call was made
	case errors.Is(e.err, meter.ErrLate):
		c.Outcome = Late
	case !e.landed || class == fault.Cancelled:
		c.Outcome = Cancelled
	case class == fault.Unavailable:
		c.Outcome = Unavailable
	default:
		c.Outcome = Failed
	}
	switch {
	case e.shared:
	case c.Outcome == Unavailable, c.Outcome == Late && e.took == 0: // the server took nothing
		if takesCall && e.taken {
			budget.Return()
		}
	default:
		budget.Spend(messages.RoleUsage{Role: role, Calls: 1, PromptTokens: e.prompt, CompletionTokens: e.completion,
			QueueMS: e.queue.Milliseconds(), ModelMS: e.took.Milliseconds()})
	}
	m.opts.Observe.Call(ctx, c)
}

// inspect compares the server's token count of a prompt with the expected one. A count
// at the limit of the context, or far below what is expected, shows that the server
// cut the prompt without reporting it.
func (m *Model) inspect(role string, r *Chat, reply *Reply) {
	if reply.PromptTokens <= 0 {
		return
	}
	estimated := Estimate(r.Messages)
	expected := m.gauge.expected(r.Messages)
	atEdge := reply.PromptTokens >= m.opts.NumCtx-1
	m.gauge.learn(estimated, reply.PromptTokens)
	if atEdge {
		m.gauge.raise()
	}
	if atEdge || expected > 200 && reply.PromptTokens*5 < expected*2 {
		m.opts.Observe.Event(role, m.opts.Name, Truncated, 1)
		m.warn(role, "the server seems to have cut the prompt silently: set num_ctx to what the server really has",
			"model", m.opts.Name, "prompt_tokens", reply.PromptTokens, "estimate", expected, "num_ctx", m.opts.NumCtx)
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
