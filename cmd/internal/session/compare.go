package session

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"hopstream/cmd/internal/cli"
	"hopstream/index/docstream"
	"hopstream/index/document"
	"hopstream/messages"
)

// compare compares what was found with what is stored, before anything is. It
// fails where a file would replace a document from another folder, and where
// documents are to be removed that nobody confirms.
func (j *job) compare(ctx context.Context, pub *docstream.Publisher) (err error) {
	if j.parts, err = pub.Parts(); err != nil {
		return err
	}
	j.partsOf = map[string][]string{}
	for _, id := range j.parts {
		whole := document.Whole(id)
		j.partsOf[whole] = append(j.partsOf[whole], id)
	}
	foreign := map[string]docstream.Stored{} // documents from other folders
	note := func(id string, s docstream.Stored) {
		if root, _ := j.found.Root(id); s.Root != "" && s.Root != root {
			foreign[id] = s
		}
	}
	ofFiles := func(yield func(string) bool) {
		for id := range j.found.IDs() {
			if !yield(id) {
				return
			}
		}
		for _, id := range j.parts {
			if _, ok := j.found.Root(id); ok && !yield(id) {
				return
			}
		}
	}
	if err := pub.Look(ofFiles, note); err != nil {
		return err
	}
	if len(foreign) > 0 && !j.Replace {
		if err := j.clashes(foreign); err != nil {
			return err
		}
	}
	if j.Sync {
		return j.findGone(ctx, pub)
	}
	return nil
}

// clashes fails where a file, which must be read for that, has another content
// than what is stored of it from another folder.
func (j *job) clashes(foreign map[string]docstream.Stored) error {
	suspects := map[string]string{} // the root of what is stored, by the ID of the file
	for id, s := range foreign {
		suspects[document.Whole(id)] = s.Root
	}
	differ, equal := map[string]bool{}, map[string]bool{}
	here := j.found.Only(func(id string) bool { return suspects[id] != "" })
	_, err := here.Read(func(d messages.Document) error {
		if id := document.Whole(d.ID); foreign[d.ID].Hash == d.Hash() {
			equal[d.ID] = true
		} else if suspects[id] != "" {
			differ[id] = true
		}
		return nil
	})
	for id := range foreign { // parts that it has there and not here
		if whole := document.Whole(id); !equal[id] && here.Handed(whole) {
			differ[whole] = true
		}
	}
	if err != nil || len(differ) == 0 {
		return err
	}
	ids := slices.Sorted(maps.Keys(differ))
	to, _ := j.found.Root(ids[0])
	from := suspects[ids[0]]
	if len(ids) == 1 {
		return fmt.Errorf("%q is stored from %s and now comes from %s: give --prefix NAME/ to keep both, or --replace to take it over (hopstream index --help)", ids[0], from, to)
	}
	return fmt.Errorf("%s are stored from other folders, such as %s from %s, and now come from %s: give --prefix NAME/ to keep both, or --replace to take them over (hopstream index --help)",
		cli.Plural(len(ids), "document"), someOf(ids), from, to)
}

// findGone finds the documents that came from the folders of the job and are
// there no more, and has their removal confirmed.
func (j *job) findGone(ctx context.Context, pub *docstream.Publisher) error {
	all, err := pub.IDs()
	if err != nil {
		return err
	}
	roots := j.found.Roots()
	missing := slices.DeleteFunc(all, func(id string) bool {
		below := func(r document.Root) bool { return strings.HasPrefix(id, r.Prefix) }
		return !slices.ContainsFunc(roots, below) || j.found.Holds(id)
	})
	err = pub.Look(slices.Values(missing), func(id string, s docstream.Stored) {
		if slices.ContainsFunc(roots, func(r document.Root) bool { return s.Root == r.Path && strings.HasPrefix(id, r.Prefix) }) {
			j.gone = append(j.gone, id)
		}
	})
	if err != nil {
		return err
	}
	if ids := wholes(j.gone); len(ids) > 0 {
		return j.confirm(ctx, ids, "whose files are gone")
	}
	return nil
}

// confirm has the removal of documents confirmed. It fails where it is not.
func (j *job) confirm(ctx context.Context, ids []string, which string) error {
	if j.Yes {
		return nil
	}
	what := fmt.Sprintf("%s %s: %s", cli.Plural(len(ids), "document"), which, someOf(ids))
	yes, asked, err := j.app.Confirm(ctx, "Remove "+what+"?")
	switch {
	case err != nil:
		return err
	case !asked:
		return fmt.Errorf("nothing was done: to remove %s, give --yes", what)
	case !yes:
		return errors.New("nothing was done: the removal was not confirmed")
	}
	return nil
}

// wholes returns the IDs of the documents that ids are, or name parts of, each
// once and in order.
func wholes(ids []string) []string {
	all := map[string]bool{}
	for _, id := range ids {
		all[document.Whole(id)] = true
	}
	return slices.Sorted(maps.Keys(all))
}

// someOf names the first few.
func someOf(ids []string) string {
	const few = 3
	var b strings.Builder
	for i, id := range ids[:min(few, len(ids))] {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%.80q", id)
	}
	if n := len(ids) - few; n > 0 {
		fmt.Fprintf(&b, " and %d more", n)
	}
	return b.String()
}
