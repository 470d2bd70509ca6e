package main

import (
	"strings"

	"github.com/spf13/cobra"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/telemetry"
	"hopstream/stages"
)

// program is hopstream with its commands.
var program = cli.Program{
	Name: "hopstream", Version: telemetry.Build("hopstream").String(),
	Short: "Answers streams of questions over your own documents, multi-hop ones included",
	Long: `hopstream answers streams of questions over your own documents.

Questions travel through the stages of a NATS JetStream pipeline:
` + strings.Join(stages.Names(), ", ") + `.
Every question ends with exactly one answer.

Start with:  hopstream demo`,
	Commands: append([]func(*cli.App) *cobra.Command{
		newDemo, newUp, newSetup, newIndex, newDocs, newSearch, newAsk, newStream,
		newTrace, newLs, newDead, newStatus, newTenants, newArchive, newCancel, newDrain, newNATS, newConfig, newVersion,
	}, former("eval", "bench", "sim-ollama", "revelator-data")...),
}
