package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"strings"

	"hopstream/cmd/hoplab/score"
	"hopstream/cmd/internal/cli"
	"hopstream/messages"
)

// memoryRate is how many questions a second benchMemory asks: what the trace
// holds is this rate times the retention.
const memoryRate = 1000

// followMemory prints the resident memory while ten times o.questions go
// through one pipeline at a steady rate.
func followMemory(ctx context.Context, a *cli.App, o Options, profile string) (err error) {
	s, err := nullSession(ctx, a)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	for i := range 10 {
		latency, err := atRate(ctx, s, nullQuestions(profile, o.Questions), memoryRate, map[messages.Class]int{})
		if err != nil {
			return err
		}
		// What is live, and what the process holds once the rest is given back.
		debug.FreeOSMemory()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		fmt.Fprintf(a.Out, "%7d questions  RSS %4d MB  heap %4d MB  p50 %.1f ms\n", (i+1)*o.Questions, residentMB(), m.HeapAlloc>>20, score.Quantile(latency, .5))
	}
	return o.heap()
}

// heap writes a heap profile, where one was asked for.
func (o Options) heap() error {
	if o.ProfileTo == "" {
		return nil
	}
	f, err := os.Create(o.ProfileTo)
	if err != nil {
		return err
	}
	return errors.Join(pprof.WriteHeapProfile(f), f.Close())
}

// residentMB is the process's resident memory; 0 where /proc is not there.
func residentMB() int {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(b))
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.Atoi(fields[1])
	if err != nil {
		return 0
	}
	return pages * os.Getpagesize() >> 20
}

func cores() string { return strconv.Itoa(runtime.GOMAXPROCS(0)) + " cores" }
