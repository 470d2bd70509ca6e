package read

import (
	"slices"
	"strings"

	"hopstream/index/document/blocks"
	"hopstream/index/lang"
)

// Bounds on what is said and quoted, in words.
const (
	MaxAnswer = 60
	MaxQuotes = 3   // stretches
	maxQuoted = 110 // words of all of them
	maxQuote  = 80  // words of one that holds a span
	maxBeside = 35  // words of one that is quoted beside it
)

// Stretch is units First to Last of one text: From to To in bytes.
type Stretch struct {
	Text, First, Last int
	From, To          int
}

// Around returns the stretch of at most words words around unit i: the unit, and
// of those beside it in its section the better one first.
func (p *Page) Around(i, words int) Stretch {
	u := &p.Units[i]
	s := Stretch{Text: u.Text, First: i, Last: i}
	n := p.words(i)
	for {
		before, behind := s.First-1, s.Last+1
		left := p.joins(before, u) && n+p.words(before) <= words
		right := p.joins(behind, u) && n+p.words(behind) <= words
		switch {
		case left && (!right || p.Units[before].Score > p.Units[behind].Score):
			n += p.words(before)
			s.First = before
		case right:
			n += p.words(behind)
			s.Last = behind
		default:
			s.From, s.To = p.Units[s.First].Start, p.Units[s.Last].End
			return s
		}
	}
}

// With returns the stretch around the best unit that has a text word for word, in
// the document of an ID, if there is one.
func (p *Page) With(text, id string) (Stretch, bool) {
	best := -1
	for i := range p.Units {
		u := &p.Units[i]
		if x := &p.Texts[u.Text]; x.ID == id && u.Kind != blocks.Heading && (best < 0 || u.Score > p.Units[best].Score) && strings.Contains(x.Text[u.Start:u.End], text) {
			best = i
		}
	}
	if best < 0 {
		return Stretch{}, false
	}
	return p.Around(best, maxQuote), true
}

// Beside returns at most n stretches of the best units that are not in s, and
// have words of the question.
func (p *Page) Beside(s Stretch, n int) (out []Stretch) {
	left := maxQuoted
	for k := s.First; k <= s.Last; k++ {
		left -= p.words(k)
	}
	taken := []Stretch{s}
	for len(out) < n {
		best := -1
		for i := range p.Units {
			u := &p.Units[i]
			inside := slices.ContainsFunc(taken, func(t Stretch) bool { return i >= t.First && i <= t.Last })
			if !inside && u.set != 0 && u.Kind != blocks.Heading && (best < 0 || u.Score > p.Units[best].Score) && p.words(i) <= left {
				best = i
			}
		}
		if best < 0 {
			return out
		}
		b := p.Around(best, min(left, maxBeside))
		if slices.ContainsFunc(taken, func(t Stretch) bool { return b.First <= t.Last && t.First <= b.Last }) {
			b = Stretch{Text: p.Units[best].Text, First: best, Last: best, From: p.Units[best].Start, To: p.Units[best].End}
		}
		for k := b.First; k <= b.Last; k++ {
			left -= p.words(k)
		}
		taken, out = append(taken, b), append(out, b)
	}
	return out
}

// joins reports whether unit i may stand beside u: in the same text, and no
// heading, behind which something else begins.
func (p *Page) joins(i int, u *Unit) bool {
	return i >= 0 && i < len(p.Units) && p.Units[i].Text == u.Text && p.Units[i].Kind != blocks.Heading
}

func (p *Page) words(i int) int {
	u := &p.Units[i]
	n, _ := lang.Words(p.Texts[u.Text].Text[u.Start:u.End], 0)
	return n
}

// Quote returns the text of a stretch as it stands there.
func (p *Page) Quote(s Stretch) string { return p.Texts[s.Text].Text[s.From:s.To] }

