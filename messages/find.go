package messages

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Source names a passage. ID is the document's ID, followed by #n where the
// document has several passages.
type Source struct {
	ID    string `json:"id"`
	Title string `json:"title,omitempty"`
	URL   string `json:"url,omitempty"` // where a passage from the web stands
}

// AddSources appends to all those of more that it does not have yet, by ID.
func AddSources(all []Source, more ...Source) []Source {
	for _, s := range more {
		if !slices.ContainsFunc(all, func(o Source) bool { return o.ID == s.ID }) {
			all = append(all, s)
		}
	}
	return all
}

// Find names a passage and the searchers that found it.
type Find struct {
	Source
	By []string `json:"by,omitempty"` // the searchers' names, sorted
}

// Found is the result of a search: the passages, best first, and the searchers
// that failed or were too slow, each as "name: reason".
type Found struct {
	Passages []Passage
	Degraded []string
	// Queries are what was searched for in place of the query itself, such as
	// the statements of hypothetical answers.
	Queries []string
}

// How much of a search a message tells.
const (
	MaxFinds    = 10  // finds of a pair or hop
	MaxQueries  = 32  // queries that one sub-query was searched for by
	MaxDegraded = 8   // searchers that failed, of a sub-query
	maxReason   = 160 // bytes of one of them
)

// Finds returns the names of those passages that have searchers or a URL. Of
// the others there is nothing to tell but the ID, which messages have anyway.
func Finds(passages []Passage) []Find {
	var out []Find
	for i := range passages {
		if p := &passages[i]; len(p.By) > 0 || p.URL != "" {
			out = append(out, Find{Source{p.ID, p.Title, p.URL}, p.By})
		}
	}
	return out
}

// NoTime is the reason of what was given up because the question's time ran
// out. An answer that did without something for it is partial.
const NoTime = "no time left"

// OutOfTime returns the first of those entries that was given up for want of
// time, or nothing.
func OutOfTime(gaveUp []string) string {
	for _, g := range gaveUp {
		if strings.HasSuffix(g, ": "+NoTime) {
			return g
		}
	}
	return ""
}

// Degradation returns "name: reason" as one line of at most 160 bytes.
func Degradation(name, reason string) string { return boundReason(name + ": " + reason) }

// BoundDegraded returns the first MaxDegraded entries, each as one line of at
// most 160 bytes; nil if there are none.
func BoundDegraded(all []string) []string {
	if len(all) == 0 {
		return nil
	}
	out := make([]string, min(len(all), MaxDegraded))
	for i := range out {
		out[i] = boundReason(all[i])
	}
	return out
}

func boundReason(s string) string {
	cut := len(s) > 4*maxReason
	if cut { // before looking at every letter
		s = s[:4*maxReason]
	}
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= maxReason && !cut {
		return s
	}
	end := min(len(s), maxReason-len("…"))
	for end > 0 && end < len(s) && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}
