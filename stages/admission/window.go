package admission

import "time"

// WindowOptions bound a window. Zero fields take the defaults named.
type WindowOptions struct {
	Least int // what keeps every slot of a stage busy; 64
	Most  int // 4,096, at least Least
}

// Window is how many questions may be in the pipeline at once. It is sized by
// trial: while questions wait, it is made larger by half, or doubled until the first
// trial fails; if that gained a third as much throughput, it stays and is made
// larger again, else it goes back and is left alone for a while. In between a
// smaller one is tried: if that costs next to nothing, it stays. It is not safe for
// concurrent use.
type Window struct {
	least, most int // of all routers
	routers     int
	size        int // of all routers

	blocked bool // somebody waited for a place in this interval
	began   time.Time
	count   int     // questions ended in this interval
	rate    float64 // before the trial
	before  int     // size before the trial; 0 if none is under way
	rest    int     // intervals until the next trial
	down    bool    // the next trial is of a smaller one
	failed  int     // trials in a row that gained nothing
	steady  bool    // a trial has failed
}

// NewWindow returns a window of the least size.
func NewWindow(o WindowOptions) *Window {
	if o.Least <= 0 {
		o.Least = 64
	}
	if o.Most <= 0 {
		o.Most = 4096
	}
	return &Window{least: o.Least, most: max(o.Least, o.Most), routers: 1, size: o.Least}
}

// Size is how many questions this router may have in the pipeline.
func (w *Window) Size() int { return max(1, (w.size+w.routers-1)/w.routers) }

// Reserve is how many more it may have, of those for whom it is kept: a quarter.
func (w *Window) Reserve() int { return max(1, w.Size()/4) }

func (w *Window) share(routers int) { w.routers = max(1, routers) }

const (
	// A rate is measured over so long at least, and over so many times the window's
	// questions; not over longer than tooLong.
	interval = 500 * time.Millisecond
	enough   = 3
	tooLong  = time.Minute
	// Intervals until the next trial, after one that gained nothing: twice as many
	// each time.
	settle, longest = 2, 64
	// A trial is half as much again, or as much less; at first twice as much.
	step, firstStep = 1.5, 2
	// loss is what a smaller window may cost of the throughput.
	loss = 0.97
)

// gain is what a larger window must gain of the throughput.
func gain(larger, before int) float64 { return 1 + (float64(larger)/float64(before)-1)/3 }

// ended counts a question that has ended, and judges the size after enough of them.
func (w *Window) ended(now time.Time) {
	if w.began.IsZero() {
		w.began = now
	}
	w.count++
	took := now.Sub(w.began)
	switch {
	case took > tooLong: // too few to tell
	case took < interval || w.count < enough*w.Size():
		return
	case w.blocked:
		w.judge(float64(w.count) / took.Seconds())
	case w.before > 0: // the throughput is that of those who ask
		w.size, w.before = w.before, 0
	}
	w.began, w.count, w.blocked = now, 0, false
}

// judge takes the throughput of an interval in which questions waited.
func (w *Window) judge(rate float64) {
	switch {
	case w.before > 0:
		w.conclude(rate)
		if w.rest > 0 {
			return
		}
	case w.rest > 0:
		w.rest--
		w.rate = rate
		return
	}
	w.try(rate)
}

// conclude ends a trial, and says by rest when the next is.
func (w *Window) conclude(rate float64) {
	larger := w.size > w.before
	if larger && rate >= gain(w.size, w.before)*w.rate || !larger && rate >= loss*w.rate {
		w.before, w.rest, w.failed, w.down = 0, 0, 0, !larger
		return
	}
	w.failed++
	w.steady = true
	w.size, w.before, w.rest = w.before, 0, min(longest, settle<<min(w.failed, 5))
	w.down = larger
}

// try begins a trial.
func (w *Window) try(rate float64) {
	w.before, w.rate = w.size, rate
	by := step
	if !w.steady {
		by = firstStep
	}
	if w.down {
		w.size = max(w.least, int(float64(w.size)/step))
	} else {
		w.size = min(w.most, int(float64(w.size)*by))
	}
	if w.size == w.before { // it cannot be tried
		w.before, w.down, w.rest = 0, !w.down, settle
	}
}
