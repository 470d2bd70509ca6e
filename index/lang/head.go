package lang

// headOf finds the head at i and looks through "name of the", "type of".
func (q *Question) headOf(i int) {
	q.head(i)
	for range 2 {
		switch q.Head {
		case "name", "names", "type", "types", "kind", "kinds", "sort", "form", "nickname":
		default:
			return
		}
		if q.norm(q.HeadTo) != "of" {
			return
		}
		j := q.HeadTo + 1
		switch q.norm(j) {
		case "the", "a", "an", "this":
			j++
		}
		if j >= len(q.Tokens) || q.Tokens[j].Stop {
			return
		}
		q.head(j)
	}
}

// head reads the noun phrase at token i: up to the next structure word or
// separator, ending early at a noun that names a type when a verb follows.
func (q *Question) head(i int) {
	toks := q.Tokens
	j := i
	for j < len(toks) && j-i < 8 {
		t := &toks[j]
		if j > i && t.Sep.Any(Comma|Open|Close|End|Colon) {
			break
		}
		if t.Stop && (j > i || t.Norm != "other" && t.Norm != "many" && t.Norm != "own") {
			break
		}
		j++
	}
	if j == i {
		return
	}
	if j+1 < len(toks) && toks[j].Norm == "'s" && !toks[j+1].Stop {
		q.head(j + 1) // "Ada's occupation"
		return
	}
	end := j
	for k := i; k < j-1; k++ {
		// "city hosted the …": the noun before a verb form. A name noun before
		// another noun ("film director") is no head.
		if nx := toks[k+1].Norm; verbForm(nx) && (nounType(toks[k].Norm) != Unknown || listed(toks[k].Norm) != 0 || j < len(toks)) &&
			nounType(nx) == Unknown && k+1-i >= 1 && !toks[k+1].Cap {
			end = k + 1
			break
		}
	}
	if end == j && j-i > 1 && nounType(toks[j-1].Norm) == Unknown && listed(toks[j-1].Norm) == 0 {
		for k := j - 2; k >= i; k-- {
			if nounType(toks[k].Norm) != Unknown || listed(toks[k].Norm) != 0 {
				if !toks[k].Cap {
					end = k + 1
				}
				break
			}
		}
	}
	q.HeadFrom, q.HeadTo = i, end
	q.Head = Meant(toks[end-1].Norm)
	if q.Head == "place" && i == q.WhAt+1 && (q.norm(end-2) == "took" || q.norm(end-2) == "takes") {
		q.Head, q.HeadTo = "", i // "what took place"
		return
	}
	if t := nounType(q.Head); t != Unknown {
		q.Type = t
	} else if q.Type == Unknown {
		if n := len(q.Head); n > 3 && q.Head[n-1] == 's' {
			if t := nounType(q.Head[:n-1]); t != Unknown {
				q.Type = t
			}
		}
	}
}

func verbForm(norm string) bool {
	n := len(norm)
	if n < 4 {
		return norm == "won" || norm == "had" || norm == "led" || norm == "ran"
	}
	if norm[n-2:] == "ed" {
		return true
	}
	switch norm {
	case "borders", "hosts", "contains", "became", "plays", "lies", "began", "made", "wrote", "sang", "built", "held", "gave", "took", "includes", "lives", "lived", "features", "stars", "starring", "directed", "won", "left", "came", "went", "separates", "owns", "runs", "uses", "holds", "makes", "produces", "separated", "belongs", "flows", "means", "describes", "controls":
		return true
	}
	return false
}

// plainSubject reports whether from token i to the end there is only a name,
// or words without any structure: "who is Ada Lovelace", "what is nginx".
func (q *Question) plainSubject(i int) bool {
	toks := q.Tokens
	if i < len(toks) && (IsBe(toks[i].Norm) || toks[i].Norm == "'s") {
		i++
	} else if q.Wh != "what" && q.Wh != "which" {
		return false
	}
	if i >= len(toks) || len(toks)-i > 5 {
		return false
	}
	name := true
	for _, t := range toks[i:] {
		if t.Stop && !t.Cap || t.Norm == "'s" {
			return false
		}
		name = name && (t.Cap || t.Num)
	}
	if q.Wh == "who" || q.Wh == "whom" {
		return name
	}
	return nounType(toks[len(toks)-1].Norm) == Unknown && (name || len(toks)-i <= 3)
}
