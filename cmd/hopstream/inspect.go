package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/client"
	"hopstream/stages/journal"
)

// inspect opens a session that looks at the log without working on it.
func (a *app) inspect(cmd *cobra.Command) (*session, error) {
	l, err := a.connect(cmd.Context(), "")
	if err != nil {
		return nil, err
	}
	s := &session{app: a, link: l, journal: journal.New(l.js, l.names)}
	s.Client = client.New(s.journal)
	if err := s.journal.EnsureStreams(cmd.Context(), a.streams()); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func newTrace(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "trace QUESTION-ID",
		Short: "Show every stored message of a question, and its hops",
		Long: `Show every stored message of a question in order of time, and the hops of its
answer. Inner messages are kept for the trace retention (pipeline.retention).`,
		Example: "  hopstream trace q42",
		Args:    exactly(1, "one QUESTION-ID"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if err := messages.CheckID(args[0]); err != nil {
				return usageError{err}
			}
			s, err := a.inspect(cmd)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, s.close()) }()
			trace, err := s.journal.Trace(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if asJSON {
				for _, m := range trace {
					line := map[string]any{"subject": m.Subject, "time": m.Time, "sequence": m.Seq, "message": json.RawMessage(m.Data)}
					if !json.Valid(m.Data) {
						line["message"] = string(m.Data)
					}
					if err := writeJSON(a.out, line); err != nil {
						return err
					}
				}
				return nil
			}
			return a.renderTrace(trace, s)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the messages as JSON lines")
	return cmd
}

func (a *app) renderTrace(trace []*journal.Stored, s *session) error {
	w := tabwriter.NewWriter(a.out, 0, 4, 2, ' ', 0)
	start := trace[0].Time
	var answer *messages.Answer
	for _, st := range trace {
		kind, key, err := s.link.names.Parse(st.Subject)
		if err != nil {
			return err
		}
		at, what := "", ""
		if key.Round > 0 {
			at = fmt.Sprint(key.Round)
		}
		if key.Branch > 0 {
			at += fmt.Sprintf(".%d", key.Branch)
		}
		if m, err := st.Decode(s.link.names); err != nil {
			what = "unreadable: " + oneLine(err)
		} else {
			what = summary(m)
			if an, ok := m.(*messages.Answer); ok {
				answer = an
			}
		}
		fmt.Fprintf(w, "%8.1f ms\t%s\t%s\t%d B\t%s\n", float64(st.Time.Sub(start).Microseconds())/1000, kind, at, len(st.Data), what)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if answer == nil {
		fmt.Fprintln(a.out, "still open")
		return nil
	}
	fmt.Fprintln(a.out)
	return renderAnswer(a.out, answer, true)
}

func summary(m messages.Message) string {
	switch m := m.(type) {
	case *messages.Question:
		return m.Question
	case *messages.Decompose:
		return string(m.Class)
	case *messages.Plan:
		return fmt.Sprintf("%q", m.Queries)
	case *messages.Retrieve:
		return m.Query
	case *messages.Filter:
		return plural(len(m.Passages), "passage")
	case *messages.Align:
		return plural(len(m.Passages), "passage")
	case *messages.Generate:
		if m.Branch == 0 {
			return "from " + plural(len(m.Pairs), "pair")
		}
		return plural(len(m.Windows), "window")
	case *messages.Subanswer:
		if m.Pair.Failed {
			return "failed: " + m.Pair.Error
		}
		return orNone(m.Pair.Answer)
	case *messages.Judge:
		return plural(len(m.Pairs), "pair")
	case *messages.Answer:
		return string(m.Status)
	case *messages.Dead:
		return m.Error
	}
	return ""
}

func newCancel(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "cancel QUESTION-ID",
		Short:   "Stop an open question",
		Long:    "End an open question as cancelled, and stop the work on it.",
		Example: "  hopstream cancel q42",
		Args:    exactly(1, "one QUESTION-ID"),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if err := messages.CheckID(args[0]); err != nil {
				return usageError{err}
			}
			s, err := a.inspect(cmd)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, s.close()) }()
			answer, err := s.Cancel(cmd.Context(), args[0])
			if errors.Is(err, journal.ErrStored) {
				return fmt.Errorf("question %s has ended already: %s", args[0], answer.Status)
			}
			if err != nil {
				return err
			}
			fmt.Fprintln(a.out, "cancelled", args[0])
			return s.link.nc.Flush()
		},
	}
}

