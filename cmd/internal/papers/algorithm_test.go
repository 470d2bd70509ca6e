package papers

import (
	"fmt"
	"strings"
	"testing"
)

// step is a call, or several steps in order, or several side by side.
type step struct {
	call     string
	inOrder  []step
	together []step
}

// call is one call.
func call(format string, args ...any) step { return step{call: fmt.Sprintf(format, args...)} }

// inOrder are steps one after the other; none is nothing at all.
func inOrder(steps ...step) step { return step{inOrder: steps} }

// together are steps that do not wait for each other.
func together(steps ...step) step { return step{together: steps} }

// times are n calls side by side.
func times(n int, s step) step {
	out := step{together: make([]step, n)}
	for i := range out.together {
		out.together[i] = s
	}
	return out
}

// each are the steps of several questions, side by side.
func each(of func(q string) step, questions ...string) step {
	var out step
	for _, q := range questions {
		out.together = append(out.together, of(q))
	}
	return out
}

// walk is how far calls followed a step.
type walk struct {
	step
	done  bool
	under []*walk
}

func begin(s step) *walk {
	w := &walk{step: s}
	for _, u := range append(s.inOrder, s.together...) {
		w.under = append(w.under, begin(u))
	}
	return w
}

// take follows one call, and reports whether it is one of those that come next.
func (w *walk) take(call string) bool {
	if w.call != "" {
		ok := !w.done && w.call == call
		w.done = w.done || ok
		return ok
	}
	for _, u := range w.under {
		if u.finished() {
			continue
		}
		if u.take(call) {
			return true
		}
		if w.inOrder != nil {
			return false
		}
	}
	return false
}

// finished reports whether nothing is left.
func (w *walk) finished() bool {
	if w.call != "" {
		return w.done
	}
	return len(w.next()) == 0
}

// next are the calls that may come now.
func (w *walk) next() []string {
	if w.call != "" {
		if w.done {
			return nil
		}
		return []string{w.call}
	}
	var out []string
	for _, u := range w.under {
		more := u.next()
		if out = append(out, more...); w.inOrder != nil && len(more) > 0 {
			break
		}
	}
	return out
}

// follows fails the test at the first call that is none of the algorithm's next, and
// where the algorithm does not come to its end.
func follows(t *testing.T, calls []string, algorithm step) {
	t.Helper()
	w := begin(algorithm)
	for i, c := range calls {
		if !w.take(c) {
			t.Fatalf("call %d is %q, and the paper's next are %q; all calls:\n%s", i+1, c, w.next(), strings.Join(calls, "\n"))
		}
	}
	if next := w.next(); len(next) > 0 {
		t.Fatalf("after %d calls the paper goes on with %q; all calls:\n%s", len(calls), next, strings.Join(calls, "\n"))
	}
}

// TestFollows makes sure that the comparison bites.
func TestFollows(t *testing.T) {
	t.Parallel()
	algorithm := inOrder(call("a"), together(inOrder(call("b"), call("c")), times(2, call("d"))), call("e"))
	for calls, want := range map[string]bool{
		"a b c d d e": true, "a d b d c e": true, "a d d b c e": true,
		"a c b d d e": false, "a b c d e": false, "b a c d d e": false, "a b c d d d e": false, "a b c d d": false, "a b c d d e e": false,
	} {
		w, ok := begin(algorithm), true
		for c := range strings.FieldsSeq(calls) {
			ok = ok && w.take(c)
		}
		if got := ok && w.finished(); got != want {
			t.Errorf("%s follows: %v", calls, got)
		}
	}
}
