package main

import (
	"cmp"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/node"
	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/log"
)

// stageStatus is one line of the status.
type stageStatus struct {
	Stage string  `json:"stage"`
	Rate  float64 `json:"messages_per_second"`
	log.Lag
}

type statusReport struct {
	Server    string          `json:"server"`
	Open      uint64          `json:"open_questions"`
	Answers   uint64          `json:"answers"`
	Dead      uint64          `json:"dead_letters"`
	Documents uint64          `json:"stored_documents"`
	Bytes     uint64          `json:"stored_bytes"`
	Stages    []stageStatus   `json:"stages"`
	Indexes   []node.Position `json:"indexes"`
}

func newStatus(a *cli.App) *cobra.Command {
	var asJSON bool
	var over time.Duration
	cmd := &cobra.Command{
		Use:   "status",
		Short: "Show lag and rates per stage, open questions, dead letters, indexes",
		Args:  cli.Exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return inspect(a, cmd, func(s *session) error {
				r, err := s.status(cmd, over)
				if err != nil {
					return err
				}
				if asJSON {
					return cli.WriteJSON(a.Out, r)
				}
				return renderStatus(a, r)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	cmd.Flags().DurationVar(&over, "over", time.Second, "measure the rates over this time")
	return cmd
}

func (s *session) status(cmd *cobra.Command, over time.Duration) (*statusReport, error) {
	ctx := cmd.Context()
	r := &statusReport{Server: config.RedactURL(s.conn.URL), Stages: []stageStatus{}, Indexes: []node.Position{}}
	if s.conn.Own {
		r.Server = "embedded, no workers running"
	}
	for kind, into := range map[messages.Kind]*uint64{
		messages.KindQuestion: &r.Open, messages.KindAnswer: &r.Answers,
		messages.KindDead: &r.Dead, messages.KindDocument: &r.Documents,
	} {
		st, err := s.log.StreamState(ctx, kind)
		if err != nil {
			return nil, err
		}
		*into = st.Msgs
	}
	before := map[string]uint64{}
	last := func(st stages.Stage) (uint64, error) {
		state, err := s.log.StreamState(ctx, st.Input)
		return state.LastSeq, err
	}
	for _, st := range stages.Pipeline() {
		seq, err := last(st)
		if err != nil {
			return nil, err
		}
		before[st.Name] = seq
	}
	if !s.conn.Own {
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
		lag, err := s.log.Lag(ctx, st)
		if err != nil {
			return nil, err
		}
		row := stageStatus{Stage: st.Name, Lag: lag}
		if !s.conn.Own && over > 0 {
			row.Rate = float64(seq-before[st.Name]) / over.Seconds()
		}
		r.Stages = append(r.Stages, row)
	}
	for _, k := range messages.Kinds() {
		st, err := s.log.StreamState(ctx, k)
		if err != nil {
			return nil, err
		}
		r.Bytes += st.Bytes
	}
	if !s.conn.Own {
		all, err := node.Positions(ctx, s.conn)
		if err != nil {
			return nil, err
		}
		docs, err := s.log.StreamState(ctx, messages.KindDocument)
		if err != nil {
			return nil, err
		}
		for _, p := range all {
			p.Behind = min(docs.LastSeq-min(p.Sequence, docs.LastSeq), docs.Msgs)
			r.Indexes = append(r.Indexes, p)
		}
	}
	return r, nil
}

func renderStatus(a *cli.App, r *statusReport) error {
	fmt.Fprintf(a.Out, "server %s · %d open · %d answered · %d dead · %d documents · %.1f MB stored\n\n",
		r.Server, r.Open, r.Answers, r.Dead, r.Documents, float64(r.Bytes)/1e6)
	w := tabwriter.NewWriter(a.Out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "stage\tin/s\tpending\tin work\tredelivered\tpulls\t")
	for _, s := range r.Stages {
		fmt.Fprintf(w, "%s\t%.1f\t%d\t%d\t%d\t%d\t\n", s.Stage, s.Rate, s.Pending, s.AckPending, s.Redelivers, s.Waiting)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, p := range r.Indexes {
		fmt.Fprintf(a.Out, "\nindex %s: %s, %d documents, %d passages, at %d, %d behind", p.Node, cmp.Or(p.State, "state unknown"), p.Documents, p.Passages, p.Sequence, p.Behind)
	}
	if len(r.Indexes) > 0 {
		fmt.Fprintln(a.Out)
	}
	return nil
}