// stageStatus is one line of the status.
type stageStatus struct {
	Stage string  `json:"stage"`
	Rate  float64 `json:"messages_per_second"`
	journal.Lag
}

type statusReport struct {
	Server    string        `json:"server"`
	Open      uint64        `json:"open_questions"`
	Answers   uint64        `json:"answers"`
	Dead      uint64        `json:"dead_letters"`
	Documents uint64        `json:"stored_documents"`
	Bytes     uint64        `json:"stored_bytes"`
	Stages    []stageStatus `json:"stages"`
	Indexes   []position    `json:"indexes"`
}

func newStatus(a *app) *cobra.Command {
	var asJSON bool
	var over time.Duration
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show lag and rates per stage, open questions, dead letters, indexes",
		Args:  exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			s, err := a.inspect(cmd)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, s.close()) }()
			r, err := s.status(cmd, over)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(a.out, r)
			}
			return a.renderStatus(r)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	cmd.Flags().DurationVar(&over, "over", time.Second, "measure the rates over this time")
	return cmd
}

func (s *session) status(cmd *cobra.Command, over time.Duration) (*statusReport, error) {
	ctx := cmd.Context()
	r := &statusReport{Server: redact(s.link.url), Stages: []stageStatus{}, Indexes: []position{}}
	if s.link.own {
		r.Server = "embedded, no workers running"
	}
	for kind, into := range map[messages.Kind]*uint64{
		messages.KindQuestion: &r.Open, messages.KindAnswer: &r.Answers,
		messages.KindDead: &r.Dead, messages.KindDocument: &r.Documents,
	} {
		st, err := s.journal.StreamState(ctx, kind)
		if err != nil {
			return nil, err
		}
		*into = st.Msgs
	}
	before := map[string]uint64{}
	last := func(st stages.Stage) (uint64, error) {
		state, err := s.journal.StreamState(ctx, st.Input)
		return state.LastSeq, err
	}
	for _, st := range stages.Pipeline() {
		seq, err := last(st)
		if err != nil {
			return nil, err
		}
		before[st.Name] = seq
	}
	if !s.link.own {
		select {
		case <-time.After(over):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	for _, st := range stages.Pipeline() {
		seq, err := last(st)
		if err != nil {
			return nil, err
		}
		lag, err := s.journal.Lag(ctx, st)
		if err != nil {
			return nil, err
		}
		row := stageStatus{Stage: st.Name, Lag: lag}
		if !s.link.own && over > 0 {
			row.Rate = float64(seq-before[st.Name]) / over.Seconds()
		}
		r.Stages = append(r.Stages, row)
	}
	for _, k := range messages.Kinds() {
		st, err := s.journal.StreamState(ctx, k)
		if err != nil {
			return nil, err
		}
		r.Bytes += st.Bytes
	}
	if !s.link.own {
		all, err := s.link.positions(ctx)
		if err != nil {
			return nil, err
		}
		r.Indexes = append(r.Indexes, all...)
	}
	return r, nil
}

func (a *app) renderStatus(r *statusReport) error {
	fmt.Fprintf(a.out, "server %s · %d open · %d answered · %d dead · %d documents · %.1f MB stored\n\n",
		r.Server, r.Open, r.Answers, r.Dead, r.Documents, float64(r.Bytes)/1e6)
	w := tabwriter.NewWriter(a.out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "stage\tin/s\tpending\tin work\tredelivered\tpulls\t")
	for _, s := range r.Stages {
		fmt.Fprintf(w, "%s\t%.1f\t%d\t%d\t%d\t%d\t\n", s.Stage, s.Rate, s.Pending, s.AckPending, s.Redelivers, s.Waiting)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, p := range r.Indexes {
		fmt.Fprintf(a.out, "\nindex %s: %d documents, %d passages, at %d", p.Node, p.Documents, p.Passages, p.Sequence)
	}
	if len(r.Indexes) > 0 {
		fmt.Fprintln(a.out)
	}
	return nil
}
