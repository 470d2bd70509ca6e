package searcher

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"hopstream/messages"
	"hopstream/messages/fault"
)

// merge makes one result of the members' replies.
func (s *Set) merge(replies []reply, k int) (messages.Found, error) {
	var found messages.Found
	var failed failures
	for i := range replies {
		if r := &replies[i]; r.err != nil {
			name := s.members[r.member].Name
			failed = append(failed, fmt.Errorf("%s: %w", name, r.err))
			found.Degraded = append(found.Degraded, messages.Degradation(name, r.err.Error()))
		} else {
			found.Queries = union(found.Queries, r.queries)
		}
	}
	switch {
	case len(failed) == len(replies):
		return messages.Found{}, failed.classed()
	case len(replies) == 1:
		found.Passages = s.signed(&replies[0], k)
	default:
		found.Passages = s.fused(replies, k)
	}
	found.Degraded = messages.BoundDegraded(found.Degraded)
	return found, nil
}

// union returns all and those of more that it lacks, up to messages.MaxQueries.
func union(all, more []string) []string {
	for _, q := range more {
		if len(all) < messages.MaxQueries && !slices.Contains(all, q) {
			all = append(all, q)
		}
	}
	return all
}

// signed returns the k best of a reply, as they are but for who found them.
// They are a copy: the member may hand out the same list again.
func (s *Set) signed(r *reply, k int) []messages.Passage {
	out := slices.Clone(r.passages[:min(max(0, k), len(r.passages))])
	for i := range out {
		out[i].By = s.foundBy(r, &out[i])
	}
	return out
}

// fused makes one list of the replies' lists.
func (s *Set) fused(replies []reply, k int) []messages.Passage {
	lists := make([][]messages.Passage, len(replies))
	by := make(map[string][]string)
	for i := range replies {
		r := &replies[i]
		lists[i] = r.passages
		for j := range r.passages {
			p := &r.passages[j]
			if before, ok := by[p.ID]; ok {
				by[p.ID] = sorted(before, s.foundBy(r, p))
			} else {
				by[p.ID] = s.foundBy(r, p)
			}
		}
	}
	out := Fuse(k, lists...)
	for i := range out {
		out[i].By = by[out[i].ID]
	}
	return out
}

// foundBy is who found p: those that r's member names, or else the member. It
// is shared, and nobody writes to it.
func (s *Set) foundBy(r *reply, p *messages.Passage) []string {
	if len(p.By) > 0 {
		return sorted(p.By, nil)
	}
	return s.by[r.member]
}

// sorted returns a new list of the names in a and b, each once.
func sorted(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Clip(slices.Compact(all))
}

// failures are the errors of several members, told in one line.
type failures []error

// Error lists them.
func (f failures) Error() string {
	texts := make([]string, len(f))
	for i, err := range f {
		texts[i] = err.Error()
	}
	return strings.Join(texts, "; ")
}

// Unwrap returns them.
func (f failures) Unwrap() []error { return f }

// classed returns f with the class of them all: one that may come back is
// worth waiting for, and one that is no permanent failure worth trying again.
// The wait is the shortest that any of the class asks for.
func (f failures) classed() error {
	waits := map[fault.Class]time.Duration{}
	for _, err := range f {
		class, after := fault.Of(err)
		if class == fault.Cancelled { // a member's own doing: the caller still waits
			class = fault.Transient
		}
		if before, ok := waits[class]; ok {
			after = min(after, before)
		}
		waits[class] = after
	}
	var err error = f
	if len(f) == 1 {
		err = f[0]
	}
	if wait, ok := waits[fault.Unavailable]; ok {
		return fault.AsUnavailable(err, wait)
	}
	if wait, ok := waits[fault.Transient]; ok {
		return fault.RetryAfter(err, wait)
	}
	return fault.AsPermanent(err)
}
