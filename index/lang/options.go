package lang

// findCompare sets Compare, ByDate and Same by the words that compare things.
func (q *Question) findCompare() {
	for i := range q.Tokens {
		t := &q.Tokens[i]
		norm := t.Norm
		if !t.Cap {
			norm = Meant(norm)
		}
		d, date := comparing(norm)
		q.Same = q.Same || sameness(norm)
		if d == None || q.Compare != None && (t.Norm == "first" || t.Norm == "last" || t.Norm == "before" || t.Norm == "after") {
			continue
		}
		if (t.Norm == "more" || t.Norm == "most") && q.Compare != None {
			continue // in "more recently" the other word says what is compared
		}
		q.Compare, q.ByDate = d, date
	}
}

// comparing returns which way a word compares, and whether by dates.
func comparing(norm string) (d Direction, date bool) {
	switch norm {
	case "first", "earlier", "older", "oldest", "earliest", "before", "elder", "eldest", "sooner":
		return Least, true
	case "later", "younger", "latest", "youngest", "last", "newer", "newest", "after", "recently", "recent":
		return Most, true
	case "longer", "larger", "bigger", "taller", "higher", "greater", "deeper", "wider", "largest", "biggest", "longest", "highest",
		"tallest", "heavier", "more", "most", "farther", "further", "faster":
		return Most, false
	case "shorter", "smaller", "lower", "fewer", "less", "least", "smallest", "shortest", "lowest", "lighter", "slower":
		return Least, false
	}
	return None, false
}

// sameness reports whether a word asks what things share.
func sameness(norm string) bool {
	switch norm {
	case "both", "same", "share", "shared", "alike", "common":
		return true
	}
	return false
}

// options returns what an either-or question offers: "…, A or B?",
// "is A or B …", "between A and B, which …".
func options(q *Question) []Span {
	toks := q.Tokens
	or := -1
	for i := 1; i+1 < len(toks); i++ {
		if toks[i].Norm == "or" && !toks[i].Cap {
			or = i
		}
	}
	s := q.Text
	if or < 0 {
		return between(q)
	}
	// Right: up to a comma or the end; after a name, up to the words that follow it.
	right := or + 1
	if right < len(toks) && toks[right].Norm == "the" || toks[right].Norm == "a" {
		if right+1 < len(toks) && !toks[right+1].Cap {
			right++
		}
	}
	end := right + 1
	for end < len(toks) && !toks[end].Sep.Any(Comma|End) {
		end++
	}
	comma := or - 1
	for comma > 0 && !toks[comma].Sep.Any(Comma|Colon|End) {
		comma--
	}
	if comma <= q.WhAt || comma == 0 {
		// No comma before the options: names on either side of "or".
		left := or - 1
		if !toks[left].Cap && !toks[left].Num {
			if q.Wh != "" || !q.auxFirst() {
				return nil
			}
			return []Span{span(s, toks, left, or, Plain), span(s, toks, right, min(right+1, end), Plain)}
		}
		for left > 0 && !toks[left].Sep.Any(Comma|Open) && (toks[left-1].Cap || toks[left-1].Num || left > 1 && joiner(toks[left-1].Norm) && toks[left-2].Cap) &&
			left-1 > q.WhAt && !(left == 1 && toks[0].Stop) {
			left--
		}
		if toks[right].Cap && end < len(toks) || toks[right].Cap && q.auxFirst() {
			end = nameEnd(toks, right)
		}
		if !toks[right].Cap && !toks[right].Num {
			return nil
		}
		return []Span{span(s, toks, left, or, Name), span(s, toks, right, end, Name)}
	}
	out := make([]Span, 0, 4)
	from := comma
	if toks[or].Sep.Any(Comma) && or == comma { // "A, or B"
		from = or
	}
	left := comma
	if from == or {
		left = or - 1
		for left > 0 && !toks[left].Sep.Any(Comma|Colon|End) {
			left--
		}
		if left <= q.WhAt {
			return nil
		}
	}
	// Earlier items of a list: "A, B or C".
	for n := 0; n < 4 && left > 0; n++ {
		prev := left - 1
		for prev > 0 && !toks[prev].Sep.Any(Comma|Colon|End) {
			prev--
		}
		if prev <= q.WhAt+1 || prev == 0 || left-prev > 6 || !toks[prev].Cap {
			break
		}
		out = append(out, span(s, toks, prev, left, Name))
		left = prev
	}
	first := left
	if len(out) > 0 {
		first = comma
	}
	if t := toks[first].Norm; (t == "the" || t == "either" || t == "is" || t == "was") && first+1 < or && !toks[first].Cap {
		first++
	}
	if or > first {
		out = append(out, span(s, toks, first, or, Name))
	}
	if end > right {
		out = append(out, span(s, toks, right, end, Name))
	}
	return out
}

// between reads "between A and B, which …" and "which of A and B …".
func between(q *Question) []Span {
	toks := q.Tokens
	for i := range toks {
		if toks[i].Norm != "between" && !(toks[i].Norm == "of" && i > 0 && (i-1 == q.WhAt || toks[i-1].Norm == "out")) {
			continue
		}
		if q.Compare == None || i+3 >= len(toks) {
			return nil
		}
		from := i + 1
		for and := from + 1; and+1 < len(toks) && and-from < 10; and++ {
			if toks[and].Norm != "and" || !toks[and+1].Cap {
				continue
			}
			end := and + 2
			for end < len(toks) && !toks[end].Sep.Any(Comma|End) && (toks[end].Cap || toks[end].Num || joiner(toks[end].Norm)) {
				end++
			}
			return []Span{span(q.Text, toks, from, and, Name), span(q.Text, toks, and+1, end, Name)}
		}
	}
	return nil
}
