package lang

// Entities returns the names of s, whose tokens are toks: runs of capitalised
// words, joined by words such as "of", and quoted titles. Months and sentence
// openings such as "The" are no names. Spans are in order; a quoted title may
// contain names of its own, which are then not repeated.
func Entities(s string, toks []Token) []Span { return AppendEntities(nil, s, toks) }

// AppendEntities appends the names of s to dst.
func AppendEntities(dst []Span, s string, toks []Token) []Span {
	for i := 0; i < len(toks); {
		if toks[i].Sep.Any(Quote) {
			if to := quoteEnd(toks, i); to > i {
				dst = append(dst, span(s, toks, i, to, Quoted))
				i = to
				continue
			}
		}
		if !startsName(toks, i) {
			i++
			continue
		}
		to := nameEnd(toks, i)
		dst = append(dst, span(s, toks, i, to, Name))
		i = to
	}
	return dst
}

func span(s string, toks []Token, from, to int, k Kind) Span {
	a, b := toks[from].Start, toks[to-1].End
	return Span{Start: a, End: b, From: from, To: to, Kind: k, Text: s[a:b]}
}

const maxName, maxQuote = 10, 12 // tokens

// quoteEnd returns the end of the quotation that opens before token i, or i.
func quoteEnd(toks []Token, i int) int {
	for j := i + 1; j < len(toks) && j-i <= maxQuote; j++ {
		if toks[j].Sep.Any(Quote) {
			if toks[i].Cap || toks[i].Num {
				return j
			}
			return i
		}
		if toks[j].Sep.Any(End) && !toks[j].Cap {
			return i
		}
	}
	if n := len(toks); n-i <= 6 && i > 0 && toks[i].Cap {
		return n // closed by the end of the text
	}
	return i
}

func startsName(toks []Token, i int) bool {
	t := &toks[i]
	if !t.Cap || t.Stop || t.First && opener(t.Norm) {
		return false
	}
	// A month is a name only before another capitalised word: April Smith.
	return Month(t.Norm) == 0 || i+1 < len(toks) && toks[i+1].Cap && !toks[i+1].Stop && toks[i+1].Sep == Space
}

// nameEnd returns the end of the name that starts at token i.
func nameEnd(toks []Token, i int) int {
	end := i + 1
	for j := i + 1; j < len(toks) && j-i < maxName; j++ {
		t := &toks[j]
		if t.Sep.Any(Comma | Open | Close | Quote | Colon | End) {
			break
		}
		switch {
		case t.Cap && (!t.Stop || t.Norm == "the" || t.Norm == "of" || len(t.Text) > 1 && t.Text[1] < 'a'):
			if Month(t.Norm) > 0 && j+1 < len(toks) && toks[j+1].Num {
				return end
			}
			end = j + 1
		case t.Num && j == end:
			if t.Sep == Space && (IsYear(t.Norm) && j-i < 2 && toks[j-1].Norm != "of") {
				return end
			}
			end = j + 1
		case joiner(t.Norm):
			// Goes on only if a capitalised word follows the joiners.
			k := j + 1
			for k < len(toks) && k-j < 2 && joiner(toks[k].Norm) && toks[k].Sep == Space {
				k++
			}
			if k >= len(toks) || !toks[k].Cap || toks[k].Stop || toks[k].Sep != Space && toks[k].Sep != 0 && toks[k].Sep != Dash {
				return end
			}
			j = k - 1
		default:
			return end
		}
	}
	return end
}

func joiner(norm string) bool {
	switch norm {
	case "of", "the", "de", "la", "le", "du", "des", "da", "di", "del", "della", "der", "den", "van", "von", "bin", "ibn", "al", "el", "y", "e", "af", "av", "zu", "dos", "das":
		return true
	}
	return false
}

// opener reports whether a word that opens a sentence is capitalised for that
// reason alone.
func opener(norm string) bool {
	switch norm {
	case "today", "later", "although", "despite", "following", "according", "originally", "initially", "currently",
		"eventually", "finally", "additionally", "furthermore", "moreover", "meanwhile", "instead", "thus", "hence",
		"many", "several", "few", "one", "two", "three", "four", "five", "first", "second", "third", "early", "late",
		"most", "every", "nearly", "almost", "approximately", "around", "like", "unlike", "even", "once", "often",
		"sometimes", "usually", "generally", "typically", "other", "like-wise", "similarly", "located", "founded",
		"born", "based", "name", "named", "people", "now", "still", "let", "yes", "please", "tell", "give", "list", "find",
		"next", "again", "especially", "recently", "historically", "traditionally", "particularly", "whether", "besides",
		"because", "therefore", "together", "perhaps", "never", "never-the-less", "nevertheless", "consequently":
		return true
	}
	return false
}
