package library

import (
	"strings"
	"unicode/utf8"

	"hopstream/index/lang"
)

// marks returns the stretches of text, in bytes, that are words of query in any of
// their forms.
func marks(query, text string) [][2]int {
	stems := map[string]bool{}
	toks := lang.Tokens(query)
	for _, plain := range []bool{true, false} { // a query of nothing but stop words means them
		for i := range toks {
			if !plain || !toks[i].Stop {
				stems[toks[i].Stem] = true
			}
		}
		if len(stems) > 0 {
			break
		}
	}
	var out [][2]int
	for _, t := range lang.Tokens(text) {
		if stems[t.Stem] {
			out = append(out, [2]int{t.Start, t.End})
		}
	}
	return out
}

// characters returns marks in characters (Unicode code points) of text.
func characters(text string, marks [][2]int) [][2]int {
	out := make([][2]int, len(marks))
	at, n := 0, 0
	count := func(to int) int {
		n += utf8.RuneCountInString(text[at:to])
		at = to
		return n
	}
	for i, m := range marks {
		out[i] = [2]int{count(m[0]), count(m[1])}
	}
	return out
}

// excerpt returns about width bytes of text on one line, from where the most marks
// are, with on and off around each.
func excerpt(text string, marks [][2]int, width int, on, off string) string {
	from, to := window(text, marks, width)
	var b strings.Builder
	at := from
	write := func(to int) {
		s := text[at:to]
		fields := oneLine(s)
		if fields == "" && s != "" || s != "" && strings.TrimLeft(s, " \t\r\n\f") != s {
			b.WriteByte(' ')
		}
		b.WriteString(fields)
		if fields != "" && strings.TrimRight(s, " \t\r\n\f") != s {
			b.WriteByte(' ')
		}
		at = to
	}
	for _, m := range marks {
		if m[0] < at || m[1] > to {
			continue
		}
		write(m[0])
		b.WriteString(on)
		write(m[1])
		b.WriteString(off)
	}
	write(to)
	out := strings.TrimSpace(b.String())
	if from > 0 {
		out = "… " + out
	}
	if to < len(text) {
		out += " …"
	}
	return out
}

// window returns the stretch of text, between words, that has the most marks.
func window(text string, marks [][2]int, width int) (from, to int) {
	if len(text) <= width {
		return 0, len(text)
	}
	most := 0
	for i, m := range marks {
		n := 0
		for n < len(marks)-i && marks[i+n][1] <= m[0]+width*3/4 {
			n++
		}
		if n > most {
			most, from = n, m[0]
		}
	}
	from = max(0, from-width/4)
	from = max(0, min(from, len(text)-width))
	if from > 0 {
		from = between(text, from)
	}
	return from, between(text, min(len(text), from+width))
}

// between returns where the word that begins before i ends, if that is soon; else
// the end of the character.
func between(text string, i int) int {
	for n := range 40 {
		if i+n >= len(text) || strings.IndexByte(" \n\t", text[i+n]) >= 0 {
			return min(i+n, len(text))
		}
	}
	for i < len(text) && !utf8.RuneStart(text[i]) {
		i++
	}
	return i
}
