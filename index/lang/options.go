package lang

// findCompare sets Compare and ByDate by the words that compare things.
func (q *Question) findCompare() {
	for i := range q.Tokens {
		t := &q.Tokens[i]
		norm := t.Norm
		if !t.Cap {
			norm = Meant(norm)
		}
		d, date := comparing(norm)
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
	case "later", "younger", "latest", "youngest", "last", "newer", "newest", "after", "recently", "recent", "outlived", "outlive":
		return Most, true
	case "longer", "larger", "bigger", "taller", "higher", "greater", "deeper", "wider", "largest", "biggest", "longest", "highest",
		"tallest", "heavier", "more", "most", "farther", "further", "faster":
		return Most, false
	case "shorter", "smaller", "lower", "fewer", "less", "least", "smallest", "shortest", "lowest", "lighter", "slower":
		return Least, false
	}
	return None, false
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
	if (toks[right].Norm == "the" || toks[right].Norm == "a" || toks[right].Norm == "an") && right+1 < len(toks) && !toks[right+1].Cap {
		right++
	}
	end := right + 1
	for end < len(toks) && !toks[end].Sep.Any(Comma|Colon|End) {
		end++
	}
	comma := or - 1
	for comma > 0 && !toks[comma].Sep.Any(Comma|Colon|End) {
		comma--
	}
	if comma <= q.WhAt || comma == 0 || IsAuxiliary(toks[comma].Norm) {
		if !toks[or-1].Cap && !toks[or-1].Num {
			return q.either(comma, or, right, end)
		}
		// No comma before the options: names on either side of "or".
		left := or - 1
		for left > 0 && !toks[left].Sep.Any(Comma|Open) && (toks[left-1].Cap || toks[left-1].Num || left > 1 && joiner(toks[left-1].Norm) && toks[left-2].Cap) &&
			left-1 > q.WhAt && !(left == 1 && toks[0].Stop) {
			left--
		}
		if toks[right].Cap && end < len(toks) || toks[right].Cap && q.auxFirst() {
			end = nameEnd(toks, right)
		}
		if !toks[right].Cap && !toks[right].Num {
			return q.either(comma, or, right, end)
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

// either returns the words on either side of an "or", as many as both sides have: on
// the left from behind the auxiliary and who does it, or from the word on that both
// begin with. Where neither the question's form asks to choose, nor a clause behind
// it ("…, which of them"), it offers nothing: "can I copy or move a file?".
func (q *Question) either(from, or, right, end int) []Span {
	toks := q.Tokens
	asks := q.WhAt > or
	left := from
	for i := from; i < or; i++ {
		switch n := toks[i].Norm; {
		case n == "there" || n == "can" || n == "could" || n == "may" || n == "will":
			return nil
		case IsAuxiliary(n):
			asks = asks || q.Wh == ""
			left = i + 1
		case i == left && i > from && isPronoun(n) && i+1 < or:
			left = i + 1
			if _, form := Verb(toks[i+1].Norm); form != 0 && !IsAuxiliary(toks[i].Norm) && i+2 < or {
				left = i + 2
			}
		}
	}
	if !asks || left >= or {
		return nil
	}
	if n := toks[left].Norm; (n == "the" || n == "a" || n == "an" || n == "either") && left+1 < or {
		left++
	}
	for i := left; i < or; i++ {
		if toks[i].Norm == toks[right].Norm {
			left = i
		}
	}
	if d, _ := comparing(toks[end-1].Norm); d != None && end-1 > right {
		end--
	}
	n := min(spaced(toks[left:or]), spaced(toks[right:end]))
	if toks[left].Norm != toks[right].Norm {
		for spaced(toks[left:or]) > n && n == spaced(toks[right:end]) {
			left++
		}
	}
	return []Span{option(q.Text, toks, left, left+firstSpaced(toks[left:or], n)), option(q.Text, toks, right, right+firstSpaced(toks[right:end], n))}
}

// spaced returns how many words with spaces between them tokens are: apt-get is one.
func spaced(toks []Token) int {
	n := 1
	for i := 1; i < len(toks); i++ {
		if toks[i].Sep.Any(Space) {
			n++
		}
	}
	return n
}

// firstSpaced returns how many tokens the first n words are.
func firstSpaced(toks []Token, n int) int {
	for i := 1; i < len(toks); i++ {
		if spaced(toks[:i+1]) > n {
			return i
		}
	}
	return len(toks)
}

// isPronoun reports whether a word stands for who or what is spoken of.
func isPronoun(norm string) bool {
	switch norm {
	case "i", "you", "we", "it", "that", "this", "they", "one":
		return true
	}
	return false
}

// option is a span with the dashes before it: "--abort".
func option(s string, toks []Token, from, to int) Span {
	out := span(s, toks, from, to, Plain)
	for out.Start > 0 && s[out.Start-1] == '-' {
		out.Start--
	}
	out.Text = s[out.Start:out.End]
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
