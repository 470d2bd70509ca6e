package messages

import (
	"bytes"
	"strconv"
	"sync"
)

// wired is a message with a fast form of its own. Every field stands in write
// and in read, in the order of the struct: a test compares both with
// encoding/json.
type wired interface {
	Message
	write(*writer)
	read(*reader)
}

// fastEncode returns m's JSON, or false if encoding/json must write it.
func fastEncode(m Message) ([]byte, bool) {
	f, ok := m.(wired)
	if !ok {
		return nil, false
	}
	w := writers.Get().(*writer)
	defer writers.Put(w)
	*w = writer{b: w.b[:0]}
	w.open()
	f.write(w)
	w.close()
	if w.bad {
		return nil, false
	}
	return bytes.Clone(w.b), true
}

// writers keeps buffers, so that encoding allocates its result and no more.
var writers = sync.Pool{New: func() any { return &writer{b: make([]byte, 0, 16<<10)} }}

// fastDecode reads data into m, or reports false if encoding/json must read
// it; m is then to be thrown away.
func fastDecode(m Message, data []byte) bool {
	f, ok := m.(wired)
	if !ok {
		return false
	}
	r := reader{s: string(data)}
	r.open()
	f.read(&r)
	r.close()
	return !r.bad && r.i == len(r.s)
}

func (e *Envelope) writeEnvelope(w *writer) {
	w.intOpt(`"v":`, e.V)
	w.strOpt(`"kind":`, string(e.K))
}

func (e *Envelope) readEnvelope(r *reader) {
	r.int(`"v":`, &e.V)
	r.str(`"kind":`, (*string)(&e.K))
}

func (h *Head) write(w *writer) {
	h.writeEnvelope(w)
	w.str(`"id":`, h.ID)
	w.uintOpt(`"seq":`, h.Seq)
	w.uintOpt(`"docs":`, h.Docs)
	w.intOpt(`"round":`, h.Round)
	w.intOpt(`"branch":`, h.Branch)
	w.intOpt(`"branches":`, h.Branches)
	w.strOpt(`"class":`, string(h.Class))
	h.PlanState.write(w)
	w.str(`"question":`, h.Question)
	w.time(`"asked":`, h.Asked)
	w.time(`"deadline":`, h.Deadline)
	w.key(`"budget":`)
	h.Budget.write(w)
	w.key(`"usage":`)
	h.Usage.write(w)
	if !h.Base.IsZero() {
		w.key(`"base":`)
		h.Base.write(w)
	}
	listOpt(w, `"pairs":`, h.Pairs, func(w *writer, p *Pair) { p.write(w) })
	w.strOpt(`"trace":`, h.Trace)
}

func (h *Head) read(r *reader) {
	h.readEnvelope(r)
	r.str(`"id":`, &h.ID)
	r.uint(`"seq":`, &h.Seq)
	r.uint(`"docs":`, &h.Docs)
	r.int(`"round":`, &h.Round)
	r.int(`"branch":`, &h.Branch)
	r.int(`"branches":`, &h.Branches)
	r.str(`"class":`, (*string)(&h.Class))
	h.PlanState.read(r)
	r.str(`"question":`, &h.Question)
	r.time(`"asked":`, &h.Asked)
	r.time(`"deadline":`, &h.Deadline)
	if r.field(`"budget":`) {
		h.Budget.read(r)
	}
	if r.field(`"usage":`) {
		h.Usage.read(r)
	}
	if r.field(`"base":`) {
		h.Base.read(r)
	}
	items(r, `"pairs":`, &h.Pairs, func(r *reader, p *Pair) { p.read(r) })
	r.str(`"trace":`, &h.Trace)
}

// A question's deadline and budget are rare, and left to encoding/json.
func (q *Question) write(w *writer) {
	q.writeEnvelope(w)
	w.strOpt(`"id":`, q.ID)
	w.str(`"question":`, q.Question)
	w.bad = w.bad || !q.Deadline.IsZero() || q.Budget != (Budget{})
	w.strOpt(`"class":`, string(q.Class))
	w.strOpt(`"strategy":`, string(q.Strategy))
}

func (q *Question) read(r *reader) {
	q.readEnvelope(r)
	r.str(`"id":`, &q.ID)
	r.str(`"question":`, &q.Question)
	r.str(`"class":`, (*string)(&q.Class))
	r.str(`"strategy":`, (*string)(&q.Strategy))
}

func (m *Plan) write(w *writer) {
	m.Head.write(w)
	list(w, `"queries":`, m.Queries, func(w *writer, q *string) { w.text(*q) })
	listOpt(w, `"answers":`, m.Answers, func(w *writer, n *int) { w.b = strconv.AppendInt(w.b, int64(*n), 10) })
}

