package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/knadh/koanf/parsers/yaml"
	"github.com/knadh/koanf/providers/structs"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/cobra"

	"hopstream/stages/engine/model"
	"hopstream/stages/engine/roles"
)

func newConfig(a *app) *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Print the effective configuration as YAML, or check its models",
		Long: `Print the effective configuration as YAML: defaults, then the configuration
file, then the environment (HOPSTREAM_, nesting by two underscores, such as
HOPSTREAM_PIPELINE__MAX_OPEN=500), then flags. The output is a valid
configuration file; passwords in URLs and API keys are left out.

With --check, ask the servers for every configured model instead, and say who
answers which role.`,
		Example: `  hopstream config
  hopstream config --check --engine ollama --model qwen2.5:7b`,
		Args: exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if check {
				return a.checkModels(cmd.Context())
			}
			return a.printConfig()
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "ask the servers for every configured model; exit 1 if one is missing")
	return cmd
}

func (a *app) printConfig() error {
	k := koanf.New(".")
	if err := k.Load(structs.Provider(a.cfg.redacted(), "koanf"), nil); err != nil {
		return err
	}
	b, err := k.Marshal(yaml.Parser())
	if err != nil {
		return err
	}
	_, err = a.out.Write(b)
	return err
}

// checkModels prints who answers which role, and whether they are there.
func (a *app) checkModels(ctx context.Context) error {
	table, err := a.cfg.table("all")
	if err != nil {
		return err
	}
	e, err := newEngines(&a.cfg, table, nil, a.log)
	if err != nil {
		return err
	}
	defer e.close()
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	results := map[*model.Model]error{}
	var failed error
	w := tabwriter.NewWriter(a.out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "ROLE\tENGINE\tMODEL\tSERVER\tSTATE")
	for _, r := range roles.Names() {
		m := e.models[r]
		if m == nil {
			fmt.Fprintf(w, "%s\t%s\t\t\tready\n", r, engineBuiltin)
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
		c := a.cfg.model(r)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", r, c.API, m.Name(), m.Server(), state)
	}
	return errors.Join(failed, w.Flush())
}
