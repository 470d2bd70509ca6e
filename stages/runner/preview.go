package runner

import (
	"context"
	"sync"
	"time"

	"hopstream/messages"
	"hopstream/stages/preview"
)

// previewPause is the time between two previews of one answer: quick enough to
// read along, and not a message per token.
const previewPause = 50 * time.Millisecond

// previewing returns a context in which the text of the answer is published
// while a model writes it, for those who follow the question. ended is to be
// called with the delivery's outputs; nothing is published after it. Outside the
// generator's stage there is no such text.
func (s *worker) previewing(ctx context.Context, in messages.Carrier) (_ context.Context, ended func(outs []messages.Message)) {
	if in.Kind() != messages.KindGenerate {
		return ctx, func([]messages.Message) {}
	}
	id, conn := in.Meta().ID, s.log.JetStream().Conn()
	subject := s.log.Names().Text(id)
	p := &previewer{pause: previewPause, now: s.opts.Now, publish: func(v messages.Preview) {
		v.ID = id
		// Plain NATS, at most once: what is lost is only a preview, and the server
		// drops at once what nobody listens to.
		_ = conn.Publish(subject, v.Encode())
	}}
	return preview.With(ctx, p), func(outs []messages.Message) {
		for _, out := range outs {
			if out.Kind() == messages.KindAnswer {
				p.close()
				return
			}
		}
		p.Restart() // the question goes on, and this text is not its answer
		p.close()
	}
}

// previewer publishes what is written to it, gathered for a pause. Whoever writes
// never waits for the network: a timer publishes, which close stops.
type previewer struct {
	pause   time.Duration
	now     func() time.Time
	publish func(messages.Preview)

	sending sync.Mutex // held while a preview is published, so that they go out in order

	mu      sync.Mutex  // guards the below
	text    []byte      // not published yet
	room    int         // how much more is published: MaxPreview less this is what was
	attempt int64       // 0: nothing was written
	n       int         // of the last preview of the attempt
	again   bool        // that the text begins anew is not published yet
	last    time.Time   // when the last preview went out
	timer   *time.Timer // nil unless one runs, or what it calls does
	closed  bool
}

// Restart implements preview.Sink.
func (p *previewer) Restart() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.attempt == 0 || p.closed || p.n == 0 && len(p.text) == 0 {
		return
	}
	p.again = p.again || p.n > 0
	p.text, p.n = p.text[:0], 0
	p.begin()
	p.wake()
}

// Write implements preview.Sink. What exceeds messages.MaxPreview is left out.
func (p *previewer) Write(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || text == "" {
		return
	}
	if p.attempt == 0 {
		p.room = messages.MaxPreview
		p.begin()
	}
	if len(text) > p.room {
		p.room = 0 // and no later piece is sent without this one
		return
	}
	p.room -= len(text)
	p.text = append(p.text, text...)
	p.wake()
}

// begin counts an attempt, with mu held.
func (p *previewer) begin() { p.attempt = max(p.attempt+1, p.now().UnixMilli()) }

// wake has what is there published after a pause, with mu held.
func (p *previewer) wake() {
	if p.closed || p.timer != nil || len(p.text) == 0 && !p.again {
		return
	}
	p.timer = time.AfterFunc(max(0, p.pause-p.now().Sub(p.last)), func() {
		p.send()
		p.mu.Lock()
		defer p.mu.Unlock()
		p.timer = nil
		p.wake()
	})
}

// send publishes what is there.
func (p *previewer) send() {
	p.sending.Lock()
	defer p.sending.Unlock()
	p.mu.Lock()
	if len(p.text) == 0 && !p.again {
		p.mu.Unlock()
		return
	}
	p.n++
	v := messages.Preview{N: p.n, Attempt: p.attempt, Text: string(p.text)}
	p.text, p.again, p.last = p.text[:0], false, p.now()
	p.mu.Unlock()
	p.publish(v)
}

// close publishes what is left; what is written later is dropped.
func (p *previewer) close() {
	p.mu.Lock()
	p.closed = true
	if p.timer != nil {
		p.timer.Stop()
	}
	p.mu.Unlock()
	p.send()
}