func (m *Plan) read(r *reader) {
	m.Head.read(r)
	items(r, `"queries":`, &m.Queries, func(r *reader, q *string) { *q = r.text() })
	items(r, `"answers":`, &m.Answers, func(r *reader, n *int) { *n = int(r.number(strconv.IntSize)) })
}

func (m *Retrieve) write(w *writer) {
	m.Head.write(w)
	w.str(`"query":`, m.Query)
}

func (m *Retrieve) read(r *reader) {
	m.Head.read(r)
	r.str(`"query":`, &m.Query)
}

func (m *Filter) write(w *writer) {
	m.Head.write(w)
	w.str(`"query":`, m.Query)
	listOpt(w, `"passages":`, m.Passages, func(w *writer, p *Passage) { p.write(w) })
	w.namesOpt(`"degraded":`, m.Degraded)
}

func (m *Filter) read(r *reader) {
	m.Head.read(r)
	r.str(`"query":`, &m.Query)
	items(r, `"passages":`, &m.Passages, func(r *reader, p *Passage) { p.read(r) })
	r.namesOf(`"degraded":`, &m.Degraded)
}

func (m *Align) write(w *writer) {
	m.Head.write(w)
	w.str(`"query":`, m.Query)
	listOpt(w, `"passages":`, m.Passages, func(w *writer, p *Passage) { p.write(w) })
	w.namesOpt(`"degraded":`, m.Degraded)
}

func (m *Align) read(r *reader) {
	m.Head.read(r)
	r.str(`"query":`, &m.Query)
	items(r, `"passages":`, &m.Passages, func(r *reader, p *Passage) { p.read(r) })
	r.namesOf(`"degraded":`, &m.Degraded)
}

func (m *Generate) write(w *writer) {
	m.Head.write(w)
	w.strOpt(`"query":`, m.Query)
	listOpt(w, `"windows":`, m.Windows, func(w *writer, v *Window) { v.write(w) })
	w.strOpt(`"cut":`, m.Cut)
	writeSearch(w, m.Found, m.Degraded)
}

func (m *Generate) read(r *reader) {
	m.Head.read(r)
	r.str(`"query":`, &m.Query)
	items(r, `"windows":`, &m.Windows, func(r *reader, v *Window) { v.read(r) })
	r.str(`"cut":`, &m.Cut)
	readSearch(r, &m.Found, &m.Degraded)
}

func (m *Subanswer) write(w *writer) {
	m.Head.write(w)
	w.key(`"pair":`)
	m.Pair.write(w)
}

func (m *Subanswer) read(r *reader) {
	m.Head.read(r)
	if r.field(`"pair":`) {
		m.Pair.read(r)
	}
}

func (a *Answer) write(w *writer) {
	a.writeEnvelope(w)
	w.str(`"id":`, a.ID)
	w.str(`"question":`, a.Question)
	w.str(`"answer":`, a.Answer)
	w.str(`"status":`, string(a.Status))
	w.strOpt(`"class":`, string(a.Class))
	w.int(`"steps":`, a.Steps)
	w.uintOpt(`"docs_seq":`, a.DocsSeq)
	list(w, `"hops":`, a.Hops, func(w *writer, h *Hop) { h.write(w) })
	list(w, `"citations":`, a.Citations, func(w *writer, s *Source) { s.write(w) })
	w.key(`"usage":`)
	a.Usage.write(w)
	w.float(`"latency_ms":`, a.LatencyMS)
	w.strOpt(`"error":`, a.Error)
	w.strOpt(`"trace":`, a.Trace)
	writeClaims(w, a.Claims)
	w.strOpt(`"strategy":`, string(a.Strategy))
	w.strOpt(`"rerouted":`, string(a.Rerouted))
	w.boolOpt(`"repaired":`, a.Repaired)
}

func (a *Answer) read(r *reader) {
	a.readEnvelope(r)
	r.str(`"id":`, &a.ID)
	r.str(`"question":`, &a.Question)
	r.str(`"answer":`, &a.Answer)
	r.str(`"status":`, (*string)(&a.Status))
	r.str(`"class":`, (*string)(&a.Class))
	r.int(`"steps":`, &a.Steps)
	r.uint(`"docs_seq":`, &a.DocsSeq)
	items(r, `"hops":`, &a.Hops, func(r *reader, h *Hop) { h.read(r) })
	items(r, `"citations":`, &a.Citations, func(r *reader, s *Source) { s.read(r) })
	if r.field(`"usage":`) {
		a.Usage.read(r)
	}
	r.float(`"latency_ms":`, &a.LatencyMS)
	r.str(`"error":`, &a.Error)
	r.str(`"trace":`, &a.Trace)
	readClaims(r, &a.Claims)
	r.str(`"strategy":`, (*string)(&a.Strategy))
	r.str(`"rerouted":`, (*string)(&a.Rerouted))
	r.bool(`"repaired":`, &a.Repaired)
}
