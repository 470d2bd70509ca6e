package lang

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Kind says what a span is.
type Kind uint8

// The kinds.
const (
	Plain    Kind = iota
	Name          // a capitalised name
	Quoted        // a quoted title
	Year          // 1923
	Date          // 12 March 1923, March 1923, March 12, 1920s, 19th century
	Number        // 12,000; seventeen; 3.5 million
	Ordinal       // 3rd, third
	Percent       // 3.6 %
	Money         // $5 million
	Duration      // three years
	Measure       // 120 km
)

// Span is a stretch of a text: bytes Start to End, tokens From to To.
type Span struct {
	Start, End int
	From, To   int
	Kind       Kind
	Text       string
	// Value makes dates and quantities comparable: yyyymmdd for years and
	// dates (an unknown month or day is 0), the magnitude for numbers.
	Value float64
}

// Values appends to dst the dates and quantities of s in order; they do not
// overlap.
func Values(dst []Span, s string, toks []Token) []Span {
	for i := 0; i < len(toks); {
		if t := &toks[i]; !t.Num && !opensValue(t.Norm) {
			i++
			continue
		}
		sp, ok := valueAt(toks, i)
		if !ok {
			i++
			continue
		}
		sp.Start, sp.End = toks[sp.From].Start, toks[sp.To-1].End
		sp.Text = s[sp.Start:sp.End]
		dst = append(dst, sp)
		i = sp.To
	}
	return dst
}

// opensValue reports whether a normal form that is no number may open a date or
// a quantity, by how it begins: like a month, a number word or the name of a
// currency, or with something other than an ASCII letter. It spares the closer
// look for most words.
func opensValue(norm string) bool {
	return len(norm) > 1 && (norm[0] >= utf8.RuneSelf || valueOpenings.opens(norm[0], norm[1]))
}

var valueOpenings = func() (w Wanted) {
	for _, opening := range strings.Fields("ja fe ma ap ju au se oc no de do ze on tw th fo fi si ei ni te el hu mi bi") {
		w.Add(opening)
	}
	return w
}()

func valueAt(toks []Token, i int) (Span, bool) {
	t := &toks[i]
	if !t.Num {
		if t.Cap {
			if m := Month(t.Norm); m > 0 {
				return monthFirst(toks, i, m)
			}
		}
		if t.Norm == "dollar" || t.Text == "£" || t.Text == "€" || t.Text == "¥" || t.Text == "₹" {
			if i+1 < len(toks) && toks[i+1].Num {
				if v, to, ok := magnitude(toks, i+1); ok {
					return Span{From: i, To: to, Kind: Money, Value: v}, true
				}
			}
			return Span{}, false
		}
		if n, ok := numberWord(t.Norm); ok && (!t.Cap || t.First) {
			return wordNumber(toks, i, n)
		}
		if t.Cap || t.First {
			return Span{}, false
		}
		if t.Norm == "century" { // nineteenth century is found at its ordinal
			return Span{}, false
		}
		return Span{}, false
	}
	n, digits, suffix := leadingInt(t.Norm)
	next := func(k int) *Token {
		if i+k < len(toks) {
			return &toks[i+k]
		}
		return &noToken
	}
	switch {
	case suffix == "st" || suffix == "nd" || suffix == "rd" || suffix == "th":
		if nx := next(1); nx.Norm == "century" || nx.Norm == "centuries" {
			return Span{From: i, To: i + 2, Kind: Date, Value: float64(max(0, n-1) * 100 * 10000)}, true
		}
		if m := Month(next(1).Norm); m > 0 && n <= 31 {
			return dayFirst(toks, i, n, m, 1)
		}
		if next(1).Norm == "of" && n <= 31 {
			if m := Month(next(2).Norm); m > 0 {
				return dayFirst(toks, i, n, m, 2)
			}
		}
		return Span{From: i, To: i + 1, Kind: Ordinal, Value: float64(n)}, true
	case suffix == "s" && digits == 4:
		return Span{From: i, To: i + 1, Kind: Date, Value: float64(n * 10000)}, true
	case suffix != "" && suffix[0] != '.':
		return Span{}, false
	}
	if digits <= 2 && n >= 1 && n <= 31 && suffix == "" {
		if m := Month(next(1).Norm); m > 0 && next(1).Cap {
			return dayFirst(toks, i, n, m, 1)
		}
	}
	if IsYear(t.Norm) && len(t.Text) == 4 {
		nx := next(1)
		if unit(nx.Norm) == Plain && !scale(nx.Norm) && (nx.Norm != "people") {
			to := i + 1
			if nx.Num && nx.Sep == Dash && len(nx.Norm) == 2 { // 1995–96
				to++
			}
			if b := next(to - i); b.Norm == "bc" || b.Norm == "bce" {
				return Span{From: i, To: to + 1, Kind: Year, Value: -float64(n * 10000)}, true
			}
			return Span{From: i, To: to, Kind: Year, Value: float64(n * 10000)}, true
		}
	}
	if nx := next(1); digits <= 4 && suffix == "" && (nx.Norm == "bc" || nx.Norm == "bce" || nx.Norm == "ad") && nx.Cap {
		v := float64(n * 10000)
		if nx.Norm != "ad" {
			v = -v
		}
		return Span{From: i, To: i + 2, Kind: Year, Value: v}, true
	}
	v, to, ok := magnitude(toks, i)
	if !ok {
		return Span{}, false
	}
	return withUnit(toks, i, to, v), true
}

