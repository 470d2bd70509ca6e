package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hopstream/cmd/internal/broker"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/seeds"
	"hopstream/stages/grants"
)

func newNATS(a *cli.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "nats",
		Short: "Users of the NATS server: what each may do, their keys, the server's configuration",
		Long: `Users of the NATS server that may do what they have to, and no more. Every stage is
a user called like it; client asks questions, indexer writes documents, operator
looks inside and stops questions, metrics reads how far the stages are behind, setup
makes streams, consumers and buckets (see: hopstream setup).
A user is known by an nkey. Its seed is a file, NAME.nk, which only its process has
(setting nats.nkey); the server's configuration holds the public half.`,
		Example: "  hopstream nats users router\n  hopstream nats config --seeds keys/ > users.conf",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.Usagef("unknown command %q (see: hopstream nats --help)", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newNATSUsers(a), newNATSConfig(a), newNATSRotate(a))
	return cmd
}

// who are the users that a command is about.
type who struct {
	app             *cli.App
	groups, tenants []string
	seeds           string
}

// flags adds the flags that name users.
func (w *who) flags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&w.groups, "group", nil, "a user for a process that runs several stages: NAME=STAGE,STAGE… (repeatable)")
	cmd.Flags().StringArrayVar(&w.tenants, "tenant", nil, "a client that asks as one tenant only: NAME=TENANT (repeatable)")
}

// users returns them all. It fails, as wrong use, on names that are none.
func (w *who) users() ([]grants.User, error) {
	o, err := broker.Grants(&w.app.Config)
	if err != nil {
		return nil, err
	}
	all := o.Users()
	for _, flag := range []struct {
		name   string
		values []string
		user   func(name, of string) (grants.User, error)
	}{
		{"group", w.groups, func(name, of string) (grants.User, error) {
			rows, err := w.app.Config.Table(of)
			return o.Group(name, rows), err
		}},
		{"tenant", w.tenants, func(name, of string) (grants.User, error) { return o.Tenant(name, of), grants.CheckName(of) }},
	} {
		for _, v := range flag.values {
			name, of, ok := strings.Cut(v, "=")
			if !ok || of == "" {
				return nil, cli.Usagef("--%s %q: want NAME=%s", flag.name, v, map[string]string{"group": "STAGE,STAGE", "tenant": "TENANT"}[flag.name])
			}
			err := grants.CheckName(name)
			if slices.ContainsFunc(all, func(u grants.User) bool { return u.Name == name }) {
				err = fmt.Errorf("there is a user %q already", name)
			}
			var u grants.User
			if err == nil {
				u, err = flag.user(name, of)
			}
			if err != nil {
				return nil, cli.Usagef("--%s: %w", flag.name, err)
			}
			all = append(all, u)
		}
	}
	return all, nil
}

func newNATSUsers(a *cli.App) *cobra.Command {
	w := &who{app: a}
	cmd := &cobra.Command{
		Use:   "users [NAME...]",
		Short: "List the users, or what some may do and why",
		Example: `  hopstream nats users
  hopstream nats users router
  hopstream nats users --group reason=decomposer,judge,aggregator reason`,
		RunE: func(_ *cobra.Command, args []string) error {
			all, err := w.users()
			if err != nil {
				return err
			}
			for _, name := range args {
				if !slices.ContainsFunc(all, func(u grants.User) bool { return u.Name == name }) {
					return cli.Usagef("there is no user %q (see: hopstream nats users)", name)
				}
			}
			for _, u := range all {
				switch {
				case len(args) == 0:
					fmt.Fprintf(a.Out, "%-12s %3d permissions  %s\n", u.Name, len(u.Grants), u.About)
				case slices.Contains(args, u.Name):
					fmt.Fprintf(a.Out, "%s: %s\n", u.Name, u.About)
					for _, g := range u.Grants {
						fmt.Fprintf(a.Out, "  %-9s  %-70s  %s\n", g.Allow, g.Subject, g.Why)
					}
				}
			}
			return nil
		},
	}
	w.flags(cmd)
	return cmd
}

func newNATSConfig(a *cli.App) *cobra.Command {
	w := &who{app: a}
	var account string
	cmd := &cobra.Command{
		Use:   "config --seeds DIR",
		Short: "Print the users as a block of the NATS server's configuration; make seeds that are missing",
		Long: `Print the users with their public keys and permissions, as a block that
nats-server.conf includes. Seeds that are missing are made in the folder, one file
NAME.nk for each user, which only you can read; those that are there stay, so that
the command can be repeated. The permissions depend on the configuration: give the
workers' own. Have the server read its configuration again with:
nats-server --signal reload`,
		Example: `  hopstream nats config --seeds keys/ > users.conf      # nats-server.conf: include users.conf
  hopstream nats config --seeds keys/ --group reason=decomposer,judge,aggregator
  hopstream nats config --seeds keys/ --account acme    # an account beside others`,
		Args: cli.Exactly(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			if w.seeds == "" {
				return cli.Usagef("name the folder of the seeds with --seeds DIR")
			}
			if account != "" && grants.CheckName(strings.ToLower(account)) != nil {
				return cli.Usagef("--account %q: want letters, digits, - and _", account)
			}
			all, err := w.users()
			if err != nil {
				return err
			}
			keyed := make([]grants.Keyed, len(all))
			for i, u := range all {
				keyed[i].User = u
				if keyed[i].Keys, err = seeds.Folder(w.seeds).Keys(u.Name); err != nil {
					return fmt.Errorf("--seeds: %w", err)
				}
			}
			return grants.WriteConf(a.Out, account, keyed)
		},
	}
	w.flags(cmd)
	cmd.Flags().StringVar(&w.seeds, "seeds", "", "folder of the seeds")
	cmd.Flags().StringVar(&account, "account", "", "print an account of this name, instead of users of a server without accounts")
	return cmd
}

func newNATSRotate(a *cli.App) *cobra.Command {
	var dir string
	var finish bool
	cmd := &cobra.Command{
		Use:   "rotate --seeds DIR NAME...",
		Short: "Replace the keys of users while they work",
		Long: `Replace the keys of users while they work:
  1. rotate makes the next seed, NAME.next.nk. Print the configuration again and
     have the server reload it: it then knows both keys.
  2. rotate --finish puts the next seed in place of NAME.nk. Give it to the
     processes: they read the file at every connection.
  3. Print the configuration again and have the server reload it: it forgets the
     old key and closes its connections, which come back with the new one.`,
		Example: "  hopstream nats rotate --seeds keys/ judge\n  hopstream nats rotate --seeds keys/ --finish judge",
		Args:    cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if dir == "" || len(args) == 0 {
				return cli.Usagef("want --seeds DIR and the names of users (see: hopstream nats rotate --help)")
			}
			for _, name := range args {
				step := seeds.Folder(dir).Next
				if finish {
					step = seeds.Folder(dir).Replace
				}
				if err := grants.CheckName(name); err != nil {
					return cli.Usage(err)
				}
				if err := step(name); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
			next := "the server is to know both keys: print its configuration and reload it, then rotate --finish"
			if finish {
				next = "give the new seeds to the processes, then print the server's configuration and reload it"
			}
			fmt.Fprintln(a.Out, next)
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "seeds", "", "folder of the seeds")
	cmd.Flags().BoolVar(&finish, "finish", false, "the server knows the next key: put it in place of the old one")
	return cmd
}
