package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/render"
	"hopstream/cmd/internal/session"
	"hopstream/messages"
)

func newAsk(a *cli.App) *cobra.Command {
	var docs []string
	var asJSON, trace bool
	var timeout time.Duration
	var id, tenant string
	cmd := &cobra.Command{
		Use:   "ask QUESTION",
		Short: "Ask one question",
		Long: `Ask one question and print its answer with citations.

With --docs and without --nats the whole pipeline runs in this process, over
those documents only, and leaves nothing behind. Otherwise the question goes to
the workers of a running "hopstream up", or of --nats, or, where there are
none, to workers of this process over the documents indexed before.

On a terminal the hops are shown as they pass, and the answer's text while a
model writes it; what is printed in the end is the answer that counts.

Below the answer stand the quotes that it rests on, and where they stand. The
question's ID goes to standard error: "hopstream trace ID" shows how it was
answered, and its answer again.

The exit code is 0 if an answer was found, if only in part; 1 if something
failed, or the documents do not say (unanswered); 130 if interrupted.`,
		Example: `  hopstream ask --docs handbook/ "Who wrote the safety chapter?"
  hopstream ask --trace "What is the capital of the country where Marie Curie was born?"`,
		Args: cli.Exactly(1, "one QUESTION, in quotes"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			q := &messages.Question{ID: id, Question: args[0], Deadline: messages.Deadline{After: timeout}, Priority: messages.Interactive, Tenant: tenant}
			if err := q.Validate(); err != nil {
				return cli.Usage(err)
			}
			if timeout < 0 {
				return cli.Usagef("--timeout %v: must be positive", timeout)
			}
			ctx := cmd.Context()
			s, err := session.Open(ctx, a, session.Options{Docs: docs})
			if errors.Is(err, context.Canceled) {
				return cli.Interruptedf("the question was not asked")
			}
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, s.Close()) }()
			answer, err := s.Ask(ctx, q, timeout)
			if err != nil {
				return err
			}
			if asJSON {
				err = render.JSON(a.Out, answer, trace)
			} else {
				err = render.View{Tree: trace, Styled: cli.Styled(a.Out), Folders: folders(docs)}.Answer(a.Out, answer)
			}
			if answer.Answer == "" || answer.Status != messages.Answered && answer.Status != messages.Partial {
				err = errors.Join(err, cli.ErrSilent)
			}
			return err
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&docs, "docs", nil, "documents to answer from: a file or folder (repeatable)")
	f.BoolVar(&asJSON, "json", false, "print the answer as one line of JSON")
	f.BoolVar(&trace, "trace", false, "print the hop tree, and who found each passage")
	f.DurationVar(&timeout, "timeout", 0, "the question's deadline (default: the configuration's)")
	f.StringVar(&id, "id", "", "the question's ID (default: a new one)")
	f.StringVar(&tenant, "tenant", "", "who asks, and shares the pipeline with other tenants (default: default)")
	return cmd
}

// folders are where the files of the documents asked may be: what --docs names,
// or else this folder, where they may have been indexed from.
func folders(docs []string) []string { return append(slices.Clone(docs), ".") }
