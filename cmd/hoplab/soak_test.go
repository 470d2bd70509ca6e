package main

import (
	"encoding/json"
	"strings"
	"testing"

	"hopstream/cmd/hoplab/bench"
)

// TestSoak keeps a pipeline busy for some seconds: what it uses levels off, and what
// it keeps is within its bounds. It does not run beside other tests.
func TestSoak(t *testing.T) {
	timed(t)
	o := hoplab(t, "", "soak", "--for", "20s", "--warm", "11s", "--every", "2s", "--idle", "1s", "--rate", "150", "--keep", "4s", "--keep-messages", "4000", "--max-growth", "0.5", "--json").Exits(0)
	var last bench.Level
	n := 0
	for line := range strings.Lines(o.Out) {
		if err := json.Unmarshal([]byte(line), &last); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		n++
	}
	if n < 4 || !last.Idle || last.Questions < 1000 || last.Files == 0 || last.Disk <= 0 || last.RSS <= 0 || last.Goroutines == 0 {
		t.Errorf("%d rows, the last of them %+v", n, last)
	}
	hoplab(t, "", "soak", "--for", "1m", "--warm", "5m").Complains(2, "--for 1m0s: at least")
	hoplab(t, "", "soak", "--rate", "0").Complains(2, "more than 0")
}
