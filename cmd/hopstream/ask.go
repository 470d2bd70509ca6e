package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"

	"hopstream/cmd/internal/cli"
	"hopstream/messages"
	"hopstream/stages/client"
)

func newAsk(a *cli.App) *cobra.Command {
	var docs []string
	var asJSON, trace bool
	var timeout time.Duration
	var id string
	cmd := &cobra.Command{
		Use:   "ask QUESTION",
		Short: "Ask one question",
		Long: `Ask one question and print its answer with citations.

With --docs and without --nats the whole pipeline runs in this process, over
those documents only, and leaves nothing behind. Otherwise the question goes to
the workers of a running "hopstream up", or of --nats, or, where there are
none, to workers of this process over the documents indexed before.

The exit code is 0 if an answer was found.`,
		Example: `  hopstream ask --docs handbook/ "Who wrote the safety chapter?"
  hopstream ask --trace "What is the capital of the country where Marie Curie was born?"`,
		Args: cli.Exactly(1, "one QUESTION, in quotes"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			q := &messages.Question{ID: id, Question: args[0], Deadline: messages.Deadline{After: timeout}}
			if err := q.Validate(); err != nil {
				return cli.Usage(err)
			}
			if timeout < 0 {
				return cli.Usagef("--timeout %v: must be positive", timeout)
			}
			ctx := cmd.Context()
			s, err := openSession(ctx, a, sessionOptions{docs: docs})
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, s.close()) }()
			answer, err := s.askOne(ctx, q, timeout)
			if err != nil {
				return err
			}
			if asJSON {
				err = writeAnswer(a.Out, answer, trace)
			} else {
				err = renderAnswer(a.Out, answer, trace)
			}
			if answer.Status != messages.Answered && answer.Status != messages.Partial {
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
	return cmd
}

// askOne asks q, showing its hops on a terminal, and waits for the answer.
func (s *session) askOne(ctx context.Context, q *messages.Question, timeout time.Duration) (*messages.Answer, error) {
	if q.ID == "" {
		q.ID = client.NewID()
	}
	if cli.Terminal(s.app.Err) {
		stop, err := s.showHops(q.ID)
		if err != nil {
			return nil, err
		}
		defer stop()
	}
	follow, err := s.Follow(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer follow.Close()
	if timeout <= 0 {
		timeout = s.app.Config.Pipeline.Deadline
	}
	// The pipeline itself ends the question at its deadline; waiting longer
	// would mean that no workers are there.
	wait, cancel := context.WithTimeout(ctx, timeout+15*time.Second)
	defer cancel()
	defer s.hintWhenStill(ctx, stillFor, func() int { return 0 })()
	a, err := follow.Ask(wait, s.Client, q)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("no answer to question %s within %v: are workers running? (hopstream status)", q.ID, timeout)
	}
	if errors.Is(err, context.Canceled) && !s.private {
		return nil, fmt.Errorf("interrupted: question %s goes on (hopstream trace %s)", q.ID, q.ID)
	}
	return a, err
}

// showHops prints a line for every message of the question as it passes.
func (s *session) showHops(id string) (stop func(), err error) {
	names := s.conn.Names
	show := func(m *nats.Msg) {
		kind, key, err := names.Parse(m.Subject)
		if err != nil {
			return
		}
		msg, err := messages.Decode(kind, m.Data)
		if err != nil {
			return
		}
		if line := hopLine(kind, key, msg); line != "" {
			fmt.Fprintln(s.app.Err, "  "+line)
		}
	}
	var subs []*nats.Subscription
	for _, suffix := range []string{id, id + ".>"} {
		sub, err := s.conn.NC.Subscribe(names.Prefix()+".v1.*."+suffix, show)
		if err != nil {
			return nil, err
		}
		subs = append(subs, sub)
	}
	return func() {
		for _, sub := range subs {
			_ = sub.Unsubscribe()
		}
	}, nil
}

func hopLine(kind messages.Kind, key messages.Key, m messages.Message) string {
	switch m := m.(type) {
	case *messages.Decompose:
		return fmt.Sprintf("round %d: %s question", key.Round, m.Class)
	case *messages.Retrieve:
		return fmt.Sprintf("%d.%d ask     %s", key.Round, key.Branch, m.Query)
	case *messages.Filter:
		line := fmt.Sprintf("%d.%d found   %s", key.Round, key.Branch, cli.Plural(len(m.Passages), "passage"))
		for _, reason := range m.Degraded {
			line += "  ! " + reason
		}
		return line
	case *messages.Align:
		return fmt.Sprintf("%d.%d kept    %s", key.Round, key.Branch, cli.Plural(len(m.Passages), "passage"))
	case *messages.Generate:
		if len(m.Windows) == 0 || m.Windows[0].Scale > 0 {
			return "" // nothing was kept, or it was said when it was
		}
		return fmt.Sprintf("%d.%d kept    %s", key.Round, key.Branch, cli.Plural(len(m.Windows), "passage"))
	case *messages.Subanswer:
		return fmt.Sprintf("%d.%d answer  %s", key.Round, key.Branch, orNone(m.Pair.Answer))
	case *messages.Judge:
		return fmt.Sprintf("round %d joined", key.Round)
	}
	return ""
}

func orNone(s string) string {
	if s == "" {
		return "(none)"
	}
	return s
}
