package main

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/drain"
	"hopstream/cmd/internal/node"
	"hopstream/cmd/internal/session"
	"hopstream/stages"
	"hopstream/stages/pause"
)

// drainFlags are what is to be drained, and how it is told.
type drainFlags struct {
	stages, instance, reason        string
	list, questions, resume, asJSON bool
	timeout                         time.Duration
}

func newDrain(a *cli.App) *cobra.Command {
	var o drainFlags
	cmd := &cobra.Command{
		Use:   "drain",
		Short: "Have workers finish and end, or the pipeline run empty",
		Long: `Have running workers take no more messages, finish what they have, hand back what
takes longer than pipeline.grace, and end with exit code 0. A signal (SIGTERM) to a
worker does the same: where something starts workers again that end, such as compose
or Kubernetes, stop them there.

--stages chooses workers that run none but these stages, --instance one by the name
that --list shows.

With --questions no worker is ended: the router takes no more questions, which wait
in their stream, and those under way are finished. It holds, across restarts, until
--resume. Questions are still accepted, up to pipeline.max_open, and their deadlines
still count.`,
		Example: `  hopstream drain --list
  hopstream drain --stages retriever
  hopstream drain --instance worker7-4711
  hopstream drain --questions --reason "new wire version"
  hopstream drain --resume`,
		Args: cli.Exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			q, err := o.request()
			if err != nil {
				return err
			}
			return session.Inspect(cmd.Context(), a, func(s *session.Session) error {
				ctx, cancel := context.WithTimeout(cmd.Context(), o.timeout)
				defer cancel()
				switch {
				case o.resume:
					return o.set(ctx, a, s, pause.State{})
				case o.questions:
					return o.drainQuestions(ctx, a, s)
				case o.list:
					all, err := drain.Workers(ctx, s.Conn, q)
					if err != nil {
						return err
					}
					return o.print(a, all)
				}
				all, err := drain.Drain(ctx, s.Conn, q, func(all []drain.Report) { sayWorkers(a, all) })
				if err != nil {
					return err
				}
				return o.print(a, all)
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.stages, "stages", "all", "workers that run none but these comma-separated stages")
	f.StringVar(&o.instance, "instance", "", "one worker, by its name")
	f.BoolVar(&o.list, "list", false, "show the workers, and end none")
	f.BoolVar(&o.questions, "questions", false, "take no more questions, and wait until none is under way")
	f.BoolVar(&o.resume, "resume", false, "take questions again")
	f.StringVar(&o.reason, "reason", "", "with --questions: shown to whoever looks why questions wait")
	f.DurationVar(&o.timeout, "timeout", 5*time.Minute, "give up waiting after this time")
	f.BoolVar(&o.asJSON, "json", false, "print the result as JSON")
	cli.ListValues(cmd, "stages", stages.Names()...)
	return cmd
}

// request is what is asked of workers. It fails on flags that contradict each other.
func (o *drainFlags) request() (q drain.Request, err error) {
	modes := 0
	for _, on := range []bool{o.list, o.questions, o.resume} {
		if on {
			modes++
		}
	}
	workers := o.stages != "all" || o.instance != ""
	switch {
	case modes > 1:
		return q, cli.Usagef("choose one of --list, --questions and --resume")
	case workers && (o.questions || o.resume):
		return q, cli.Usagef("--stages and --instance choose workers; --questions and --resume concern all")
	case o.reason != "" && !o.questions:
		return q, cli.Usagef("--reason goes with --questions")
	case o.timeout <= 0:
		return q, cli.Usagef("--timeout %v: want more than 0", o.timeout)
	}
	q.Instance = o.instance
	if o.stages != "all" {
		table, err := stages.Select(o.stages)
		if err != nil {
			return q, cli.Usage(err)
		}
		for _, s := range table {
			q.Stages = append(q.Stages, s.Name)
		}
	}
	return q, nil
}

// set stores whether questions are taken, and says it.
func (o *drainFlags) set(ctx context.Context, a *cli.App, s *session.Session, state pause.State) error {
	if err := pause.New(s.Log, node.LogConfig(a.Config, a.Log)).Write(ctx, state); err != nil {
		return err
	}
	if state.Paused || o.asJSON && cli.WriteJSON(a.Out, state) == nil {
		return nil
	}
	_, err := fmt.Fprintln(a.Out, "questions are taken again")
	return err
}

// drainQuestions has no more questions taken, and waits until none is under way.
func (o *drainFlags) drainQuestions(ctx context.Context, a *cli.App, s *session.Session) error {
	state := pause.State{Paused: true, Since: time.Now().UTC().Truncate(time.Second), Reason: o.reason}
	if err := o.set(ctx, a, s, state); err != nil {
		return err
	}
	fmt.Fprintln(a.Err, state)
	left, err := drain.AwaitEmpty(ctx, s.Log, func(l drain.Left) {
		fmt.Fprintf(a.Err, "%s under way, %s between stages, %d waiting\n", cli.Plural(int(l.Underway), "question"), cli.Plural(int(l.Messages), "message"), l.Waiting)
	})
	if err != nil {
		return err
	}
	if o.asJSON {
		return cli.WriteJSON(a.Out, struct {
			pause.State
			drain.Left
		}{state, left})
	}
	_, err = fmt.Fprintf(a.Out, "empty: nothing is under way; %s waiting for --resume\n", cli.Plural(int(left.Waiting), "question"))
	return err
}

// sayWorkers is the progress: a line for each worker.
func sayWorkers(a *cli.App, all []drain.Report) {
	for _, r := range all {
		fmt.Fprintf(a.Err, "%s %s, %d in flight\n", r.Instance, r.State, r.InFlight)
	}
}

// print prints the workers' reports.
func (o *drainFlags) print(a *cli.App, all []drain.Report) error {
	if o.asJSON {
		return cli.WriteJSONLines(a.Out, all)
	}
	w := tabwriter.NewWriter(a.Out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "worker\tstate\tin flight\tversion\tstages")
	for _, r := range all {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\n", r.Instance, r.State, r.InFlight, r.Version, r.List())
	}
	return w.Flush()
}
