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
--sim-latency, --sim-parallel of them at once.`,
		Example: `  hoplab bench
  hoplab bench --profile compound --questions 20000 --json
  hoplab bench --engine-real --docs corpus.jsonl --in questions.jsonl
  hoplab bench --engine ollama --sim-latency 200ms --sim-parallel 8`,
		Args: cli.Exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.Config.Engine == config.EngineOllama && !o.Real && !cmd.Flags().Changed("questions") {
				o.Questions = bench.ModelQuestions
			}
			return bench.Run(cmd.Context(), a, o)
		},
	}
	f := cmd.Flags()
	f.IntVar(&o.Questions, "questions", 5000, "questions per round (400 with --engine ollama)")
	f.StringVar(&o.Profile, "profile", "all", "single, compound (of three), complex (two rounds), mix, or all")
	f.IntVar(&o.Rounds, "rounds", 3, "rounds of pipeline and ceiling in turn")
	f.IntVar(&o.Window, "window", 256, "questions open at once")
	f.BoolVar(&o.JSON, "json", false, "print JSON lines")
	f.BoolVar(&o.Real, "engine-real", false, "measure the configured engine and index instead")
	f.StringArrayVar(&o.Docs, "docs", nil, "with --engine-real: the documents (default: generated ones)")
	f.IntVar(&o.Passages, "passages", 10_000, "with --engine-real: how many passages are generated")
	f.StringVar(&o.In, "in", "", "with --engine-real: the questions, as JSON lines")
	f.StringVar(&o.ProfileTo, "cpuprofile", "", "write a CPU profile of the rounds under load to this file")
	f.DurationVar(&o.Latency, "sim-latency", 200*time.Millisecond, "with --engine ollama: the simulated server's time per call")
	f.IntVar(&o.Parallel, "sim-parallel", 8, "with --engine ollama: the simulated server's calls at once")
	f.BoolVar(&o.Memory, "memory", false, "follow the resident memory over ten times --questions instead")
	cli.Values(cmd, "profile", append(bench.Profiles(), "all")...)
	return cmd
}
