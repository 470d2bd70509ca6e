package main

import (
	"time"

	"github.com/spf13/cobra"

	"hopstream/cmd/hoplab/bench"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
)

func newBench(a *cli.App) *cobra.Command {
	var o bench.Options
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Measure throughput and latency beside the raw JetStream ceiling",
		Long: `Measure what the pipeline itself costs. An engine and index that do nothing
answer; in the same run, plain JetStream workers (consume, publish, ack: no
write-once, no join, no deadline, no JSON) move messages of the same number and
size over the same hops: the ceiling. Rounds alternate between the two, and the
medians are compared. Latency is one question at a time.

With --engine-real the configured engine and index work, over --docs and --in,
or over a generated corpus; latency is then measured at half the throughput.

With --engine ollama the question is how well the pipeline uses a model: how
busy it keeps the server's slots under load, what it adds to the model's time
for one single-step question, and how many calls each class of question takes.
Unless --ollama-url names a server, one is simulated whose calls take
--sim-latency, --sim-parallel of them at once.

With --entities the questions are about so many things only, ten or so of each:
once with every question by itself, and once with their work on sub-queries and
their models' replies shared, as they are by default.

With --trace the rounds are run without and with OpenTelemetry tracing in turn, at
tracing.sample, and the rates of each pair are compared.
With --tenants so many of them ask, a few questions each at a time: first while
nobody else does, then while one of them has stored a flood of questions; and once
more with admission.fair off. Then everybody has stored questions, in --rounds pairs
with it and without; and three tenants of weights 1, 2 and 4 flood it.

With --speed every preset is measured with models that take a fifth of a second
to six seconds a call, one to sixteen calls at once: how questions end within
their deadline, how many calls they take and their paper allows, how busy the
server is, and how much of its prompts it would know. Times are scaled down.`,
		Example: `  hoplab bench
  hoplab bench --profile compound --questions 20000 --json
  hoplab bench --trace --rounds 9
  hoplab bench --engine-real --docs corpus.jsonl --in questions.jsonl
  hoplab bench --engine ollama --sim-latency 200ms --sim-parallel 8
  hoplab bench --tenants 100 --flood 100000
  hoplab bench --engine ollama --sim-latency 50ms --entities 100 --questions 1000`,
		Args: cli.Exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.Config.Engine == config.EngineOllama && !o.Real && !cmd.Flags().Changed("questions") {
				o.Questions = bench.ModelQuestions
			}
			if o.AtSpeeds && !cmd.Flags().Changed("passages") {
				o.Passages = bench.SpeedPassages
			}
			return bench.Run(cmd.Context(), a, o)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.Questions, "questions", 5000, "questions per round (400 with --engine ollama)")
	f.StringVar(&o.Profile, "profile", "all", "single, compound (of three), complex (two rounds), mix, or all")
	f.IntVar(&o.Rounds, "rounds", 3, "rounds of what is compared, in turn")
	f.IntVar(&o.Window, "window", 256, "questions open at once")
	f.BoolVar(&o.JSON, "json", false, "print JSON lines")
	f.BoolVar(&o.Real, "engine-real", false, "measure the configured engine and index instead")
	f.StringArrayVar(&o.Docs, "docs", nil, "with --engine-real: the documents (default: generated ones)")
	f.IntVar(&o.Passages, "passages", 10_000, "with --engine-real: how many passages are generated")
	f.StringVar(&o.In, "in", "", "with --engine-real: the questions, as JSON lines")
	f.StringVar(&o.ProfileTo, "cpuprofile", "", "write a CPU profile of the rounds under load to this file")
	f.DurationVar(&o.Latency, "sim-latency", 200*time.Millisecond, "with --engine ollama: the simulated server's time per call")
	f.IntVar(&o.Parallel, "sim-parallel", 8, "with --engine ollama: the simulated server's calls at once")
	f.BoolVar(&o.Traced, "trace", false, "measure what tracing costs instead: rounds without and with it, in pairs")
	f.BoolVar(&o.Memory, "memory", false, "follow the resident memory over ten times --questions instead")
	f.IntVar(&o.Entities, "entities", 0, "with --engine ollama: ask about so many things only, alone and with calls shared")
	f.IntVar(&o.Tenants, "tenants", 0, "measure what so many tenants get of the pipeline while one floods it")
	f.IntVar(&o.Flood.Questions, "flood", 100_000, "with --tenants: questions of the one that floods")
	f.IntVar(&o.Flood.Open, "tenant-open", 4, "with --tenants: questions that each of the others has open")
	f.DurationVar(&o.Flood.For, "for", 20*time.Second, "with --tenants: how long is measured")
	d := bench.SpeedDefaults()
	f.BoolVar(&o.AtSpeeds, "speed", false, "measure every preset with models of several speeds, simulated")
	f.StringSliceVar(&o.Speed.Presets, "speed-presets", d.Presets, "with --speed: the presets")
	f.DurationSliceVar(&o.Speed.Calls, "speed-calls", d.Calls, "with --speed: the models' times per call")
	f.IntSliceVar(&o.Speed.Parallel, "speed-parallel", d.Parallel, "with --speed: calls that their servers work on at once")
	f.DurationVar(&o.Speed.Deadline, "speed-deadline", d.Deadline, "with --speed: time of a question")
	f.Float64Var(&o.Speed.Scale, "speed-scale", d.Scale, "with --speed: what times are divided by; 0: what makes a call 100ms")
	cli.Values(cmd, "profile", append(bench.Profiles(), "all")...)
	return cmd
}
