package builtin

import (
	"strings"

	"hopstream/index/lang"
)

// bulleted returns the items of the bullet list that a candidate stands in: of
// each line, what stands before a colon, a dash or a bracket.
func bulleted(sc *scratch, c *cand) []item {
	if c.from < 0 {
		return nil
	}
	b := &sc.blocks[sc.sents[c.sent].block]
	line := func(tok int) (from, to int, ok bool) { // of the line's bytes
		from = strings.LastIndexByte(b.text[:sc.toks[tok].Start], '\n') + 1
		to = len(b.text)
		if n := strings.IndexByte(b.text[from:], '\n'); n >= 0 {
			to = from + n
		}
		return from, to, bullet(b.text[from:to])
	}
	if _, _, ok := line(c.from); !ok {
		return nil
	}
	first := c.from // of the list's first line
	for first > b.from {
		if _, _, ok := line(first - 1); !ok {
			break
		}
		first--
	}
	var out []item
	for i := first; i < b.to && len(out) < maxItems; {
		_, end, ok := line(i)
		if !ok {
			break
		}
		from := i
		if sc.toks[i].Num && sc.toks[i].Start+3 < end { // "1. Doric"
			from++
		}
		for i < b.to && sc.toks[i].Start < end {
			i++
		}
		to := from + 1
		for to < i && to-from < maxItem && !sc.toks[to].Sep.Any(lang.Colon|lang.Open|lang.Dash|lang.Comma|lang.End) {
			to++
		}
		if from < i {
			out = append(out, item{from, to})
		}
	}
	return out
}

// bullet reports whether a line is an item of a bulleted or numbered list.
func bullet(line string) bool {
	line = strings.TrimLeft(line, " \t")
	for _, mark := range []string{"- ", "* ", "• ", "– "} {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	n := 0
	for n < len(line) && n < 3 && isDigit(line[n]) {
		n++
	}
	return n > 0 && n+1 < len(line) && (line[n] == '.' || line[n] == ')') && line[n+1] == ' '
}
