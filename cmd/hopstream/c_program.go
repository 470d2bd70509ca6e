package main

import (
	"context"
	"errors"
	"fmt"
	"hopstream/cmd/internal/config"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// program is a program of commands.
type program struct {
	name, short, long string
	commands          []func(*app) *cobra.Command
}

// main runs the program over the process's arguments and streams, and ends
// the process with its exit code. A second signal ends it at once.
func (p *program) main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := p.run(ctx, stop, os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}

// run is the program without the process around it; it returns the exit code.
// A second signal ends the process at once, since stop restores the default
// handling.
func (p *program) run(ctx context.Context, stop func(), args []string, std stdio) int {
	context.AfterFunc(ctx, stop)
	err := p.root(std, args).ExecuteContext(ctx)
	var wrong usageError
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errSilent):
		return exitFail
	case errors.As(err, &wrong):
		fmt.Fprintf(std.err, "%s: %s\n", p.name, oneLine(err))
		return exitUsage
	}
	fmt.Fprintf(std.err, "%s: %s\n", p.name, explain(err))
	return exitFail
}

// root returns the program's command, which reads the configuration before it
// runs any of those below it.
func (p *program) root(std stdio, args []string) *cobra.Command {
	a := &app{stdio: std, name: p.name}
	root := &cobra.Command{
		Use: p.name, Short: p.short, Long: p.long,
		SilenceUsage: true, SilenceErrors: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown command %q (see: %s --help)", args[0], p.name)
			}
			return nil
		},
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return a.prepare(cmd) },
	}
	root.SetArgs(args)
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%w (see: %s --help)", err, cmd.CommandPath())
	})
	config.AddFlags(root.PersistentFlags())
	for _, command := range p.commands {
		root.AddCommand(command(a))
	}
	return root
}

// prepare reads the configuration and opens the log of a command.
func (a *app) prepare(cmd *cobra.Command) (err error) {
	a.load = func(preset string) (config.Config, error) {
		return config.Load(cmd.Root().PersistentFlags(), preset)
	}
	if a.cfg, err = a.load(""); err != nil {
		return asUsage(err)
	}
	a.log, err = newLogger(a.err, a.cfg.Log, cmd.Name() == "up")
	return err
}

// exactly is cobra.ExactArgs as a usage error that says what is wanted.
func exactly(n int, want string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return usagef("%s wants %s (see: %s --help)", cmd.CommandPath(), want, cmd.CommandPath())
		}
		return nil
	}
}
