package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/engines"
	"hopstream/stages/engine/model"
	"hopstream/stages/engine/roles"
)

func newConfig(a *cli.App) *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print the effective configuration as YAML, or check its models",
		Long: `Print the effective configuration as YAML: defaults, then the configuration
file, then the environment (HOPSTREAM_, nesting by two underscores, such as
HOPSTREAM_PIPELINE__MAX_OPEN=500), then flags. Above each key stands what it
means, and its default where it has another value. The output is a valid
configuration file; passwords in URLs and API keys are left out.

With --check, ask the servers for every configured model instead, and say who
answers which role.`,
		Example: `  hopstream config
  hopstream config --check --engine ollama --model qwen2.5:7b`,
		Args: cli.Exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if check {
				return checkModels(cmd.Context(), a)
			}
			text, err := a.Config.YAML()
			if err != nil {
				return err
			}
			for _, note := range a.Config.Notes() {
				fmt.Fprintf(a.Out, "# %s.\n", note)
			}
			_, err = a.Out.Write(text)
			return err
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "ask the servers for every configured model; exit 1 if one is missing")
	return cmd
}

// checkModels prints who answers which role, and whether they are there.
func checkModels(ctx context.Context, a *cli.App) error {
	table, err := a.Config.Table("all")
	if err != nil {
		return err
	}
	e, err := engines.New(&a.Config, table, nil, nil, a.Log, nil)
	if err != nil {
		return err
	}
	defer e.Close()
	ctx, cancel := context.WithTimeout(ctx, engines.CheckTime)
	defer cancel()
	results := map[*model.Model]error{}
	var failed error
	w := tabwriter.NewWriter(a.Out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "ROLE\tENGINE\tMODEL\tSERVER\tSTATE")
	for _, r := range roles.Names() {
		m := e.Models[r]
		if m == nil {
			fmt.Fprintf(w, "%s\t%s\t\t\tready\n", r, config.EngineBuiltin)
			continue
		}
		if _, ok := results[m]; !ok {
			results[m] = m.Check(ctx)
			failed = errors.Join(failed, results[m])
		}
		state := "ready"
		if results[m] != nil {
			state = "not ready"
		}
		c := a.Config.Model(r)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", r, c.API, m.Name(), m.Server(), state)
	}
	return errors.Join(failed, w.Flush())
}
