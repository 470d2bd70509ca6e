package main

import (
	"github.com/spf13/cobra"

	"hopstream/cmd/internal/cli"
)

// former returns commands that hopstream had and hoplab has. They fail as wrong
// use, whatever follows them, and say where they went.
func former(names ...string) []func(*cli.App) *cobra.Command {
	var out []func(*cli.App) *cobra.Command
	for _, name := range names {
		out = append(out, func(*cli.App) *cobra.Command {
			return &cobra.Command{
				Use: name, Hidden: true, DisableFlagParsing: true,
				Args: func(*cobra.Command, []string) error {
					return cli.Usagef("%s is a command of hoplab now: use hoplab %[1]s", name)
				},
				RunE: func(*cobra.Command, []string) error { return nil }, // Args refuses it before
			}
		})
	}
	return out
}
