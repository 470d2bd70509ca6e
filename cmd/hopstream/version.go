package main

import (
	"fmt"
	"runtime"

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
			_, err := fmt.Fprintf(a.Out, "hopstream %s %s %s/%s\n", telemetry.Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}
