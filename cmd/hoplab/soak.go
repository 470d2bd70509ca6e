package main

import (
	"time"

	"github.com/spf13/cobra"

	"hopstream/cmd/hoplab/bench"
	"hopstream/cmd/internal/cli"
)

func newSoak(a *cli.App) *cobra.Command {
	var o bench.SoakOptions
	cmd := &cobra.Command{
		Use:   "soak",
		Short: "Keep a pipeline busy for long, and see whether what it uses goes on growing",
		Long: `Keep a pipeline with an embedded server busy for long, with an engine that does
nothing, and print what the process uses: resident memory, heap, disk, open files,
goroutines. It fails if one of them goes on growing once the pipeline is warm. The
last row is of the process after it has rested for --idle.

What is kept is scaled down, so that it is full while the pipeline warms up:
traces for --keep, and of them, and of the answers, --keep-messages at most.`,
		Example: "  hoplab soak\n  hoplab soak --for 2m --warm 30s --every 10s --keep 10s --keep-messages 20000",
		Args:    cli.Exactly(0, "no arguments"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return bench.Soak(cmd.Context(), a, o) },
	}
	f := cmd.Flags()
	f.DurationVar(&o.For, "for", 30*time.Minute, "how long questions are asked")
	f.Float64Var(&o.Rate, "rate", 560, "questions a second")
	f.StringVar(&o.Profile, "profile", "single", "single, compound (of three), complex (two rounds), or mix")
	f.DurationVar(&o.Every, "every", time.Minute, "time between two rows")
	f.DurationVar(&o.Warm, "warm", 5*time.Minute, "time until when everything may grow")
	f.DurationVar(&o.Idle, "idle", time.Minute, "how long the process rests before the last row")
	f.Float64Var(&o.Growth, "max-growth", 0.1, "how much a figure may grow after --warm, as a share of its level")
	f.IntVar(&o.Open, "open", 256, "questions open at once")
	f.DurationVar(&o.Kept, "keep", 2*time.Minute, "how long traces are kept")
	f.Uint64Var(&o.Messages, "keep-messages", 150_000, "messages of traces that are kept, and answers")
	f.StringVar(&o.HeapTo, "heap-profile", "", "write a heap profile of the end to this file")
	f.BoolVar(&o.JSON, "json", false, "print JSON lines")
	cli.Values(cmd, "profile", bench.Profiles()...)
	return cmd
}
