package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/telemetry"
)

func newVersion(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the build: version, Go, platform",
		Example: "  hopstream version",
		Args:    cli.Exactly(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.Out, telemetry.Build(a.Name))
			return err
		},
	}
}
