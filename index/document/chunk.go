package document

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"hopstream/messages"
)

const (
	// DefaultSize is the length of a passage in characters. Nearly every
	// paragraph of a reference work is shorter and stays whole.
	DefaultSize = 1600
	// DefaultOverlap is how many characters two neighbouring passages share,
	// so that a fact on the border is whole in one of them.
	DefaultOverlap = 200
)

// ChunkOptions says how documents are cut into passages. The zero value means
// the defaults.
type ChunkOptions struct {
	// Size is the most characters of a passage; zero or less means
	// DefaultSize.
	Size int
	// Overlap is the most characters that a passage repeats of the one before;
	// zero means DefaultOverlap, and a negative value none.
	Overlap int
}

// WithDefaults returns o with the defaults in the place of zeros. A negative
// overlap stays as it is.
func (o ChunkOptions) WithDefaults() ChunkOptions {
	if o.Size <= 0 {
		o.Size = DefaultSize
	}
	if o.Overlap == 0 {
		o.Overlap = DefaultOverlap
	}
	return o
}

// Sizes returns the two numbers that documents are cut by, in characters.
func (o ChunkOptions) Sizes() (size, overlap int) {
	o = o.WithDefaults()
	// Every chunk is at least half the size, so less than half of overlap
	// keeps the next one moving on.
	return o.Size, min(max(o.Overlap, 0), (o.Size-1)/2)
}

// Cut names how documents are cut: stores whose names differ hold other
// passages of the same documents.
func (o ChunkOptions) Cut() string {
	size, overlap := o.Sizes()
	return fmt.Sprintf("%d/%d", size, overlap)
}

// maxTitle is the longest title, in characters, that every passage of a
// document carries. The rest of a longer one goes into the text.
const maxTitle = 300

// Chunk cuts doc into passages of at most opts.Size characters, at the
// end of a paragraph if there is one in the second half of a chunk, else of a
// sentence, else of a word. Passages overlap by up to opts.Overlap
// characters. A document that fits stays whole. Passages are valid UTF-8,
// without white space around; a blank or deleted document has none.
func Chunk(doc messages.Document, opts ChunkOptions) []messages.Passage {
	if doc.Deleted {
		return nil
	}
	title := clean(doc.Title)
	text := clean(doc.Text)
	if cut := runeOffset(title, 0, maxTitle); cut < len(title) {
		text = strings.TrimSpace(title + "\n\n" + text)
		title = strings.TrimSpace(title[:cut])
	}
	if title == "" && text == "" {
		return nil
	}
	size, overlap := opts.Sizes()
	pieces := cutText(text, size, overlap)
	ps := make([]messages.Passage, len(pieces))
	for i, piece := range pieces {
		ps[i] = messages.Passage{ID: PassageID(doc.ID, i, len(pieces)), Title: title, Text: piece}
	}
	return ps
}

func clean(s string) string { return strings.TrimSpace(strings.ToValidUTF8(s, "\uFFFD")) }

// cutText returns at least one piece. Between the end of one and the start of
// the next there is nothing but white space.
func cutText(text string, size, overlap int) []string {
	var pieces []string
	for start := 0; ; {
		limit := runeOffset(text, start, size)
		if limit == len(text) {
			return append(pieces, strings.TrimSpace(text[start:]))
		}
		end := cutBefore(text, runeOffset(text, start, size-size/2), limit)
		pieces = append(pieces, strings.TrimSpace(text[start:end]))
		next := end
		if overlap > 0 {
			next = startAfter(text, runesBack(text, end, overlap), end)
		}
		for next < len(text) {
			r, n := utf8.DecodeRuneInString(text[next:])
			if !unicode.IsSpace(r) {
				break
			}
			next += n
		}
		start = next
	}
}

// cutBefore returns the best place in (low, high] to end a piece.
func cutBefore(text string, low, high int) int {
	// What follows says whether something ends right there.
	window := text[low:runeOffset(text, high, 1)]
	if i := strings.LastIndex(window, "\n\n"); i > 0 {
		return low + i
	}
	if i := strings.LastIndexByte(window, '\n'); i > 0 {
		return low + i
	}
	sentence, word := 0, 0
	eachBoundary(window, func(i int, ends bool) bool {
		word = i
		if ends {
			sentence = i
		}
		return true
	})
	switch {
	case sentence > 0:
		return low + sentence
	case word > 0:
		return low + word
	}
	return high
}

// startAfter returns the best place in [low, high] to begin the next piece:
// the first sentence, else the first word, else low itself.
func startAfter(text string, low, high int) int {
	sentence, word := -1, -1
	eachBoundary(text[low:high], func(i int, ends bool) bool {
		if word < 0 {
			word = i
		}
		if ends && sentence < 0 {
			sentence = i
		}
		return sentence < 0
	})
	switch {
	case sentence >= 0:
		return low + sentence
	case word >= 0:
		return low + word
	}
	return low
}

// eachBoundary calls fn with every offset at which a word ends, and whether a
// sentence ends there too, until fn returns false.
func eachBoundary(s string, fn func(i int, sentenceEnds bool) bool) {
	ends := false // the last character that is no closing quote or bracket ended a sentence
	wide := false // ... in a script that puts no space after it
	for i, r := range s {
		switch {
		case unicode.IsSpace(r):
			if !fn(i, ends || r == '\n') {
				return
			}
			ends, wide = false, false
			continue
		case wide && !closes(r) && !strings.ContainsRune("。！？", r):
			if !fn(i, true) {
				return
			}
			ends, wide = false, false
		}
		switch {
		case strings.ContainsRune(".!?…", r):
			ends = true
		case strings.ContainsRune("。！？", r):
			ends, wide = true, true
		case closes(r):
		default:
			ends, wide = false, false
		}
	}
}

func closes(r rune) bool { return strings.ContainsRune(`"'”’)]»」』）`, r) }

// runeOffset returns the byte offset n characters after start, at most
// len(s).
func runeOffset(s string, start, n int) int {
	if len(s)-start <= n {
		return len(s) // no character is shorter than a byte
	}
	i := start
	for ; n > 0 && i < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return i
}

// runesBack returns the byte offset n characters before end, at least 0.
func runesBack(s string, end, n int) int {
	for ; n > 0 && end > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:end])
		end -= size
	}
	return end
}
