package main

import (
	"github.com/spf13/cobra"

	"hopstream/cmd/internal/cli"
)

// hopstreamProgram is the program with its commands.
var hopstreamProgram = cli.Program{
	Name:  "hopstream",
	Short: "Answers streams of questions over your own documents, multi-hop ones included",
	Long: `hopstream answers streams of questions over your own documents.

Questions travel through a NATS JetStream pipeline: a router, a decomposer, a
retriever, a relevance filter, a multi-scale aligner, a generator, an
aggregator and an ending judge. Every question ends with exactly one answer.

Start with:  hopstream demo`,
	Commands: []func(*cli.App) *cobra.Command{
		newDemo, newUp, newIndex, newAsk, newStream, newEval, newBench,
		newTrace, newDead, newStatus, newCancel, newConfig, newSimOllama, newRevelatorData,
	},
}
