package log

import (
	"context"
	"fmt"
	"time"

	"hopstream/messages"
	"hopstream/messages/fault"
)

// Branches returns the stored sub-answers of in's round. A direct read may come
// from a replica that lags behind. Since in itself is stored, a result without it
// is out of date, and Branches fails with a transient fault.
func (l *Log) Branches(ctx context.Context, in *messages.Subanswer) ([]*messages.Subanswer, error) {
	if in.Branches > messages.MaxBranches {
		return nil, fault.Permanentf("round %d of %s has %d branches; the limit is %d", in.Round, in.ID, in.Branches, messages.MaxBranches)
	}
	subjects := make([]string, in.Branches)
	for b := range subjects {
		subjects[b] = l.names.Subject(messages.KindSubanswer, messages.Key{ID: in.ID, Round: in.Round, Branch: b + 1})
	}
	got, err := l.Last(ctx, messages.KindSubanswer, subjects)
	if err != nil {
		return nil, err
	}
	round := make([]*messages.Subanswer, 0, len(got))
	fresh := false
	for _, s := range got {
		m, err := messages.Decode(messages.KindSubanswer, s.Data)
		if err != nil {
			return nil, fault.AsPermanent(fmt.Errorf("%s: %w", s.Subject, err))
		}
		sub := m.(*messages.Subanswer)
		fresh = fresh || sub.Branch == in.Branch
		round = append(round, sub)
	}
	if !fresh {
		return nil, fault.RetryAfter(fmt.Errorf("round %d of %s: the replica read lags behind", in.Round, in.ID), 100*time.Millisecond)
	}
	return round, nil
}

// Subanswers returns all sub-answers of a question that are stored, in the order
// of the stream.
func (l *Log) Subanswers(ctx context.Context, id string) ([]*messages.Subanswer, error) {
	base := l.names.Subject(messages.KindSubanswer, messages.Key{ID: id})
	got, err := l.Last(ctx, messages.KindSubanswer, []string{base + ".>"})
	if err != nil {
		return nil, err
	}
	all := make([]*messages.Subanswer, 0, len(got))
	for _, s := range got {
		m, err := messages.Decode(messages.KindSubanswer, s.Data)
		if err != nil {
			return nil, fault.AsPermanent(fmt.Errorf("%s: %w", s.Subject, err))
		}
		all = append(all, m.(*messages.Subanswer))
	}
	return all, nil
}
