package blocks

import (
	"strings"
	"unicode/utf8"

	"hopstream/index/lang"
)

// Unit is a stretch of a text, in bytes, that says something by itself: a
// sentence, a step or another list item, a table's row, a block of code, a
// heading. Nobody who quotes should tear it.
type Unit struct {
	Start, End int
	Block      int // index of the block it stands in
	Kind       Kind
}

// longItem is the length in bytes above which a list item is quoted by its
// sentences.
const longItem = 400

// Units returns the units of a text whose blocks are given, in order.
func Units(text string, all []Block) []Unit {
	return AppendUnits(make([]Unit, 0, len(text)/80+4), text, all)
}

// AppendUnits appends the units of text to dst.
func AppendUnits(dst []Unit, text string, all []Block) []Unit {
	for i, b := range all {
		switch b.Kind {
		case Break:
		case Paragraph:
			if ragged(text[b.Start:b.End]) {
				dst = lines(dst, text, Unit{b.Start, b.End, i, b.Kind})
				continue
			}
			dst = sentences(dst, text, Unit{b.Start, b.End, i, b.Kind})
		case Item:
			dst = item(dst, text, b, i)
		case Table:
			dst = lines(dst, text, Unit{b.Start, b.End, i, b.Kind})
		case Heading, Code:
			dst = append(dst, Unit{b.Start, b.End, i, b.Kind})
		}
	}
	return dst
}

// ragged reports whether a paragraph's lines are things of their own, such as
// the forms of a command or a poem's, and not prose that somebody wrapped:
// then most lines would be about as long as the longest.
func ragged(text string) bool {
	n, most := 0, 0
	for line := range strings.Lines(text) {
		n, most = n+1, max(most, len(strings.TrimSpace(line)))
	}
	if n < 4 {
		return false
	}
	short, at := 0, 0
	for line := range strings.Lines(text) {
		if at++; at < n && 10*len(strings.TrimSpace(line)) < 6*most {
			short++
		}
	}
	return 10*short >= 3*(n-1)
}

// item appends a list item whole, or, if it is long, the items within it and
// its sentences.
func item(dst []Unit, text string, b Block, at int) []Unit {
	if b.End-b.Start <= longItem {
		return append(dst, Unit{b.Start, b.End, at, Item})
	}
	from := b.Start
	for i := b.Start; i < b.End; {
		end := b.End
		if n := strings.IndexByte(text[i:b.End], '\n'); n >= 0 {
			end = i + n + 1
		}
		line := strings.TrimLeft(text[i:end], " \t")
		if start := end - len(line); start > from && Marker(line) > 0 {
			dst = sentences(dst, text, Unit{from, i, at, Item})
			from = start
		}
		i = end
	}
	return sentences(dst, text, Unit{from, b.End, at, Item})
}

// sentences appends the sentences of u.
func sentences(dst []Unit, text string, u Unit) []Unit {
	s := text[u.Start:u.End]
	for _, span := range lang.Sentences(s) {
		from := span.Start
		for i := span.Start; i < span.End; { // scripts that put no space after a sentence
			r, n := utf8.DecodeRuneInString(s[i:])
			if i += n; r == '。' || r == '！' || r == '？' {
				for i < span.End {
					r, n := utf8.DecodeRuneInString(s[i:])
					if !strings.ContainsRune("。！？」』”）)", r) {
						break
					}
					i += n
				}
				dst = unit(dst, text, Unit{u.Start + from, u.Start + i, u.Block, u.Kind})
				from = i
			}
		}
		dst = unit(dst, text, Unit{u.Start + from, u.Start + span.End, u.Block, u.Kind})
	}
	return dst
}

// lines appends the lines of u.
func lines(dst []Unit, text string, u Unit) []Unit {
	for from := u.Start; from < u.End; {
		to := u.End
		if n := strings.IndexByte(text[from:u.End], '\n'); n >= 0 {
			to = from + n
		}
		dst = unit(dst, text, Unit{from, to, u.Block, u.Kind})
		from = to + 1
	}
	return dst
}

// unit appends u without the white space around it, if anything is left.
func unit(dst []Unit, text string, u Unit) []Unit {
	s := text[u.Start:u.End]
	u.Start += len(s) - len(strings.TrimLeft(s, " \t\r\n\f\v"))
	u.End -= len(s) - len(strings.TrimRight(s, " \t\r\n\f\v"))
	if u.Start < u.End {
		dst = append(dst, u)
	}
	return dst
}
