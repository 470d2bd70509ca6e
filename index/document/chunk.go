package document

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"hopstream/index/document/blocks"
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
	return fmt.Sprintf("%d/%d by blocks", size, overlap)
}

// maxTitle is the longest title, in characters, that every passage of a
// document carries. The rest of a longer one goes into the text.
const maxTitle = 300

// Chunk cuts doc into passages of at most opts.Size characters. It cuts where a
// section begins, if the passage before is long enough to stand for itself, else
// between blocks (see package blocks), and only within a block that is longer
// than a passage: at the end of a sentence, else of a line or a word. A list
// item, a table or a block of code stays whole up to twice the size. A passage
// repeats up to opts.Overlap characters of the one before where both are of one
// section. A document that fits and has one section stays whole; a form feed
// always parts passages.
//
// Passages are valid UTF-8, stretches of the document's text without white space
// around, and know where they stand. A blank or deleted document has none.
func Chunk(doc messages.Document, opts ChunkOptions) []messages.Passage {
	if doc.Deleted {
		return nil
	}
	title, text := clean(doc.Title), strings.ToValidUTF8(doc.Text, "\uFFFD")
	moved := 0 // lines that the text is further down than in doc
	if cut := runeOffset(title, 0, maxTitle); cut < len(title) {
		moved = strings.Count(title, "\n") + 2
		text = title + "\n\n" + text
		title = strings.TrimSpace(title[:cut])
	}
	size, overlap := opts.Sizes()
	pieces := cut(text, size, overlap)
	_, first, room := Part(doc.ID)
	for first >= 0 && len(pieces) > room && size < len(text) {
		size *= 2
		pieces = cut(text, size, overlap)
	}
	if len(pieces) == 0 {
		if title == "" {
			return nil
		}
		pieces = []piece{{}}
	}
	ps := make([]messages.Passage, len(pieces))
	at := placer{text: text, place: doc.Place, moved: moved, path: blocks.PathOf(doc.Heading)}
	for i, c := range pieces {
		ps[i] = messages.Passage{ID: PassageID(doc.ID, i, len(pieces)), Title: title, Text: text[c.start:c.end], Place: at.of(c)}
	}
	return ps
}

func clean(s string) string { return strings.TrimSpace(strings.ToValidUTF8(s, "\uFFFD")) }

// piece is a passage's stretch of a text, in bytes.
type piece struct {
	start, end int
	headings   []blocks.Block // that begin before its end, and not before the end of the piece before
}

// cutter cuts a text.
type cutter struct {
	text          string
	size, overlap int
	out           []piece
	headings      []blocks.Block // not yet in a piece

	// The piece that is being made; start is -1 if there is none.
	start, end int
	length     int  // in characters
	body       int  // where what comes before the headings at its end, ends
	prose      bool // the last block is a paragraph
}

// cut cuts text.
func cut(text string, size, overlap int) []piece {
	c := cutter{text: text, size: size, overlap: overlap, start: -1}
	for _, b := range blocks.Parse(text) {
		c.add(b)
	}
	c.flush()
	return c.out
}

func (c *cutter) add(b blocks.Block) {
	switch {
	case b.Kind == blocks.Break:
		c.flush()
		return
	case c.start < 0:
		c.begin(b.Start)
	case b.Kind == blocks.Heading && c.body > c.start && c.length >= c.size/4:
		c.flush()
		c.begin(b.Start)
	}
	more := utf8.RuneCountInString(c.text[c.end:b.End])
	// What is short goes before a block that must be cut anyway.
	if c.length+more > c.size && c.body > c.start && (c.length >= c.size/4 || more <= c.size) {
		c.part(b)
		more = utf8.RuneCountInString(c.text[c.end:b.End])
	}
	c.end, c.length = b.End, c.length+more
	whole := c.size
	if b.Kind == blocks.Code || b.Kind == blocks.Table || b.Kind == blocks.Item {
		whole *= 2
	}
	for c.length > whole {
		c.split(b)
		whole = c.size
	}
	if b.Kind == blocks.Heading {
		c.headings = append(c.headings, b)
	} else {
		c.body = b.End
	}
	c.prose = b.Kind == blocks.Paragraph
}

