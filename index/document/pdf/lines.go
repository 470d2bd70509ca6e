package pdf

import (
	"math"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// line is a line of a page.
type line struct {
	text string
	x, y float64
	size float64
	end  float64
}

// lines puts pieces together, in their order: as long as they go on to the right
// at about the same height. A gap is a blank.
func lines(pieces []piece) []line {
	var out []line
	var b strings.Builder
	var at line
	runs := map[float64]int{} // characters by size
	flush := func() {
		text := strings.Join(strings.Fields(b.String()), " ")
		b.Reset()
		if text != "" {
			most := 0
			for size, n := range runs {
				if n > most || n == most && size > at.size {
					most, at.size = n, size
				}
			}
			at.text = text
			out = append(out, at)
		}
		clear(runs)
	}
	for i, p := range pieces {
		if i > 0 {
			same := math.Abs(p.y-at.y) < 0.5*math.Max(at.size, p.size) && p.x > at.end-math.Max(at.size, 2)*1.5
			switch {
			case !same:
				flush()
			case p.x-at.end > 0.17*p.size && b.Len() > 0:
				b.WriteByte(' ')
			}
		}
		if b.Len() == 0 {
			at = line{x: p.x, y: p.y, size: p.size}
		}
		b.WriteString(p.text)
		at.end = p.end
		runs[math.Round(p.size*2)/2] += utf8.RuneCountInString(p.text)
	}
	flush()
	return out
}

// ligatures are characters that stand for several.
var ligatures = strings.NewReplacer("ﬁ", "fi", "ﬂ", "fl", "ﬀ", "ff", "ﬃ", "ffi", "ﬄ", "ffl", "\u00a0", " ")

// leaders are the points between an entry of a table of contents and its page.
var leaders = regexp.MustCompile(`\s*(?:[.:·]\s?){4,}\s*`)

// leader stands for them.
const leader = " … "

// tidy undoes what stands for print: ligatures, words parted at the end of a
// line, lines that are nothing but the number of the page.
func tidy(all []line) []line {
	for len(all) > 0 && isNumber(all[0].text) {
		all = all[1:]
	}
	for len(all) > 0 && isNumber(all[len(all)-1].text) {
		all = all[:len(all)-1]
	}
	for i := range all {
		all[i].text = leaders.ReplaceAllString(ligatures.Replace(all[i].text), leader)
	}
	for i := 0; i+1 < len(all); i++ {
		all[i].text, all[i+1].text = joined(all[i].text, all[i+1].text)
	}
	return all
}

func isNumber(s string) bool { return len(s) <= 5 && strings.Trim(s, "0123456789") == "" }

// joined puts a word together that is parted at the end of a line.
func joined(line, next string) (string, string) {
	last, n := utf8.DecodeLastRuneInString(line)
	if last != '-' && last != '\u2010' && last != '\u00AD' || len(line) < 3 {
		return line, next
	}
	before, _ := utf8.DecodeLastRuneInString(line[:len(line)-n])
	first, _ := utf8.DecodeRuneInString(next)
	if !unicode.IsLetter(before) || !unicode.IsLower(first) {
		return line, next
	}
	word, rest, _ := strings.Cut(next, " ")
	return line[:len(line)-n] + word, rest
}
