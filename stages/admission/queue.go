package admission

import (
	"context"
	"sync"
	"time"

	"hopstream/messages"
)

// Options are a queue's. Zero fields take the defaults named.
type Options struct {
	Window WindowOptions
	Now    func() time.Time // time.Now
}

// Queue holds the questions that were read ahead of every lane and not admitted
// yet, and counts those that were admitted and have not ended. It is safe for
// concurrent use.
type Queue[T any] struct {
	now func() time.Time

	mu       sync.Mutex // guards all below
	tenants  map[string]*tenant[T]
	list     []*tenant[T] // the same, in no order: the next is looked for among all
	settings map[string]Tenant
	window   *Window
	open     map[string]*admitted // by ID
	virtual  float64              // start time of the last one admitted
	waiting  int
	wake     chan struct{} // something may be admitted
}

// tenant is one that has questions here.
type tenant[T any] struct {
	name  string
	at    int             // its place in the list
	set   Tenant          // what is set for it
	lines [3][]Waiting[T] // by rank
	open  int
	start float64 // virtual time of its next question
}

// Waiting is a question that was read ahead.
type Waiting[T any] struct {
	ID     string
	Lane   messages.Lane
	Stored time.Time
	Item   T
}

// admitted is a question in the pipeline.
type admitted struct {
	lane   messages.Lane
	at     time.Time
	looked time.Time // when it was last looked for
}

// New returns an empty queue.
func New[T any](o Options) *Queue[T] {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Queue[T]{now: o.Now, tenants: map[string]*tenant[T]{}, settings: map[string]Tenant{},
		window: NewWindow(o.Window), open: map[string]*admitted{}, wake: make(chan struct{}, 1)}
}

// Offer adds a question to those that wait. One that was admitted before, and comes
// again, is not offered: then Offer returns false, and it is to be worked on at
// once.
func (q *Queue[T]) Offer(w Waiting[T]) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, again := q.open[w.ID]; again {
		return false
	}
	name, p := w.Lane.Of()
	t := q.tenant(name)
	if t.waits() == 0 {
		t.start = max(t.start, q.virtual)
	}
	t.lines[rank(p)] = append(t.lines[rank(p)], w)
	q.waiting++
	q.signal()
	return true
}

func (q *Queue[T]) tenant(name string) *tenant[T] {
	t := q.tenants[name]
	if t == nil {
		t = &tenant[T]{name: name, at: len(q.list), set: q.settings[name], start: q.virtual}
		q.tenants[name], q.list = t, append(q.list, t)
	}
	return t
}

func (t *tenant[T]) waits() int { return len(t.lines[0]) + len(t.lines[1]) + len(t.lines[2]) }

// head returns the rank of the question that is the tenant's next.
func (t *tenant[T]) head() int {
	for i := range t.lines {
		if len(t.lines[i]) > 0 {
			return i
		}
	}
	return -1
}

// Next waits until a question is admitted, and returns it. It fails when ctx ends.
// One goroutine calls it.
func (q *Queue[T]) Next(ctx context.Context) (Waiting[T], error) {
	for {
		if w, ok := q.Try(); ok {
			return w, nil
		}
		select {
		case <-q.wake:
		case <-ctx.Done():
			return Waiting[T]{}, ctx.Err()
		}
	}
}

// Try is Next without waiting: ok is false if no question can be admitted now.
func (q *Queue[T]) Try() (w Waiting[T], ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.waiting == 0 {
		return w, false
	}
	t := q.turn()
	if t == nil {
		q.window.blocked = true
		return w, false
	}
	line := t.head()
	w = t.lines[line][0]
	t.lines[line][0] = Waiting[T]{} // let go of the item
	if t.lines[line] = t.lines[line][1:]; len(t.lines[line]) == 0 {
		t.lines[line] = nil
	}
	q.waiting--
	t.open++
	q.virtual = max(q.virtual, t.start)
	t.start = max(t.start, q.virtual) + 1/t.set.weight()
	now := q.now()
	q.open[w.ID] = &admitted{w.Lane, now, now}
	return w, true
}

// End says that the question of an ID has ended; one that was not admitted here is
// none of the queue's affair.
func (q *Queue[T]) End(id string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	a := q.open[id]
	if a == nil {
		return
	}
	delete(q.open, id)
	name, _ := a.lane.Of()
	t := q.tenants[name]
	t.open--
	q.forget(t)
	q.window.ended(q.now())
	q.signal()
}

// forget drops a tenant that has nothing here and is not ahead of the others.
func (q *Queue[T]) forget(t *tenant[T]) {
	if t.open == 0 && t.waits() == 0 && t.start <= q.virtual {
		last := len(q.list) - 1
		q.list[t.at] = q.list[last]
		q.list[t.at].at = t.at
		q.list[last] = nil
		q.list = q.list[:last]
		delete(q.tenants, t.name)
	}
}

// Set replaces what is set for tenants, by name.
func (q *Queue[T]) Set(settings map[string]Tenant) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.settings = settings
	for name, t := range q.tenants {
		t.set = settings[name]
		q.forget(t)
	}
	q.signal()
}

// Share says among how many routers the window is divided.
func (q *Queue[T]) Share(routers int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.window.share(routers)
	q.signal()
}

// Drain removes and returns all that waits.
func (q *Queue[T]) Drain() []Waiting[T] {
	q.mu.Lock()
	defer q.mu.Unlock()
	var all []Waiting[T]
	for _, t := range q.tenants {
		for i := range t.lines {
			all = append(all, t.lines[i]...)
			t.lines[i] = nil
		}
	}
	q.waiting = 0
	return all
}

// Old returns up to n questions that were admitted so long ago that it is to be
// seen whether they have ended: each one again after twice its age.
func (q *Queue[T]) Old(after time.Duration, n int) map[string]messages.Lane {
	q.mu.Lock()
	defer q.mu.Unlock()
	now, old := q.now(), map[string]messages.Lane{}
	for id, a := range q.open {
		if now.Sub(a.looked) >= max(after, a.looked.Sub(a.at)) {
			if len(old) == n {
				break
			}
			a.looked, old[id] = now, a.lane
		}
	}
	return old
}

// Figures are a tenant's.
type Figures struct{ Open, Waiting int }

// State returns the window's size, and every tenant's figures, by name.
func (q *Queue[T]) State() (window int, tenants map[string]Figures) {
	q.mu.Lock()
	defer q.mu.Unlock()
	tenants = make(map[string]Figures, len(q.tenants))
	for name, t := range q.tenants {
		tenants[name] = Figures{t.open, t.waits()}
	}
	return q.window.Size(), tenants
}

// Size returns how many questions may be admitted and unfinished, and how many
// are.
func (q *Queue[T]) Size() (window, open int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.window.Size(), len(q.open)
}

// signal wakes Next. The caller holds the lock.
func (q *Queue[T]) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}
