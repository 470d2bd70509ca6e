package main

import (
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"hopstream/cmd/internal/config"
)

// stdio are the process's streams: results go to out, everything else to err.
type stdio struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// terminal reports whether w is one, so that progress may be drawn on it.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && (isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()))
}

// app is what every command starts from.
type app struct {
	stdio
	cfg config.Config
	log *slog.Logger
	// load reads the configuration again, with another preset.
	load func(preset string) (config.Config, error)
	// lacks is the part that was left out to see what it is worth.
	lacks string
}

func newRoot(std stdio, args []string) *cobra.Command {
	a := &app{stdio: std}
	root := &cobra.Command{
		Use:   "hopstream",
		Short: "Answers streams of questions over your own documents, multi-hop ones included",
		Long: `hopstream answers streams of questions over your own documents.

Questions travel through a NATS JetStream pipeline: a router, a decomposer, a
retriever, a relevance filter, a multi-scale aligner, a generator, an
aggregator and an ending judge. Every question ends with exactly one answer.

Start with:  hopstream demo`,
		SilenceUsage: true, SilenceErrors: true,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown command %q (see: hopstream --help)", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			a.load = func(preset string) (config.Config, error) {
				cfg, err := config.Load(cmd.Root().PersistentFlags(), preset)
				if err != nil {
					return cfg, usageError{err}
				}
				return cfg, nil
			}
			cfg, err := a.load("")
			if err != nil {
				return err
			}
			a.cfg = cfg
			a.log, err = newLogger(std.err, cfg.Log, cmd.Name() == "up")
			return err
		},
	}
	root.SetArgs(args)
	root.SetIn(std.in)
	root.SetOut(std.out)
	root.SetErr(std.err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%w (see: %s --help)", err, cmd.CommandPath())
	})
	config.AddFlags(root.PersistentFlags())
	root.AddCommand(
		newDemo(a), newUp(a), newIndex(a), newAsk(a), newStream(a), newEval(a), newBench(a),
		newTrace(a), newDead(a), newStatus(a), newCancel(a), newConfig(a), newSimOllama(a), newRevelatorData(a),
	)
	return root
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

func newLogger(w io.Writer, c config.LogConfig, chatty bool) (*slog.Logger, error) {
	level := slog.LevelWarn
	if chatty {
		level = slog.LevelInfo
	}
	if c.Level != "" {
		if err := level.UnmarshalText([]byte(c.Level)); err != nil {
			return nil, usagef("log level %q: choose debug, info, warn or error", c.Level)
		}
	}
	opts := &slog.HandlerOptions{Level: level}
	switch c.Format {
	case "", "text":
		return slog.New(slog.NewTextHandler(w, opts)), nil
	case "json":
		return slog.New(slog.NewJSONHandler(w, opts)), nil
	}
	return nil, usagef("log format %q: choose text or json", c.Format)
}

// oneLine makes an error one line.
func oneLine(err error) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(err.Error(), "\n", "; ")), " ")
}

// preset returns a that runs as the named preset says, wherever the user did
// not say otherwise.
func (a *app) preset(name string) (*app, error) {
	cfg, err := a.load(name)
	if err != nil {
		return nil, err
	}
	b := *a
	b.cfg = cfg
	return &b, nil
}
