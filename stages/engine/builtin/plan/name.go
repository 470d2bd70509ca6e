package plan

import (
	"strings"
)

// goesOnAfterComma reports whether w may follow a comma inside of a name:
// "Edward Baring, 1st Baron Revelstoke", "Karl, Prince of Leiningen".
func goesOnAfterComma(w *word) bool {
	if w.text != "" && w.text[0] >= '0' && w.text[0] <= '9' {
		return true
	}
	switch w.norm {
	case "prince", "princess", "duke", "duchess", "earl", "count", "countess", "baron", "baroness", "king", "queen",
		"lord", "lady", "marquis", "marquess", "viscount", "emperor", "elector", "jr", "sr", "iii", "ii":
		return true
	}
	return false
}

// particle reports whether w may stand between the words of a name.
func particle(w *word) bool {
	return w.is("of", "de", "von", "van", "ibn", "bin", "al", "la", "le", "du", "da", "dos", "del", "di", "der", "den",
		"el", "y", "e", "zu", "af", "av", "ap", "and", "d", "des", "the")
}

// nameEnd returns where the name that starts at i ends; i if none starts
// there. Prepositions are taken in when a capitalised word follows them.
func nameEnd(q []word, i int) int {
	j := i
	for j < len(q) {
		w := &q[j]
		switch {
		case w.slot > 0:
			return j + 1
		case w.name:
			j++
			if w.comma() && (j >= len(q) || !goesOnAfterComma(&q[j]) && !(q[j].quoted && w.quoted)) {
				return j
			}
			continue
		case j == i:
			return i
		case q[j-1].quoted && !w.quoted:
			return j
		case w.norm == "'s" && j+1 < len(q) && q[j+1].name:
			j++
			continue
		case particle(w) || w.is("in", "on", "at", "for", "to", "with", "from", "by", "a", "an"):
			k := j + 1
			if k < len(q) && (q[k].is("the", "a", "an", "la", "le", "de", "my", "your")) {
				k++
			}
			if w.is("in", "on", "at", "by", "from") && k < len(q) && q[k].slot > 0 {
				return j
			}
			if w.is("of") && w.post == "" && k < len(q) && q[k].slot > 0 {
				return k + 1
			}
			if w.post == "" && k < len(q) && q[k].name && !(w.is("and") && q[k].quoted != q[j-1].quoted) {
				j = k
				continue
			}
		}
		return j
	}
	return j
}

func allNames(ws []word) bool {
	for i := range ws {
		if !ws[i].name {
			return false
		}
	}
	return len(ws) > 0
}

// kindWord reports whether w says what kind of work the name behind it is.
func kindWord(w *word) bool {
	return workWord(w) || w.is("band", "group", "company", "city", "country", "state", "team", "newspaper", "actor", "actress")
}

// workWord is kindWord for works alone, which are made, not doing anything.
func workWord(w *word) bool {
	return w.is("film", "films", "song", "movie", "movies", "book", "novel", "album", "play", "series", "show", "single", "game",
		"magazine", "poem", "opera", "track")
}

func trimOwner(ws []word) []word {
	out := trimWords(ws)
	if n := len(out); n > 0 {
		out[n-1].post = strings.TrimRight(out[n-1].post, "'’")
	}
	return out
}

func bareApostrophe(w *word) bool {
	return w.names() && !w.quoted && (w.post == "'" || w.post == "’") && strings.HasSuffix(w.norm, "s")
}
