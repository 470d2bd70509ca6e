package memory

import (
	"log/slog"
	"math"
	"runtime/debug"
	"testing"
)

// TestLimit is not parallel: a process has one limit.
func TestLimit(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	log := slog.New(slog.DiscardHandler)
	debug.SetMemoryLimit(math.MaxInt64)
	if got := Available(3 << 30); got != 3<<30 {
		t.Errorf("%d bytes are available, of those configured", got)
	}
	whole := Available(0)
	if whole < 1<<26 || whole >= 1<<60 {
		t.Errorf("this machine has %d bytes", whole)
	}
	Limit(0, log)
	if got := debug.SetMemoryLimit(-1); uint64(got) != whole || Available(5<<30) != whole {
		t.Errorf("the limit is %d, of %d", got, whole)
	}
	Limit(2<<30, log)
	if got := debug.SetMemoryLimit(-1); got != 2<<30 {
		t.Errorf("the limit is %d", got)
	}
	t.Setenv("GOMEMLIMIT", "1GiB") // which the runtime read when the process started
	debug.SetMemoryLimit(1 << 30)
	Limit(2<<30, log)
	if got := debug.SetMemoryLimit(-1); got != 1<<30 {
		t.Errorf("the environment does not win: %d", got)
	}
}

// TestIdle holds when memory is given back: after a minute with little to do, if
// there is any.
func TestIdle(t *testing.T) {
	t.Parallel()
	const mb = 1 << 20
	was := state{allocated: 1000 * mb}
	for name, c := range map[string]struct {
		is   state
		want bool
	}{
		"idle":            {state{allocated: 1010 * mb, live: 100 * mb, held: 300 * mb}, true},
		"busy":            {state{allocated: 2000 * mb, live: 100 * mb, held: 300 * mb}, false},
		"nothing to give": {state{allocated: 1010 * mb, live: 100 * mb, held: 170 * mb}, false},
	} {
		if got := c.is.idleSince(was); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if s := look(); s.allocated == 0 || s.held == 0 || s.held > 1<<40 {
		t.Errorf("%+v", s)
	}
}
