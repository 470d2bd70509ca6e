package equivalent

import (
	"math"
	"slices"

	"hopstream/index/lang"
)

// sameValues reports whether each value of one answer is one of the other's.
// The prediction may repeat the question's.
func (j *judgement) sameValues(p, g answerText) bool {
	has := func(all []lang.Span, v *lang.Span, toks, others []lang.Token) bool {
		return slices.ContainsFunc(all, func(o lang.Span) bool { return j.sameValue(v, &o, toks, others) })
	}
	for i := range g.values {
		if !has(p.values, &g.values[i], g.toks, p.toks) {
			return false
		}
	}
	asked := lang.Values(nil, j.q.Text, j.q.Tokens)
	for i := range p.values {
		if !has(g.values, &p.values[i], p.toks, g.toks) && !has(asked, &p.values[i], p.toks, j.q.Tokens) {
			return false
		}
	}
	return true
}

// sameValue compares two values; at and bt are the words they are made of.
func (j *judgement) sameValue(a, b *lang.Span, at, bt []lang.Token) bool {
	dated := func(v *lang.Span) bool { return v.Kind == lang.Date || v.Kind == lang.Year }
	if dated(a) != dated(b) {
		return false
	}
	if dated(a) {
		if a.Value == b.Value {
			// "1920s" and the "20th century" are no years
			return period(at[a.From:a.To]) == period(bt[b.From:b.To])
		}
		return j.asksYear() && yearIn(a.Value) == yearIn(b.Value) && yearIn(a.Value) != 0 && !period(at[a.From:a.To]) && !period(bt[b.From:b.To])
	}
	if a.Kind == b.Kind {
		if a.Kind == lang.Money && currency(at[a.From:a.To]) != currency(bt[b.From:b.To]) {
			return false
		}
		return close(a.Value, b.Value)
	}
	// "120" where "120 km" is asked for: the unit is the question's
	if a.Kind == lang.Ordinal || b.Kind == lang.Ordinal || a.Kind != lang.Number && b.Kind != lang.Number {
		return false
	}
	return close(bare(a, at), bare(b, bt))
}

// close allows for the rounding of units.
func close(a, b float64) bool {
	return math.Abs(a-b) <= 1e-3*math.Max(math.Abs(a), math.Abs(b))
}

// bare returns a quantity's number without its unit.
func bare(v *lang.Span, toks []lang.Token) float64 {
	for to := v.To; to > v.From; to-- {
		text := ""
		for _, t := range toks[v.From:to] {
			text += t.Text + " "
		}
		cut := lang.Tokens(text)
		if all := lang.Values(nil, text, cut); len(all) == 1 && all[0].Kind == lang.Number && all[0].To == len(cut) {
			return all[0].Value
		}
	}
	return v.Value
}

// period reports whether a date is a decade or a century.
func period(toks []lang.Token) bool {
	last := toks[len(toks)-1].Norm
	return last == "century" || last == "centuries" || len(last) == 5 && last[4] == 's' && last[0] >= '0' && last[0] <= '9'
}

// currency returns the sign or the name of a sum's money.
func currency(toks []lang.Token) string {
	for i := range toks {
		switch t := &toks[i]; t.Norm {
		case "dollar", "dollars", "$", "us$", "usd":
			return "$"
		case "pound", "pounds", "£", "gbp":
			return "£"
		case "euro", "euros", "€", "eur":
			return "€"
		case "yen", "¥":
			return "¥"
		case "rupees", "rupee", "₹":
			return "₹"
		}
	}
	return ""
}

func yearIn(value float64) int { return int(value) / 10000 }

// asksYear reports whether the question is about a year only.
func (j *judgement) asksYear() bool { return j.q.Type == lang.YearType }

// onlyValues reports whether an answer is a value and nothing else.
func onlyValues(a answerText) bool {
	if len(a.values) == 0 {
		return false
	}
	for i := range a.toks {
		t := &a.toks[i]
		if t.Stop || filler(t.Norm) || slices.ContainsFunc(a.values, func(v lang.Span) bool { return i >= v.From && i < v.To }) {
			continue
		}
		return false
	}
	return true
}
