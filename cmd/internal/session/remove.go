package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"hopstream/cmd/internal/cli"
	"hopstream/index/docstream"
	"hopstream/index/document"
	"hopstream/messages"
)

// remove removes what is to be deleted, with all parts.
func (j *job) remove(ctx context.Context, s *Session) error {
	if len(j.Delete) == 0 {
		return nil
	}
	pub, err := docstream.NewPublisher(ctx, s.Conn.JS, s.Conn.Names, docstream.PublishOptions{OnError: j.report})
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		if err := j.nothingThere(j.Delete); len(j.Paths) == 0 {
			return err
		}
		return nil
	}
	if err != nil {
		return err
	}
	ids, err := j.toDelete(ctx, pub)
	if err == nil {
		for _, id := range ids {
			if err = pub.Add(docstream.Tombstone(id)); err != nil {
				break
			}
		}
	}
	st, cerr := pub.Close()
	if cerr != nil {
		return cerr
	}
	if err == nil {
		j.out.Deleted, j.out.LastSeq = len(wholes(ids)), st.LastSeq
	}
	return err
}

// toDelete returns the IDs of all documents and parts that are to be deleted and
// are there. What is not there is reported.
func (j *job) toDelete(ctx context.Context, pub *docstream.Publisher) ([]string, error) {
	var all, many []string
	for _, id := range j.Delete {
		if err := messages.CheckDocID(id); err != nil {
			j.report("--delete", err)
			continue
		}
		below := strings.HasSuffix(id, "/")
		named, err := candidates(pub, id, below)
		if err != nil {
			return nil, err
		}
		var there []string
		if err := pub.Look(slices.Values(named), func(id string, _ docstream.Stored) { there = append(there, id) }); err != nil {
			return nil, err
		}
		if len(there) == 0 {
			j.report("--delete "+id, errNotThere)
		}
		if below {
			many = append(many, there...)
		}
		all = append(all, there...)
	}
	slices.Sort(all)
	if ids := wholes(many); len(ids) > 1 {
		if err := j.confirm(ctx, ids, "below "+strings.Join(j.Delete, ", ")); err != nil {
			return nil, err
		}
	}
	return slices.Compact(all), nil
}

// errNotThere says that there is nothing to delete.
var errNotThere = errors.New("no such document is stored")

// candidates returns the IDs that deleting id may concern: its own and those of
// its parts, or all below it.
func candidates(pub *docstream.Publisher, id string, below bool) ([]string, error) {
	if !below {
		parts, err := pub.PartsOf(id)
		return append(parts, id), err
	}
	all, err := pub.IDs()
	return slices.DeleteFunc(all, func(other string) bool { return !strings.HasPrefix(other, id) }), err
}

// nothingThere reports that none of ids is stored.
func (j *job) nothingThere(ids []string) error {
	for _, id := range ids {
		j.report("--delete "+id, errNotThere)
	}
	return cli.ErrSilent
}

// tidy removes what is stored of documents beside what they now consist of: parts
// that a document no longer has, and documents whose files are gone.
func (j *job) tidy(ctx context.Context, s *Session) error {
	var stale []string
	for _, id := range j.parts {
		whole := document.Whole(id)
		if j.found.Handed(whole) && !j.found.Handed(id) && !j.found.Failed(whole) {
			stale = append(stale, id)
		}
	}
	stale = slices.DeleteFunc(stale, func(id string) bool { return j.refused[document.Whole(id)] })
	stale = append(stale, j.gone...)
	if len(stale) == 0 {
		return nil
	}
	pub, err := docstream.NewPublisher(ctx, s.Conn.JS, s.Conn.Names, docstream.PublishOptions{OnError: j.report})
	if err != nil {
		return err
	}
	for _, id := range stale {
		if err := pub.Add(docstream.Tombstone(id)); err != nil {
			break // Close says the same
		}
	}
	st, err := pub.Close()
	j.out.LastSeq = max(j.out.LastSeq, st.LastSeq)
	if err != nil {
		return fmt.Errorf("remove what is no longer there: %w", err)
	}
	j.out.Deleted += len(wholes(j.gone))
	return nil
}

// instead returns what is stored in the place of a document or part: the whole
// document where now there are parts, the parts where now it is whole, and other
// parts with passages of the same numbers. They share passages with d, so they
// must be gone before d is stored.
func (j *job) instead(pub *docstream.Publisher, d *messages.Document) ([]string, error) {
	whole, first, room := document.Part(d.ID)
	var out []string
	if first == 0 {
		out = append(out, whole)
	}
	for _, id := range j.partsOf[whole] {
		_, from, n := document.Part(id)
		if id != d.ID && (first < 0 || from < first+room && first < from+n) {
			out = append(out, id)
		}
	}
	if d.Root != "" || len(out) == 0 || j.Replace {
		return out, nil // compare has seen to it that they are of the same folder
	}
	var ours []string
	err := pub.Look(slices.Values(out), func(id string, s docstream.Stored) {
		if s.Root == "" {
			ours = append(ours, id)
		}
	})
	return ours, err
}
