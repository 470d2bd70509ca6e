package links

import (
	"slices"
	"strings"

	"hopstream/index/lang"
	"hopstream/messages"
)

const (
	maxKeyBytes = 200 // of a key; a longer one is no name
	maxNameKey  = 8   // tokens of a name in a text
	maxNamed    = 200 // keys of names in one text
	maxPlain    = 200 // keys of other words in it
	maxSpans    = 512 // keys in a question
)

// Keys returns what p may be called by: its title without what stands in
// brackets, that without "The" or up to a comma, and the subject of its first
// sentence if that shares a word with the title. A key is a few words in lower
// case without diacritics, one space between them; p has at most four. A Source
// finds passages by them, as an Index does by its dictionary of titles.
func Keys(p messages.Passage) []string {
	c := newCorpus()
	read := c.passage(read(p))
	var keys []string
	for _, k := range read.keys {
		words := make([]string, 0, maxKey)
		for _, t := range read.toks[k.from:k.to] {
			words = append(words, c.norm(t.norm))
		}
		if key := keyFor(words); key != "" && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// keyFor returns the key that words make, or nothing.
func keyFor(words []string) string {
	n := 0
	for _, w := range words {
		n += len(w) + 1
	}
	if n > maxKeyBytes {
		return ""
	}
	return strings.Join(words, " ")
}

// keySet collects keys, each once, up to a limit.
type keySet struct {
	keys  []string
	seen  map[string]bool
	limit int
}

func (s *keySet) add(toks []lang.Token) {
	if len(s.keys) >= s.limit {
		return
	}
	words := make([]string, len(toks))
	for i := range toks {
		words[i] = toks[i].Norm
	}
	if k := keyFor(words); k != "" && !s.seen[k] {
		s.seen[k] = true
		s.keys = append(s.keys, k)
	}
}

// namedIn returns the keys of the names that a text may contain: stretches that
// begin and end with a capital or a number, then single words with content and
// pairs of them, since a title such as "politician" stands in a text in lower
// case. An Index tries all stretches of a text; for a Source each costs a value
// in a query, so only the likely ones are returned.
func namedIn(toks []lang.Token) []string {
	s := keySet{seen: map[string]bool{}, limit: maxNamed}
	stretches(toks, maxNameKey, func(from, to int) bool {
		if t := &toks[from]; !t.Cap && !t.Num {
			return false
		}
		if t := &toks[to-1]; (t.Cap || t.Num) && (to-from > 1 || !t.Stop) {
			s.add(toks[from:to])
		}
		return true
	})
	s.limit = len(s.keys) + maxPlain
	stretches(toks, 2, func(from, to int) bool {
		if toks[to-1].Stop {
			return false
		}
		s.add(toks[from:to])
		return true
	})
	return s.keys
}

// askedIn returns the keys of all stretches of a question that a title may be.
func askedIn(toks []lang.Token) []string {
	s := keySet{seen: map[string]bool{}, limit: maxSpans}
	for from := range toks {
		for to := from + 1; to <= min(len(toks), from+maxKey); to++ {
			if to-from > 1 || !toks[from].Stop {
				s.add(toks[from:to])
			}
		}
	}
	return s.keys
}

// stretches calls fn for every stretch of up to limit tokens that lies within a
// sentence. When fn returns false, it goes on with those from the next token on.
func stretches(toks []lang.Token, limit int, fn func(from, to int) bool) {
	for from := range toks {
		for to := from + 1; to <= min(len(toks), from+limit); to++ {
			if to > from+1 && toks[to-1].First || !fn(from, to) {
				break
			}
		}
	}
}
