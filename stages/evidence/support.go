package evidence

import (
	"cmp"
	"hopstream/messages"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// MaxQuotes is how many quotes an answer to one sub-question has at most.
	MaxQuotes = 3
	// MaxWords is how many words they have together, as far as whole units
	// allow: the first quote is never left out.
	MaxWords = 120
	// enough is the share of a long answer's words that a stretch must have to
	// support it.
	enough = 0.6
	// beside is the share of the best stretch's score that another one needs to
	// be quoted beside it.
	beside = 0.5
)

// Scales are the lengths in characters at which a passage is searched for the
// words of an answer.
func Scales() []int { return []int{150, 250, 350} }

// Support returns what in passages supports the answer that f is to a question;
// nothing, if nothing does. The quotes that f brings count if they stand in
// the passages, white space and case aside. If it brings none, what supports it
// is looked for: a stretch that has the answer word for word, in the passages
// that f names if it names some; what is nearest to the question in a passage
// whose title has the answer; or, of an answer in sentences, most of its words. An answer of yes or no is supported by the stretch nearest to the
// question. Spans are those that Align found for the question.
func Support(question string, f *messages.Finding, passages []messages.Passage, spans []messages.Span) []messages.Evidence {
	if f.Text == "" || len(passages) == 0 {
		return nil
	}
	s := support{passages: passages, spans: slices.Clone(spans), first: cited(f.Sources, passages)}
	slices.SortStableFunc(s.spans, func(a, b messages.Span) int { return cmp.Compare(b.Score, a.Score) })
	for _, e := range f.Evidence {
		s.quoted(e)
	}
	if len(s.out) > 0 {
		return s.evidence()
	}
	at, ok := s.of(question, f.Text)
	if !ok {
		return nil
	}
	s.take(at)
	for _, other := range s.spans { // what else is near to the question
		if other.Score >= beside*s.spans[0].Score {
			s.take(other)
		}
	}
	return s.evidence()
}

// Of returns the stretch that supports a part of an answer, such as the item
// of a list, in the passages with the given IDs, or in all if there are none.
func Of(question, text string, sources []messages.Source, passages []messages.Passage, spans []messages.Span) []messages.Evidence {
	s := support{passages: passages, spans: spans, first: cited(sources, passages)}
	at, ok := s.of(question, text)
	if !ok {
		return nil
	}
	s.take(at)
	return s.evidence()
}

// support is evidence being looked for.
type support struct {
	passages []messages.Passage
	spans    []messages.Span // by score
	first    []int           // the passages to look into before the others
	out      []messages.Span
	words    int
}

// cited returns the indexes of the passages that are named as sources.
func cited(sources []messages.Source, passages []messages.Passage) (out []int) {
	for _, s := range sources {
		if i := slices.IndexFunc(passages, func(p messages.Passage) bool { return p.ID == s.ID }); i >= 0 && !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	return out
}

// order returns the indexes of all passages, those to look into first before
// the others.
func (s *support) order() []int {
	out := slices.Clone(s.first)
	for i := range s.passages {
		if !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	return out
}

// quoted takes a quote that an engine brings, if it stands where the engine
// says, or in another passage.
func (s *support) quoted(e messages.Evidence) {
	for _, named := range []bool{true, false} {
		for _, i := range s.order() {
			if p := &s.passages[i]; named == (p.ID == e.ID) {
				if from, to, ok := Locate(p.Text, e.Quote); ok {
					from, to = grown(p.Text, from, to)
					s.take(messages.Span{Passage: i, From: from, To: to})
					return
				}
			}
		}
	}
}

// of returns the best stretch that supports text.
func (s *support) of(question, text string) (messages.Span, bool) {
	if yesNo(text) {
		if len(s.spans) == 0 {
			s.spans = Align(question, s.passages, Scales(), 1)
			slices.SortStableFunc(s.spans, func(a, b messages.Span) int { return cmp.Compare(b.Score, a.Score) })
		}
		if len(s.spans) == 0 || s.spans[0].Score == 0 {
			return messages.Span{}, false
		}
		return s.spans[0], true
	}
	for _, among := range [][]int{s.first, s.order()} { // the passages named, then all
		if span, ok := s.word(text, among); ok {
			return span, true
		}
	}
	if span, ok := s.titled(question, text); ok {
		return span, true
	}
	return s.mostly(text)
}

// word returns the best stretch of the passages given that has text word for
// word.
func (s *support) word(text string, among []int) (messages.Span, bool) {
	for _, span := range s.spans {
		if !slices.Contains(among, span.Passage) {
			continue
		}
		if _, _, ok := Locate(s.passages[span.Passage].Text[span.From:span.To], text); ok {
			return span, true
		}
	}
	for _, i := range among {
		if from, to, ok := Locate(s.passages[i].Text, text); ok {
			from, to = grown(s.passages[i].Text, from, to)
			return messages.Span{Passage: i, From: from, To: to}, true
		}
	}
	return messages.Span{}, false
}

// titled returns what is nearest to the question in a passage that is about
// the answer, by its title: such a passage need not name what it describes.
func (s *support) titled(question, text string) (messages.Span, bool) {
	for _, i := range s.order() {
		if _, _, ok := Locate(s.passages[i].Title, text); !ok {
			continue
		}
		if found := Align(question, s.passages[i:i+1], Scales()[1:2], 1); len(found) > 0 {
			found[0].Passage = i
			return found[0], true
		}
		if text := s.passages[i].Text; text != "" { // how it begins
			_, n := utf8.DecodeRuneInString(text)
			from, to := grown(text, 0, n)
			return messages.Span{Passage: i, From: from, To: to}, true
		}
	}
	return messages.Span{}, false
}

// yesNo reports whether an answer says no more than yes or no.
func yesNo(text string) bool {
	word := strings.ToLower(strings.Trim(text, " .!"))
	return word == "yes" || word == "no"
}

// mostly returns the shortest stretch that has most of the words of a long
// text.
func (s *support) mostly(text string) (best messages.Span, ok bool) {
	t := termsOf(text)
	if len(t.hash) < 3 {
		return best, false
	}
	all := t.readAll(s.passages)
	share := 0.0
	var found []messages.Span
	for _, scale := range append(Scales(), 2*len(text)) {
		for i := range all {
			found = t.stretches(found[:0], s.passages[i].Text, &all[i], i, scale)
			for _, span := range found {
				got := t.weigh(t.in(s.passages[i].Text[span.From:span.To])) / max(t.total, 1e-9)
				if got >= enough && got > share+0.05 {
					best, share, ok = span, got, true
				}
			}
		}
	}
	return best, ok
}

// take adds a stretch, unless it overlaps with another one or is too much.
func (s *support) take(span messages.Span) {
	text := s.passages[span.Passage].Text[span.From:span.To]
	n := len(strings.Fields(text))
	if len(s.out) > 0 && (len(s.out) == MaxQuotes || s.words+n > MaxWords) ||
		slices.ContainsFunc(s.out, func(o messages.Span) bool { return overlaps(o, span) }) {
		return
	}
	s.out = append(s.out, span)
	s.words += n
}

func (s *support) evidence() []messages.Evidence {
	out := make([]messages.Evidence, len(s.out))
	for i, span := range s.out {
		out[i] = Quote(&s.passages[span.Passage], span.From, span.To)
	}
	return out
}
