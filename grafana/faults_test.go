//go:build faults

package grafana

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// fault is something that goes wrong with a running system.
type fault struct {
	name string
	// ask are the questions that are asked meanwhile, one each time span; nil: the
	// sample's, ten a second.
	ask   func(*testing.T) []question
	every time.Duration
	// fresh has the workers started anew before: they learn from a model's replies
	// how long prompts are.
	fresh bool
	// harm does the damage.
	harm func(t *testing.T, s *system)
	// fires are the alerts that follow, all of them.
	fires []string
	// mend follows the alerts' runbooks.
	mend func(t *testing.T, s *system, b runbook)
}

// runbook is what the runbooks of a fault's alerts say.
type runbook string

// says holds that a runbook tells to do this.
func (b runbook) says(t *testing.T, line string) {
	t.Helper()
	if !strings.Contains(string(b), line) {
		t.Errorf("no runbook says %q", line)
	}
}

// remembers are the alerts over hours and days, which outlast the trouble by
// design: that they end is held over made-up figures.
var remembers = []string{"HopstreamAvailabilitySlowBurn", "HopstreamLatencySlowBurn"}

// TestFaults does each damage to a running system, and holds that exactly the
// alerts fire that are expected, each within two evaluations of the moment when its
// condition has held for as long as it must, and that they end when somebody does
// what their runbooks say.
func TestFaults(t *testing.T) {
	prometheus := prometheusBinary(t)
	bin := build(t, programs...)
	for _, g := range []struct {
		name   string
		start  func(t *testing.T, bin string) *system
		faults []fault
	}{
		{"models", startModels, modelFaults()},
		{"replies", startModels, replyFaults()},
		{"workers", startWorkers, workerFaults()},
		{"questions", startQuestions, questionFaults()},
		{"index", startIndex, indexFaults()},
		{"flood", startFlood, floodFaults()},
		{"cluster", startCluster, clusterFaults()},
		{"disk", startDisk, diskFaults()},
	} {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			s := g.start(t, bin)
			for _, f := range g.faults {
				if !t.Run(f.name, func(t *testing.T) { inject(t, prometheus, s, f) }) {
					break // what is not mended would be taken for the next fault
				}
			}
		})
	}
}

// inject does one damage, and mends it.
func inject(t *testing.T, prometheus string, s *system, f fault) {
	if f.fresh {
		for name, w := range s.workers {
			w.stop(t)
			s.up(t, name)
		}
	}
	w := watch(t, prometheus, s.instances())
	ask, every := f.ask, f.every
	if ask == nil {
		ask, every = sampleQuestions, 100*time.Millisecond
	}
	stop := s.keepAsking(t, every, ask(t))
	f.harm(t, s)
	all := func() bool {
		now := w.firing(t)
		return !slices.ContainsFunc(f.fires, func(a string) bool { return !slices.Contains(now, a) })
	}
	soon(t, 240, "all fire: "+strings.Join(f.fires, ", "), func() string { return w.explain(t) }, all)
	f.mend(t, s, runbooks(t, f.fires))
	stop()
	quiet := func() bool {
		return !slices.ContainsFunc(w.firing(t), func(a string) bool { return !slices.Contains(remembers, a) })
	}
	soon(t, 240, "the alerts end", func() string { return w.explain(t) }, quiet)
	soon(t, 240, "no question is open", func() string { return s.run(t, "hopstream status") }, func() bool {
		return len(w.instant(t, `max(hopstream_open_questions) + sum(hopstream_stage_lag) == 0`)) == 1
	})
	if got := w.fired(t); !slices.Equal(got, f.fires) {
		t.Errorf("fired %v, want %v: %s", got, f.fires, w.explain(t))
	}
	for _, a := range f.fires {
		if late := w.late(t, a); late < -2 || late > 2 {
			t.Errorf("%s fired %d evaluations after it was due", a, late)
		}
	}
}

// soon waits for a condition, for as long as so many evaluations last, and says how
// things are where that is in vain. A slow machine is given time: that nothing is
// late is what late says.
func soon(t *testing.T, most int, what string, how func() string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(step)
	defer tick.Stop()
	for deadline := time.Now().Add(time.Duration(most) * evaluateEvery); !ok(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("not within %d evaluations: %s: %s", most, what, how())
		}
	}
}

// runbooks returns the text of the alerts' runbooks.
func runbooks(t *testing.T, alerts []string) runbook {
	t.Helper()
	var all strings.Builder
	for _, a := range alerts {
		text, err := os.ReadFile("runbooks/" + a + ".md")
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return runbook(all.String())
}
