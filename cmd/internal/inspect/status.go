package inspect

import (
	"context"
	"time"

	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/node"
	"hopstream/cmd/internal/session"
	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/log"
	"hopstream/stages/pause"
)

// StageStatus is one line of the status.
type StageStatus struct {
	Stage string  `json:"stage"`
	Rate  float64 `json:"messages_per_second"`
	log.Lag
}

// Status is what a server holds and how far its workers are.
type Status struct {
	Server    string          `json:"server"`
	Open      uint64          `json:"open_questions"`
	Answers   uint64          `json:"answers"`
	Dead      uint64          `json:"dead_letters"`
	Documents uint64          `json:"stored_documents"`
	Bytes     uint64          `json:"stored_bytes"`
	Store     Store           `json:"store"`
	Kept      []Kept          `json:"kept"`
	Stages    []StageStatus   `json:"stages"`
	Indexes   []node.Position `json:"indexes"`
	// Paused says since when the router takes no questions, and why.
	Paused pause.State `json:"paused,omitzero"`
}

// ReadStatus looks at every stream and every index; rates are measured over the
// given time.
func ReadStatus(ctx context.Context, s *session.Session, over time.Duration) (*Status, error) {
	r := &Status{Server: config.RedactURL(s.Conn.URL), Stages: []StageStatus{}, Indexes: []node.Position{}}
	if s.Conn.Own {
		r.Server = "embedded, no workers running"
	}
	if err := r.count(ctx, s); err != nil {
		return nil, err
	}
	var err error
	if r.Paused, err = pause.New(s.Log, node.LogConfig(s.App.Config, s.App.Log)).Read(ctx); err != nil {
		return nil, err
	}
	if err := r.readStages(ctx, s, over); err != nil {
		return nil, err
	}
	if err := r.readKept(ctx, s); err != nil {
		return nil, err
	}
	if !s.Conn.Own {
		if err := r.readIndexes(ctx, s); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// count reads how many messages there are of the kinds that users know.
func (r *Status) count(ctx context.Context, s *session.Session) error {
	for kind, into := range map[messages.Kind]*uint64{
		messages.KindQuestion: &r.Open, messages.KindAnswer: &r.Answers,
		messages.KindDead: &r.Dead, messages.KindDocument: &r.Documents,
	} {
		st, err := s.Log.StreamState(ctx, kind)
		if err != nil {
			return err
		}
		*into = st.Msgs
	}
	return nil
}

// readStages looks at the stages' streams twice, unless nobody works on them,
// and reads what the stages have yet to do.
func (r *Status) readStages(ctx context.Context, s *session.Session, over time.Duration) error {
	before := map[string]uint64{}
	last := func(st stages.Stage) (uint64, error) {
		state, err := s.Log.StreamState(ctx, st.Input)
		return state.LastSeq, err
	}
	for _, st := range stages.Pipeline() {
		seq, err := last(st)
		if err != nil {
			return err
		}
		before[st.Name] = seq
	}
	if !s.Conn.Own {
		select {
		case <-time.After(over):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for _, st := range stages.Pipeline() {
		seq, err := last(st)
		if err != nil {
			return err
		}
		lag, err := s.Log.Lag(ctx, st)
		if err != nil {
			return err
		}
		row := StageStatus{Stage: st.Name, Lag: lag}
		if !s.Conn.Own && over > 0 {
			row.Rate = float64(seq-before[st.Name]) / over.Seconds()
		}
		r.Stages = append(r.Stages, row)
	}
	return nil
}

// readIndexes asks the running indexes how far they are.
func (r *Status) readIndexes(ctx context.Context, s *session.Session) error {
	all, err := node.Positions(ctx, s.Conn)
	if err != nil {
		return err
	}
	docs, err := s.Log.StreamState(ctx, messages.KindDocument)
	if err != nil {
		return err
	}
	for _, p := range all {
		p.Behind = min(docs.LastSeq-min(p.Sequence, docs.LastSeq), docs.Msgs)
		r.Indexes = append(r.Indexes, p)
	}
	return nil
}
