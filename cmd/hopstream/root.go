package main

import "github.com/spf13/cobra"

// hopstreamProgram is the program with its commands.
var hopstreamProgram = program{
	name:  "hopstream",
	short: "Answers streams of questions over your own documents, multi-hop ones included",
	long: `hopstream answers streams of questions over your own documents.

Questions travel through a NATS JetStream pipeline: a router, a decomposer, a
retriever, a relevance filter, a multi-scale aligner, a generator, an
aggregator and an ending judge. Every question ends with exactly one answer.

Start with:  hopstream demo`,
	commands: []func(*app) *cobra.Command{
		newDemo, newUp, newIndex, newAsk, newStream, newEval, newBench,
		newTrace, newDead, newStatus, newCancel, newConfig, newSimOllama, newRevelatorData,
	},
}
