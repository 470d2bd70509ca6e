package library

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"hopstream/cmd/internal/spelling"
	"hopstream/index/document"
)

const (
	maxNamed = 3  // IDs that an error names
	maxTried = 12 // that are looked at, since some may be of deleted documents
)

// unknown is the error for a document that is not there. It names those whose IDs
// are most like it.
func (l *Library) unknown(ctx context.Context, id string) error {
	ids, err := l.ids(ctx)
	if err != nil {
		return err
	}
	var like []string
	for _, near := range nearest(id, ids) {
		if units, err := l.units(ctx, near); err == nil && len(units) > 0 {
			like = append(like, near)
		}
		if len(like) == maxNamed {
			break
		}
	}
	if len(like) == 0 {
		return fmt.Errorf("there is no document %q (see: hopstream docs ls)", id)
	}
	return fmt.Errorf("there is no document %q: did you mean %s? (see: hopstream docs ls)", id, strings.Join(like, ", "))
}

// nearest returns the IDs of documents that are like id, the most similar first.
func nearest(id string, ids []string) []string {
	type like struct {
		id   string
		cost int
	}
	var all []like
	seen := map[string]bool{}
	for _, other := range ids {
		other = document.Whole(other)
		if seen[other] || other == id {
			continue
		}
		seen[other] = true
		if cost, ok := unlike(strings.ToLower(id), strings.ToLower(other)); ok {
			all = append(all, like{other, cost})
		}
	}
	slices.SortFunc(all, func(a, b like) int { return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.id, b.id)) })
	out := make([]string, 0, maxTried)
	for _, l := range all[:min(len(all), maxTried)] {
		out = append(out, l.id)
	}
	return out
}

// unlike returns how many letters apart two IDs are, and whether that is near. One
// that is part of the other is, and so are two files of one name.
func unlike(a, b string) (cost int, near bool) {
	if path.Base(a) == path.Base(b) {
		return 1, true
	}
	if len(a) >= 3 && strings.Contains(b, a) || len(b) >= 3 && strings.Contains(a, b) {
		return 2, true
	}
	limit := max(2, len(a)/3)
	if max(len(a)-len(b), len(b)-len(a)) > limit {
		return 0, false
	}
	cost = spelling.Distance(a, b)
	return cost + 2, cost <= limit
}
