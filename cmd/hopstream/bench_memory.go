package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// benchMemory prints the resident memory while ten times o.questions go
// through one pipeline, at a short retention.
func (a *app) benchMemory(ctx context.Context, o benchOptions, profile string) (err error) {
	s, err := a.benchSession(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	for i := range 10 {
		p, err := s.askAll(ctx, benchQuestions(profile, o.questions), o.window)
		if err != nil {
			return err
		}
		runtime.GC()
		fmt.Fprintf(a.out, "%7d questions  RSS %4d MB  %.0f/s\n", (i+1)*o.questions, residentMB(), p.qps)
	}
	return nil
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
