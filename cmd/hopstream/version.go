package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/telemetry"
)

func newVersion(a *cli.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the build: version, Go, platform, wire version, commit",
		Example: "  hopstream version --json",
		Args:    cli.Exactly(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			b := telemetry.Build(a.Name)
			if asJSON {
				return cli.WriteJSON(a.Out, b)
			}
			_, err := fmt.Fprintln(a.Out, b)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}
