package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hopstream/cmd/hoplab/bench"
	"hopstream/cmd/internal/cmdtest"
	"hopstream/messages"
)

func TestBench(t *testing.T) {
	t.Parallel()
	o := hoplab(t, "", "bench", "--questions", "20", "--rounds", "1", "--profile", "single", "--json").Exits(0)
	var r bench.Result
	if err := json.Unmarshal([]byte(o.Out), &r); err != nil || r.Profile != "single" || r.Questions != 20 || r.QPS <= 0 || r.Ceiling <= 0 || r.P50MS <= 0 || r.Messages != 6 {
		t.Errorf("%v: %s", err, o.Out)
	}
	for _, strategy := range messages.Strategies() { // each of two rounds of one sub-query
		config := cmdtest.TempFile(t, "c.yaml", "strategy: {complex: "+string(strategy)+"}\n")
		o = hoplab(t, "", "bench", "--config", config, "--questions", "10", "--rounds", "1", "--profile", "complex", "--json").Exits(0)
		if err := json.Unmarshal([]byte(o.Out), &r); err != nil || r.Messages != 17 {
			t.Errorf("%s: %v: %s", strategy, err, o.Out)
		}
	}
	docs := cmdtest.Corpus(t)
	text, _ := cmdtest.SampleLines(t)
	profile := filepath.Join(t.TempDir(), "cpu.pprof")
	o = hoplab(t, "", "bench", "--engine-real", "--cpuprofile", profile, "--questions", "12", "--rounds", "1", "--docs", docs, "--in", cmdtest.TempFile(t, "q.jsonl", text), "--json").Exits(0)
	profiled(t, profile)
	var real bench.RealResult
	if err := json.Unmarshal([]byte(o.Out), &real); err != nil || real.QPS <= 0 || real.Passages != 64 || len(real.Classes) != 4 {
		t.Errorf("%v: %s", err, o.Out)
	}
}

// TestBenchModel is not parallel: a process has one CPU profile at a time, and
// TestBench writes one too.
func TestBenchModel(t *testing.T) {
	docs := cmdtest.Corpus(t)
	_, all := cmdtest.SampleLines(t)
	var in strings.Builder
	for i := range 100 {
		fmt.Fprintf(&in, "{\"question\":%q}\n", fmt.Sprintf("%s (%d)", all[i%len(all)].Question, i))
	}
	questions := cmdtest.TempFile(t, "q.jsonl", in.String())
	profile := filepath.Join(t.TempDir(), "cpu.pprof")
	o := hoplab(t, "", "bench", "--engine", "ollama", "--cpuprofile", profile, "--sim-latency", "10ms", "--sim-parallel", "2", "--questions", "30", "--json", "--docs", docs, "--in", questions).Exits(0)
	profiled(t, profile)
	var r bench.ModelResult
	if err := json.Unmarshal([]byte(o.Out), &r); err != nil {
		t.Fatal(err)
	}
	if r.Utilisation <= 0 || r.Utilisation > 1 || r.Prefix <= 0 || r.Prefix >= 1 || r.ModelMS < 30 || r.Overhead <= 0 || r.CallsPerS <= 0 || len(r.Classes) < 3 {
		t.Errorf("%+v", r)
	}
}

// TestBenchShared holds that questions about the same things cost at most half the
// calls where they share them, and get the same answers.
func TestBenchShared(t *testing.T) {
	t.Parallel()
	o := hoplab(t, "", "bench", "--engine", "ollama", "--sim-latency", "5ms", "--entities", "10", "--questions", "100", "--window", "16", "--json").Exits(0)
	var r bench.SharedResult
	if err := json.Unmarshal([]byte(o.Out), &r); err != nil {
		t.Fatal(err)
	}
	if r.Questions != 100 || r.Entities != 10 || r.Alone < 300 || 2*r.Shared > r.Alone || r.Taken == 0 || r.Taken >= r.SubQueries || r.Differ != 0 {
		t.Errorf("%+v", r)
	}
	hoplab(t, "", "bench", "--entities", "10").Complains(2, "--entities wants --engine ollama")
}

// TestBenchTrace holds that rounds without and with tracing are compared, and that
// spans are exported.
func TestBenchTrace(t *testing.T) {
	t.Parallel()
	o := hoplab(t, "", "bench", "--trace", "--profile", "single", "--rounds", "1", "--questions", "50", "--json").Exits(0)
	var r bench.TraceResult
	if err := json.Unmarshal([]byte(o.Out), &r); err != nil {
		t.Fatal(err)
	}
	if r.Profile != "single" || r.Pairs != 1 || r.Sample != 0.1 || r.Off <= 0 || r.On <= 0 || r.Ratio != r.On/r.Off || r.Bytes == 0 {
		t.Errorf("%+v", r)
	}
}

// profiled fails unless the file holds a profile.
func profiled(t *testing.T, path string) {
	t.Helper()
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		t.Errorf("no CPU profile in %s (%v)", path, err)
	}
}

// TestBenchTenants holds that the other tenants are answered beside a flood in half
// of the time that they wait behind it, and that weights count. It runs beside
// no other test, and not in short: it measures time.
func TestBenchTenants(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time")
	}
	for try := 1; ; try++ { // other packages' tests may take the cores for a second
		o := hoplab(t, "", "bench", "--tenants", "10", "--flood", "8000", "--tenant-open", "1", "--for", "1s", "--rounds", "1", "--profile", "single", "--json").Exits(0)
		var r bench.TenantsResult
		if err := json.Unmarshal([]byte(o.Out), &r); err != nil || len(r.Rows) != 3 {
			t.Fatalf("%v: %s", err, o.Out)
		}
		fair, fifo := r.Rows[1], r.Rows[2]
		if 2*fair.P50MS <= fifo.P50MS && r.RateRatio >= .5 && r.Deviation <= .3 {
			break
		}
		if try == 3 {
			t.Errorf("three times in a row, %+v", r)
			break
		}
	}
	hoplab(t, "", "bench", "--tenants", "1").Complains(2, "--tenants is between")
}
