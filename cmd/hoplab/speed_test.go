package main

import (
	"encoding/json"
	"strings"
	"testing"

	"hopstream/cmd/hoplab/bench"
	"hopstream/cmd/internal/cmdtest"
	"hopstream/messages"
)

// speeds runs cells of the table of speeds over few passages.
func speeds(t *testing.T, args ...string) (rows []bench.Speed) {
	t.Helper()
	config := cmdtest.TempFile(t, "c.yaml", "engine: ollama\nmodels: {embedder: {name: vectors}}\n")
	o := hoplab(t, "", append([]string{"bench", "--speed", "--json", "--config", config, "--passages", "120"}, args...)...).Exits(0)
	for line := range strings.Lines(o.Out) {
		var r bench.Speed
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		rows = append(rows, r)
	}
	return rows
}

// ended fails unless every question ended with what was found within its time, in
// no more calls than the paper has.
func ended(t *testing.T, r *bench.Speed) {
	t.Helper()
	if n := r.Ended(messages.Answered, messages.Partial); n != r.Questions || n == 0 {
		t.Errorf("%s: of %d questions %d were answered: %v", r.Preset, r.Questions, n, r.Statuses)
	}
	if r.Over > 0 || r.Calls < 1 {
		t.Errorf("%s: %d questions took more calls than its paper has: %.1f, at most %d of %d", r.Preset, r.Over, r.Calls, r.Most, r.Bound)
	}
	if r.Prefix <= 0 || r.Prefix >= 1 {
		t.Errorf("%s: %v of the prompts known", r.Preset, r.Prefix)
	}
}

// timed passes a test over in a short run. A shortened second makes the worker's
// own milliseconds dearer by the same factor; the race detector, which runs short,
// makes them ten times dearer once more, and nothing of a model's time is left.
func timed(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("measures time, at a shortened second: not with -short")
	}
}

// TestSlotsAreKeptBusy holds that with three questions open for each of a server's
// slots hardly any of their time is lost, and that all are answered. It does not
// run beside other tests, and is tried again where the machine had other work.
func TestSlotsAreKeptBusy(t *testing.T) {
	timed(t)
	var busy []float64
	for range 4 {
		for _, r := range speeds(t, "--speed-presets", "hopstream", "--speed-calls", "6s", "--speed-parallel", "2", "--speed-scale", "40", "--questions", "12") {
			ended(t, &r)
			if r.Statuses[messages.Answered] != r.Questions {
				t.Errorf("%v", r.Statuses)
			}
			if r.Utilisation >= 0.95 {
				return
			}
			busy = append(busy, r.Utilisation)
		}
	}
	t.Errorf("slots are busy %.3f of the time", busy)
}

// TestTimeRunsOut gives questions a fifth of the time that they would take: each
// ends with what was found until then.
func TestTimeRunsOut(t *testing.T) {
	timed(t)
	t.Parallel()
	rows := speeds(t, "--speed-presets", "hopstream,hanrag", "--speed-calls", "6s", "--speed-parallel", "2", "--speed-scale", "20",
		"--speed-deadline", "75s", "--questions", "18")
	if len(rows) != 2 {
		t.Errorf("%d rows", len(rows))
	}
	for _, r := range rows {
		ended(t, &r)
		if r.Statuses[messages.Partial] == 0 {
			t.Errorf("%s had time enough: %v", r.Preset, r.Statuses)
		}
	}
}
