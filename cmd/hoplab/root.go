package main

import (
	"github.com/spf13/cobra"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/telemetry"
)

// program is hoplab with its commands.
var program = cli.Program{
	Name: "hoplab", Version: telemetry.Build("hoplab").String(),
	Short: "Measures hopstream: answers, throughput, the use of models; makes training data",
	Long: `hoplab measures hopstream, configured as hopstream is: its answers on data sets
(eval), its throughput beside the raw ceiling (bench), what it uses when it is
kept busy for long (soak), its presets beside their
papers (papers). It serves a simulated model (sim-ollama), fits the weights of
the engine that needs none (train), says what each of that engine's rules changes
(rules), reduces WordNet for it (wordnet) and makes training data
(revelator-data).

Start with:  hoplab bench`,
	Commands: []func(*cli.App) *cobra.Command{newEval, newBench, newSoak, newSimOllama, newTrain, newRevelatorData, newPapers, newRules, newWordNet},
}
