package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"hopstream/cmd/internal/broker"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/node"
)

func newSetup(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "setup",
		Short: "Make the streams, consumers and buckets, for workers that may not",
		Long: `Make the streams, the stages' consumers and the buckets on the NATS server, or
change them into what the configuration says; then end. What is there as it should
be is left alone, so that it can be run again at any time.
Workers make these things themselves if their user may. Where users have only the
permissions that hopstream nats config prints, run this first, as the user setup,
with the configuration that the workers have; and again when it changes.`,
		Example: "  hopstream setup --nats tls://10.0.0.5:4222",
		Args:    cli.Exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := broker.Connect(cmd.Context(), a.Config, "", a.Log)
			if err != nil {
				return err
			}
			defer l.Close()
			if err := node.Setup(cmd.Context(), a.Config, a.Log, l); err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.Out, "streams, consumers and buckets of %s are there (%s)\n", l.Names.Prefix(), where(l))
			return err
		},
	}
}

// where says which server a connection is to.
func where(l *broker.Conn) string {
	if l.URL == "" {
		return "embedded server"
	}
	return config.RedactURL(l.URL)
}