func (c *cutter) begin(at int) {
	c.start, c.end, c.body, c.length, c.prose = at, at, at, 0, false
}

// part ends the piece before b, which no longer fits, and before the headings
// that lead to it.
func (c *cutter) part(b blocks.Block) {
	end, next := c.body, b.Start
	lead := 0
	for lead < len(c.headings) && c.headings[lead].Start < end {
		lead++
	}
	if lead < len(c.headings) {
		next = c.headings[lead].Start
	} else if c.prose && c.overlap > 0 {
		// What follows goes on in the same section.
		low := max(runesBack(c.text, end, c.overlap), c.start)
		if at := sentenceAfter(c.text, low, end); at >= 0 && utf8.RuneCountInString(c.text[at:b.End]) <= c.size {
			next = at
		}
	}
	later := c.headings[lead:]
	c.headings = c.headings[:lead]
	c.emit(end)
	c.headings = later
	c.begin(next)
}

// split ends the piece within b, which is longer than a passage.
func (c *cutter) split(b blocks.Block) {
	text := c.text[:c.end]
	limit := runeOffset(text, c.start, c.size)
	end := cutBefore(text, runeOffset(text, c.start, c.size-c.size/2), limit, b.Kind == blocks.Code || b.Kind == blocks.Table)
	heading := b.Kind == blocks.Heading
	if heading {
		c.headings = append(c.headings, b)
	}
	c.emit(end)
	next := end
	if c.overlap > 0 {
		next = startAfter(text, max(runesBack(text, end, c.overlap), c.start+1), end)
	}
	for next < len(text) {
		r, n := utf8.DecodeRuneInString(text[next:])
		if !unicode.IsSpace(r) {
			break
		}
		next += n
	}
	last := c.end
	c.begin(next)
	c.end, c.length = last, utf8.RuneCountInString(text[next:last])
	c.body = c.end
}

func (c *cutter) flush() {
	if c.start >= 0 {
		c.emit(c.end)
	}
	c.start = -1
}

// emit makes a piece of what is there up to end.
func (c *cutter) emit(end int) {
	for end > c.start {
		r, n := utf8.DecodeLastRuneInString(c.text[c.start:end])
		if !unicode.IsSpace(r) {
			break
		}
		end -= n
	}
	start := c.start
	for start < end {
		r, n := utf8.DecodeRuneInString(c.text[start:end])
		if !unicode.IsSpace(r) {
			break
		}
		start += n
	}
	if start < end {
		c.out = append(c.out, piece{start, end, c.headings})
		c.headings = nil
	}
}

// cutBefore returns the best place in (low, high] to end a piece: behind a line
// where lines must not be torn, else a paragraph, a sentence, a line, a word.
func cutBefore(text string, low, high int, lines bool) int {
	// What follows says whether something ends right there.
	window := text[low:runeOffset(text, high, 1)]
	if i := strings.LastIndex(window, "\n\n"); i > 0 {
		return low + i
	}
	line := strings.LastIndexByte(window, '\n')
	if lines && line > 0 {
		return low + line
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
	case line > 0:
		return low + line
	case word > 0:
		return low + word
	}
	return high
}

// sentenceAfter returns the start of the first sentence that begins in (low,
// high), or -1.
func sentenceAfter(text string, low, high int) int {
	at := -1
	eachBoundary(text[low:high], func(i int, ends bool) bool {
		if ends {
			at = low + i
		}
		return !ends
	})
	for at >= 0 && at < high {
		r, n := utf8.DecodeRuneInString(text[at:])
		if !unicode.IsSpace(r) {
			return at
		}
		at += n
	}
	return -1
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
			blank := r == '\n' && strings.HasPrefix(s[i+1:], "\n")
			if !fn(i, ends || blank) {
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