// Prose returns an answer in the words of the document: what stands around the
// unit i, up to so many words with it, without the marks of lists and code, at most
// MaxAnswer words.
func (p *Page) Prose(i, words int) (string, Stretch) {
	s := p.Around(i, words)
	text := p.Texts[s.Text].Text
	var b strings.Builder
	left := MaxAnswer
	for k := s.First; k <= s.Last && left > 0; k++ {
		u := &p.Units[k]
		t, n := few(plain(text[u.Start:u.End], u.Kind), left)
		left -= n
		if b.Len() > 0 && t != "" {
			if u.Kind == blocks.Paragraph && p.Units[k-1].Kind == blocks.Paragraph {
				b.WriteByte(' ')
			} else {
				b.WriteByte('\n')
			}
		}
		b.WriteString(t)
	}
	return b.String(), s
}

// plain is a unit without the marks around it.
func plain(s string, k blocks.Kind) string {
	switch k {
	case blocks.Code:
		lines := strings.Split(s, "\n")
		for len(lines) > 0 && fence(lines[0]) {
			lines = lines[1:]
		}
		for len(lines) > 0 && fence(lines[len(lines)-1]) {
			lines = lines[:len(lines)-1]
		}
		return strings.Trim(strings.Join(lines, "\n"), "\n")
	case blocks.Item:
		if n := blocks.Marker(s); n > 0 && n < len(s) && !isDigit(s[0]) {
			s = s[n:]
		}
	}
	return strings.Join(strings.Fields(s), " ")
}

// Denies reports whether unit i says that something is not so.
func (p *Page) Denies(i int) bool {
	for k := p.Units[i].from; k < p.Units[i].to; k++ {
		if lang.Denies(p.toks[k].Norm) {
			return true
		}
	}
	return false
}

// Together reports whether two words that are neighbours in the question are so in
// unit i as well, where the question is of single characters (lang.Character): one
// of these in common says little.
func (p *Page) Together(i int) bool {
	chars := 0
	for k := range p.Q.Tokens {
		if lang.Character(&p.Q.Tokens[k]) {
			chars++
		}
	}
	if 2*chars < len(p.Q.Tokens) {
		return true
	}
	u, last := &p.Units[i], uint64(0)
	for k := u.from; k < u.to; k++ {
		if t := &p.toks[k]; !t.Stop {
			if slices.Contains(p.Q.pairs, [2]uint64{last, t.Hash}) {
				return true
			}
			last = t.Hash
		}
	}
	return false
}

// Speaking says of each unit whether it has all words of hashes, or the title above
// it.
func (p *Page) Speaking(hashes []uint64) []bool {
	out := make([]bool, len(p.Units))
	var title []lang.Token
	text := -1
	for i := range p.Units {
		u := &p.Units[i]
		if u.Kind == blocks.Heading {
			continue
		}
		if u.Text != text {
			text = u.Text
			title = lang.AppendTokens(title[:0], clip(p.Texts[text].Title, maxTitle))
		}
		out[i] = !slices.ContainsFunc(hashes, func(h uint64) bool {
			is := func(t lang.Token) bool { return t.Hash == h }
			return !slices.ContainsFunc(p.toks[u.from:u.to], is) && !slices.ContainsFunc(title, is)
		})
	}
	return out
}

// Has reports whether unit i has a text letter by letter, with no letter or digit
// behind it.
func (p *Page) Has(i int, text string) bool {
	u := &p.Units[i]
	in := p.Texts[u.Text].Text[u.Start:u.End]
	for at := 0; ; {
		k := strings.Index(in[at:], text)
		if k < 0 {
			return false
		}
		at += k + len(text)
		if at == len(in) || !isWord(in[at]) {
			return true
		}
	}
}

func isWord(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' }

func fence(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// few returns the first n words of s at most, as they stand, and how many.
func few(s string, n int) (string, int) {
	words, end := lang.Words(s, n)
	return strings.TrimRight(s[:end], " \n\t"), min(words, n)
}
