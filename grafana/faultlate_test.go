//go:build faults

package grafana

import (
	"math"
	"slices"
	"testing"
)

// evaluations is recorded with every evaluation of a group of rules.
const evaluations = "test_evaluations"

// late returns by how many evaluations an alert fired later than its condition had
// held for as long as it must. Only evaluations that took place count, and what they
// saw: those that a busy machine left out make nothing late.
//
// Two are allowed. The server stores a sample under the time when it began to ask,
// which may be just before an evaluation that does not see it yet; and where a
// scrape lasts as long as it may, the next evaluation does not see it either.
func (w *watcher) late(t *testing.T, alert string) int {
	t.Helper()
	a := w.alerts[alert]
	var times []int64 // of evaluations, in milliseconds
	for _, s := range w.raw(t, evaluations+`{group="`+a.group+`"}`) {
		for _, v := range s.Values {
			times = append(times, millis(v))
		}
	}
	due, first := -1, -1
	for _, s := range w.raw(t, `ALERTS{alertstate="firing", alertname="`+alert+`"}`) {
		if i := slices.Index(times, millis(s.Values[0])); i >= 0 && (first < 0 || i < first) {
			first = i
		}
	}
	if len(times) > 0 {
		for _, s := range w.history(t, a.expr, float64(times[0])/1000) {
			held := map[int64]bool{}
			for _, v := range s.Values {
				held[millis(v)] = true
			}
			if i := dueAt(times, held, a.hold.Milliseconds()); i >= 0 && (due < 0 || i < due) {
				due = i
			}
		}
	}
	switch {
	case first < 0:
		t.Errorf("%s: due with evaluation %d, fired with none of %d", alert, due, len(times))
		return 0
	case due < 0:
		// It ended as soon as it fired, and samples that came in later, under earlier
		// times, make the condition shorter than the evaluations saw it: not late.
		return 0
	}
	return first - due
}

// dueAt returns the first of the evaluations by which a condition had held for so
// long, or -1.
func dueAt(times []int64, held map[int64]bool, hold int64) int {
	since := int64(-1)
	for i, at := range times {
		switch {
		case !held[at]:
			since = -1
			continue
		case since < 0:
			since = at
		}
		if at-since >= hold {
			return i
		}
	}
	return -1
}

func millis(s sample) int64 { return int64(math.Round(s.time() * 1000)) }

func TestDueAt(t *testing.T) {
	t.Parallel()
	times := []int64{0, 500, 1000, 2500, 3000, 3500} // two were left out
	for want, held := range map[int]map[int64]bool{
		1:  {0: true, 500: true},
		4:  {0: true, 2500: true, 3000: true},
		-1: {0: true, 1000: true, 3000: true, 2000: true},
	} {
		if got := dueAt(times, held, 500); got != want {
			t.Errorf("%v: %d, want %d", held, got, want)
		}
	}
}