var noToken Token

// monthFirst reads "March 12, 1923", "March 1923", "March 12" at month token i.
func monthFirst(toks []Token, i, m int) (Span, bool) {
	sp := Span{From: i, To: i + 1, Kind: Date, Value: float64(m * 100)}
	j := i + 1
	if j < len(toks) && toks[j].Num && !toks[j].First {
		if n, digits, suffix := leadingInt(toks[j].Norm); digits <= 2 && n >= 1 && n <= 31 &&
			(suffix == "" || suffix == "st" || suffix == "nd" || suffix == "rd" || suffix == "th") {
			sp.Value += float64(n)
			sp.To = j + 1
			j++
		}
	}
	if j < len(toks) && IsYear(toks[j].Norm) && !toks[j].Sep.Any(Open|Close|End) {
		y, _, _ := leadingInt(toks[j].Norm)
		sp.Value += float64(y * 10000)
		sp.To = j + 1
	}
	if sp.To == i+1 && (toks[i].Norm == "may" || toks[i].Norm == "march") && toks[i].First {
		return Span{}, false
	}
	return sp, true
}

// dayFirst reads "12 March 1923" at day token i with the month k tokens on.
func dayFirst(toks []Token, i, day, m, k int) (Span, bool) {
	sp := Span{From: i, To: i + k + 1, Kind: Date, Value: float64(m*100 + day)}
	if j := i + k + 1; j < len(toks) && IsYear(toks[j].Norm) && !toks[j].Sep.Any(Open|Close|End) {
		y, _, _ := leadingInt(toks[j].Norm)
		sp.Value += float64(y * 10000)
		sp.To++
	}
	return sp, true
}

// wordNumber reads number words: "seventeen", "twenty-one", "two hundred", "first".
func wordNumber(toks []Token, i int, n float64) (Span, bool) {
	if Ordinals(toks[i].Norm) {
		if j := i + 1; j < len(toks) && (toks[j].Norm == "century" || toks[j].Norm == "centuries") {
			return Span{From: i, To: i + 2, Kind: Date, Value: (n - 1) * 100 * 10000}, true
		}
		return Span{From: i, To: i + 1, Kind: Ordinal, Value: n}, true
	}
	v, last, to := n, n, i+1
	for to < len(toks) && to-i < 8 && !toks[to].Sep.Any(Comma|Open|Close|End|Colon|Quote) {
		w := toks[to].Norm
		if scale(w) {
			v = v - last + last*scaleOf(w)
			last = v
			to++
			continue
		}
		m, ok := numberWord(w)
		if !ok || Ordinals(w) || m >= last || last >= 10 && last < 20 || last < 10 {
			break
		}
		v, last = v+m, m
		to++
	}
	return withUnit(toks, i, to, v), true
}

// magnitude reads the number at i and the scale words after it.
func magnitude(toks []Token, i int) (v float64, to int, ok bool) {
	norm := toks[i].Norm
	if len(norm) > 24 {
		return 0, 0, false
	}
	v, err := strconv.ParseFloat(norm, 64)
	if err != nil {
		return 0, 0, false
	}
	to = i + 1
	for to < len(toks) && to-i < 4 && scale(toks[to].Norm) && !toks[to].Sep.Any(Comma|Open|Close|End) {
		v *= scaleOf(toks[to].Norm)
		to++
	}
	return v, to, true
}

// withUnit extends a number over the unit that follows it.
func withUnit(toks []Token, from, to int, v float64) Span {
	sp := Span{From: from, To: to, Kind: Number, Value: v}
	if to >= len(toks) || toks[to].Sep.Any(Comma|Open|Close|End|Quote|Colon) {
		return sp
	}
	j := to
	if w := toks[j].Norm; (w == "square" || w == "cubic" || w == "per" || w == "u.s") && j+1 < len(toks) {
		j++
	}
	if k := unit(toks[j].Norm); k != Plain {
		sp.Kind, sp.To = k, j+1
		if k == Percent && toks[j].Norm == "per" {
			sp.Kind, sp.To = Number, to
		}
		sp.Value *= unitScale(toks[j].Norm)
		if k == Duration && j+1 < len(toks) && toks[j+1].Norm == "ago" {
			sp.Kind, sp.To, sp.Value = Date, j+2, -sp.Value*10000 // before now
		}
	} else if j > to && toks[j].Norm == "cent" {
		sp.Kind, sp.To = Percent, j+1
	}
	return sp
}

// IsYear reports whether a normal form is a year from 1000 to 2199.
func IsYear(norm string) bool {
	if len(norm) != 4 || norm[0] != '1' && (norm[0] != '2' || norm[1] > '1') {
		return false
	}
	for i := range 4 {
		if norm[i] < '0' || norm[i] > '9' {
			return false
		}
	}
	return true
}

// leadingInt reads the digits norm starts with, at most nine, and what follows.
func leadingInt(norm string) (n, digits int, suffix string) {
	for digits < len(norm) && digits < 9 && norm[digits] >= '0' && norm[digits] <= '9' {
		n = n*10 + int(norm[digits]-'0')
		digits++
	}
	return n, digits, norm[digits:]
}
