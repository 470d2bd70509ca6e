package main

import (
	"github.com/spf13/cobra"

	"hopstream/cmd/internal/bulk"
	"hopstream/cmd/internal/cli"
	"hopstream/messages"
)

func newStream(a *cli.App) *cobra.Command {
	var o bulk.Options
	cmd := &cobra.Command{
		Use:   "stream",
		Short: "Answer questions in bulk: JSONL in, JSONL out as the answers come",
		Long: `Read questions as JSON lines, {"id","question","deadline","budget","class",
"strategy","priority","tenant"}, all but the question optional, and write one answer line
per question as the answers come, in no particular order. A class
(straightforward, single, compound, complex) goes before the router's, a strategy
(refine, plan, supplement) before the configuration's, a priority (interactive,
normal, bulk) before --priority, a tenant before --tenant.

The pipeline admits, and a busy model serves, interactive questions before normal ones, and these before
bulk ones, as these are unless told: whoever asks meanwhile ("hopstream ask")
does not wait for the batch.

A line that cannot be asked is reported on standard error with its number; if
it names a question at all, it gets an answer line with status "failed". The
rest of the batch goes on, and the exit code is 1. An ID that was answered
before gets the answer that is stored.

With --resume, questions that have a line in --out already are left out, so an
interrupted run goes on where it stopped. Without it a file that holds something
is refused, unless --force says to replace it.

An answer line carries the quotes that the answer rests on ("evidence"), and
standard error tells at the end how many questions ended how; unanswered are
those that the documents do not answer.`,
		Example: `  hopstream stream --docs corpus.jsonl --in questions.jsonl --out answers.jsonl
  hopstream stream --in questions.jsonl --out answers.jsonl --resume
  cat questions.jsonl | hopstream stream --nats nats://10.0.0.5:4222 > answers.jsonl`,
		Args: cli.Exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.Resume && (o.Out == "" || o.Out == "-") {
				return cli.Usagef("--resume needs --out FILE, where the answers so far are")
			}
			if o.Resume && o.Force {
				return cli.Usagef("--resume goes on with what --out holds and --force replaces it: choose one")
			}
			if o.Window < 1 {
				return cli.Usagef("--window %d: at least 1", o.Window)
			}
			if p := o.Priority; !p.Valid() {
				return cli.Usagef("--priority %q: choose from %v", p, messages.Priorities())
			}
			if err := checkTenant(o.Tenant); err != nil {
				return err
			}
			return bulk.Run(cmd.Context(), a, o)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.Docs, "docs", nil, "documents to answer from: a file or folder (repeatable)")
	f.StringVar(&o.In, "in", "-", "file of questions; - is standard input")
	f.StringVar(&o.Out, "out", "-", "file for answers; - is standard output")
	f.BoolVar(&o.Resume, "resume", false, "skip what --out holds already, and append")
	f.BoolVar(&o.Force, "force", false, "replace what --out holds")
	f.BoolVar(&o.Strict, "strict", false, "refuse lines with unknown fields instead of passing over them")
	f.IntVar(&o.Window, "window", 500, "questions open at once")
	f.StringVar((*string)(&o.Priority), "priority", string(messages.Bulk), "interactive, normal or bulk: which questions a busy model serves first")
	f.StringVar(&o.Tenant, "tenant", "", "who asks, and shares the pipeline with other tenants (default: default)")
	cli.Values(cmd, "priority", priorities()...)
	return cmd
}

// checkTenant says what is wrong with --tenant.
func checkTenant(name string) error {
	if name == "" {
		return nil
	}
	if err := messages.CheckTenant(name); err != nil {
		return cli.Usage(err)
	}
	return nil
}

func priorities() (names []string) {
	for _, p := range messages.Priorities() {
		names = append(names, string(p))
	}
	return names
}
