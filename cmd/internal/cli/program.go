package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"hopstream/cmd/internal/config"
)

// Program is a program of commands, each made for the App that it runs in.
type Program struct {
	Name, Short, Long string
	Version           string // what --version prints
	Commands          []func(*App) *cobra.Command
}

// Main runs the program over the process's arguments and streams, and ends
// the process with its exit code. A second signal ends it at once.
func (p *Program) Main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := p.Run(ctx, stop, os.Args[1:], Stdio{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}

// Run is the program without the process around it; it returns the exit code.
// A second signal ends the process at once, since stop restores the default
// handling.
func (p *Program) Run(ctx context.Context, stop func(), args []string, std Stdio) int {
	context.AfterFunc(ctx, stop)
	err := p.Root(std, args).ExecuteContext(ctx)
	var wrong usageError
	var stopped interruption
	switch {
	case err == nil:
		return ExitDone
	case errors.Is(err, ErrSilent):
		return ExitFail
	case errors.As(err, &wrong):
		fmt.Fprintf(std.Err, "%s: %s\n", p.Name, OneLine(err))
		return ExitUsage
	case errors.As(err, &stopped):
		fmt.Fprintf(std.Err, "%s: %s\n", p.Name, OneLine(stopped))
		return ExitInterrupted
	}
	fmt.Fprintf(std.Err, "%s: %s\n", p.Name, explain(err))
	return ExitFail
}

// Root returns the program's command, which reads the configuration before it
// runs any of those below it.
func (p *Program) Root(std Stdio, args []string) *cobra.Command {
	a := &App{Stdio: std, Name: p.Name}
	root := &cobra.Command{
		Use: p.Name, Short: p.Short, Long: p.Long, Version: p.Version,
		SilenceUsage: true, SilenceErrors: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return Usagef("unknown command %q (see: %s --help)", args[0], p.Name)
			}
			return nil
		},
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error { return a.prepare(cmd) },
	}
	root.SetArgs(args)
	root.SetIn(std.In)
	root.SetOut(std.Out)
	root.SetErr(std.Err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return Usagef("%w (see: %s --help)", err, cmd.CommandPath())
	})
	config.AddFlags(root.PersistentFlags())
	for _, command := range p.Commands {
		root.AddCommand(command(a))
	}
	root.SetVersionTemplate("{{.Version}}\n")
	completeGlobal(root)
	return root
}

// prepare reads the configuration and opens the log of a command.
func (a *App) prepare(cmd *cobra.Command) (err error) {
	if name := cmd.Name(); name == cobra.ShellCompRequestCmd || name == cobra.ShellCompNoDescRequestCmd {
		return nil // a shell asks for values, whatever the configuration
	}
	a.load = func(preset string, settings map[string]any) (config.Config, error) {
		return config.LoadWith(cmd.Root().PersistentFlags(), preset, settings)
	}
	if a.Config, err = a.load("", nil); err != nil {
		return Usage(err)
	}
	a.Log, err = NewLogger(a.Err, a.Config.Log, cmd.Name() == "up")
	return err
}

// Exactly is cobra.ExactArgs as a usage error that says what is wanted.
func Exactly(n int, want string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return Usagef("%s wants %s (see: %s --help)", cmd.CommandPath(), want, cmd.CommandPath())
		}
		return nil
	}
}
