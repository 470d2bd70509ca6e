package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/inspect"
	"hopstream/cmd/internal/node"
	"hopstream/cmd/internal/session"
	"hopstream/messages"
	"hopstream/stages/admission"
	"hopstream/stages/log"
)

func newTenants(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "tenants",
		Short: "Share the pipeline among tenants: weights, bounds, pauses",
		Long: `A question belongs to the tenant that it names ("tenant", or ask and stream
--tenant), or else to "default". While more wait than the pipeline takes, each
tenant gets its share: by its weight, 1 unless set. What is set holds at once, for
all workers; what is not set needs no setting up.

Interactive questions go before normal and these before bulk ones of their tenant,
and find room where others wait.`,
		Example: "  hopstream tenants set acme --weight 4",
		Args:    cli.Exactly(0, "one of ls, set, pause, resume, reset"),
		RunE: func(*cobra.Command, []string) error {
			return cli.Usagef("tenants wants one of ls, set, pause, resume, reset (see: hopstream tenants --help)")
		},
	}
	cmd.AddCommand(newTenantsLs(a), newTenantsSet(a),
		newTenantsPause(a, true, "pause NAME", "Have a tenant's questions wait, up to their deadline"),
		newTenantsPause(a, false, "resume NAME", "Go on with a tenant's questions"), newTenantsReset(a))
	return cmd
}

func newTenantsLs(a *cli.App) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "ls", Short: "List the tenants that have settings or open questions", Args: cli.Exactly(0, "no arguments"),
		Example: "  hopstream tenants ls --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return session.Inspect(cmd.Context(), a, func(s *session.Session) error {
				all, err := inspect.Tenants(cmd.Context(), s)
				if err != nil {
					return err
				}
				if asJSON {
					return cli.WriteJSONLines(a.Out, all)
				}
				w := tabwriter.NewWriter(a.Out, 0, 4, 2, ' ', 0)
				fmt.Fprintln(w, "tenant\tweight\topen\tmax open\tstate")
				for _, t := range all {
					most, state := "–", ""
					if t.MaxOpen > 0 {
						most = fmt.Sprint(t.MaxOpen)
					}
					if t.Paused {
						state = "paused"
					}
					fmt.Fprintf(w, "%s\t%g\t%d\t%s\t%s\n", t.Name, t.Weight, t.Open, most, state)
				}
				return w.Flush()
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON lines")
	return cmd
}

// withTenants runs fn over the settings of the tenant named by the only argument.
func withTenants(a *cli.App, cmd *cobra.Command, name string, fn func(context.Context, *log.Tenants) error) error {
	if err := messages.CheckTenant(name); err != nil {
		return cli.Usage(err)
	}
	return session.Inspect(cmd.Context(), a, func(s *session.Session) error {
		return fn(cmd.Context(), s.Log.Tenants(node.LogConfig(a.Config, a.Log)))
	})
}

// changeTenant changes what is set, and says what is set then.
func changeTenant(a *cli.App, cmd *cobra.Command, name string, change func(*admission.Tenant)) error {
	return withTenants(a, cmd, name, func(ctx context.Context, all *log.Tenants) error {
		t, err := all.Change(ctx, name, change)
		if err != nil {
			return err
		}
		return cli.WriteJSON(a.Out, inspect.NewTenant(name, t, 0).Settings())
	})
}

func newTenantsSet(a *cli.App) *cobra.Command {
	var set admission.Tenant
	cmd := &cobra.Command{
		Use: "set NAME", Short: "Set a tenant's weight, or how many questions it may have open",
		Example: "  hopstream tenants set acme --weight 4\n  hopstream tenants set acme --max-open 500",
		Args:    cli.Exactly(1, "one NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			weight, most := cmd.Flags().Changed("weight"), cmd.Flags().Changed("max-open")
			if !weight && !most {
				return cli.Usagef("tenants set wants --weight or --max-open")
			}
			if weight && set.Weight == 0 {
				return cli.Usagef("--weight 0: between %v and %v; to stop a tenant: hopstream tenants pause", admission.LeastWeight, float64(admission.MostWeight))
			}
			if err := set.Validate(); err != nil {
				return cli.Usage(err)
			}
			return changeTenant(a, cmd, args[0], func(t *admission.Tenant) {
				if weight {
					t.Weight = set.Weight
				}
				if most {
					t.MaxOpen = set.MaxOpen
				}
			})
		},
	}
	cmd.Flags().Float64Var(&set.Weight, "weight", 1, "share of the pipeline, relative to other tenants'")
	cmd.Flags().IntVar(&set.MaxOpen, "max-open", 0, "questions open at once; 0: no bound of its own")
	return cmd
}

func newTenantsPause(a *cli.App, paused bool, use, short string) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: cli.Exactly(1, "one NAME"),
		Example: "  hopstream tenants " + strings.Replace(use, "NAME", "acme", 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return changeTenant(a, cmd, args[0], func(t *admission.Tenant) { t.Paused = paused })
		},
	}
}

func newTenantsReset(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use: "reset NAME", Short: "Remove what is set for a tenant", Args: cli.Exactly(1, "one NAME"),
		Example: "  hopstream tenants reset acme",
		RunE: func(cmd *cobra.Command, args []string) error {
			return withTenants(a, cmd, args[0], func(ctx context.Context, all *log.Tenants) error {
				if err := all.Reset(ctx, args[0]); err != nil {
					return err
				}
				_, err := fmt.Fprintln(a.Out, "reset", args[0])
				return err
			})
		},
	}
}
