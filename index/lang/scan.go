package lang

import (
	"encoding/binary"
	"unicode"
	"unicode/utf8"
)

// Scanner goes over the tokens of a text without building their strings. It is
// for callers that look for a few words only: it skips most tokens early, and
// allocates nothing.
//
//	sc := Scan(text)
//	for sc.Next() {
//		…
//	}
type Scanner struct {
	s   string
	at  int // where to read on
	gap Sep // what was read since the last token

	Start, End int // byte offsets of the token
	Sep        Sep // what stands between the previous token and this one
	shape      shape
	seen       uint8 // what a plain word has: hasUpper, hasDigit
}

// shape says how a token is to be read.
type shape uint8

const (
	plain      shape = iota // letters and digits of ASCII, a letter in front
	ragged                  // a word with dots, apostrophes, letters beyond ASCII
	numeric                 // starts with a digit of ASCII
	possessive              // 's with either apostrophe
	symbol                  // % $ &
)

// Scan returns a scanner before the first token of s.
func Scan(s string) Scanner { return Scanner{s: s, gap: End} }

// Next goes to the next token, and reports whether there is one.
func (sc *Scanner) Next() bool {
	s, sep := sc.s, sc.gap
	for i := sc.at; i < len(s); {
		c := s[i]
		switch ascii[c] {
		case letter:
			end, seen := i+1, parts[c]
			for end < len(s) {
				p := parts[s[end]]
				if p == 0 {
					break
				}
				seen |= p
				end++
			}
			kind := plain
			if end < len(s) && (s[end] >= utf8.RuneSelf || s[end] == '\'' || s[end] == '.' && end == i+1) {
				if e := wordEnd(s, i); e > end {
					end, kind = e, ragged
				}
			}
			sc.seen = seen
			return sc.found(i, end, sep, kind)
		case space:
			sep |= Space
			if c == '\n' && i+1 < len(s) && s[i+1] == '\n' {
				sep |= End
			}
		case mark:
			sep |= marks[c]
			switch c {
			case '.', '!', '?':
				if sentenceEnd(s, i) {
					sep |= End
				}
			case '`':
				if i+1 < len(s) && s[i+1] == '`' {
					sep |= Quote
					i++
				}
			case '\'':
				if i+1 < len(s) && s[i+1] == '\'' {
					sep |= Quote
					i++
				} else if i+1 < len(s) && s[i+1]|0x20 == 's' && !letterAt(s, i+2) {
					return sc.found(i, i+2, sep, possessive)
				}
			}
		case digit:
			return sc.found(i, numberEnd(s, i), sep, numeric)
		case sign:
			return sc.found(i, i+1, sep, symbol)
		case multi:
			r, n := utf8.DecodeRuneInString(s[i:])
			switch {
			case unicode.IsLetter(r):
				end, kind := wordEnd(s, i), ragged
				if c == 0xE2 && s[end-1] == 's' && end-i > 3 { // few scripts begin like the apostrophe
					kind = possessive
				}
				return sc.found(i, end, sep, kind)
			case unicode.IsDigit(r), r == '€', r == '£', r == '¥', r == '°', r == '₹':
				return sc.found(i, i+n, sep, ragged)
			case r == '–' || r == '—' || r == '‐' || r == '−' || r == '‑':
				sep |= Dash
			case r == '“' || r == '”' || r == '«' || r == '»' || r == '„':
				sep |= Quote
			case r == '’' && i+n < len(s) && s[i+n] == 's' && !letterAt(s, i+n+1):
				return sc.found(i, i+n+1, sep, possessive)
			case unicode.IsSpace(r):
				sep |= Space
			default:
				sep |= wideMark(r)
			}
			i += n
			continue
		}
		i++
	}
	return false
}

func (sc *Scanner) found(from, to int, sep Sep, kind shape) bool {
	sc.Start, sc.End, sc.Sep, sc.shape = from, to, sep, kind
	sc.at, sc.gap = to, 0
	return true
}

// Cap reports whether the token starts with an upper-case letter.
func (sc *Scanner) Cap() bool {
	switch c := sc.s[sc.Start]; {
	case sc.shape == possessive:
		return false
	case c < utf8.RuneSelf:
		return c >= 'A' && c <= 'Z'
	}
	r, _ := utf8.DecodeRuneInString(sc.s[sc.Start:])
	return unicode.IsUpper(r) || unicode.IsTitle(r)
}

// Hash returns the hash of the token's stem. It may return 0 instead if the
// stem is none of wanted.
func (sc *Scanner) Hash(wanted *Wanted) uint64 {
	var room [64]byte
	if sc.shape != plain {
		norm := sc.norm(room[:0])
		if e := lookUp(norm); e != nil {
			return e.hash
		}
		n, _ := stemInPlace(norm)
		return hash(norm[:n])
	}
	if e := sc.listed(); e != nil {
		return e.hash
	}
	if sc.End-sc.Start > 1 && !wanted.opens(sc.s[sc.Start], sc.s[sc.Start+1]) {
		return 0
	}
	norm := sc.lower(room[:0])
	n := len(norm)
	if sc.stems() {
		n, _ = porter(norm)
	}
	return hash(norm[:n])
}

// listed returns the entry of a plain word in the word list, or nil.
func (sc *Scanner) listed() *known {
	n := sc.End - sc.Start
	if n > longestKnown {
		return nil
	}
	var key uint64
	if sc.Start+8 <= len(sc.s) {
		key = load8(sc.s[sc.Start:])
		if n < 8 {
			key &= 1<<(8*n) - 1
		}
	} else {
		for i := range min(n, 8) {
			key |= uint64(sc.s[sc.Start+i]) << (8 * i)
		}
	}
	// Setting this bit of a letter makes it lower case; digits have it set.
	const lower = 0x2020202020202020
	if n < 8 {
		key |= lower & (1<<(8*n) - 1)
	} else {
		key |= lower
	}
	e := knownWords.find(key, n)
	if e == nil {
		return nil
	}
	for i := 8; i < n; i++ {
		if sc.s[sc.Start+i]|0x20 != e.norm[i] {
			return nil
		}
	}
	if n == 2 && sc.s[sc.Start:sc.End] == "US" {
		return unitedStates
	}
	return e
}

func load8(s string) uint64 { return binary.LittleEndian.Uint64([]byte(s[:8])) }

// lower appends a plain word in lower case.
func (sc *Scanner) lower(b []byte) []byte {
	at := len(b)
	b = append(b, sc.s[sc.Start:sc.End]...)
	if sc.seen&hasUpper != 0 {
		for i := at; i < len(b); i++ {
			b[i] |= 0x20
		}
	}
	return b
}

// stems reports whether a plain word that the word list does not hold may have
// a stem other than itself.
func (sc *Scanner) stems() bool {
	n := sc.End - sc.Start
	return n > 2 && n <= maxStem && sc.seen&hasDigit == 0 && stemmable(sc.s[sc.End-2], sc.s[sc.End-1])
}

// norm appends the normal form of a token that is no plain word.
func (sc *Scanner) norm(b []byte) []byte {
	s, c := sc.s[sc.Start:sc.End], sc.s[sc.Start]
	switch {
	case sc.shape == possessive:
		return append(b, "'s"...)
	case sc.shape == symbol:
		return append(b, signs(c)...)
	case s == "U.S.":
		return append(b, "u.s"...)
	}
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c >= 'A' && c <= 'Z':
			b = append(b, c+'a'-'A')
		case c < utf8.RuneSelf:
			if c != ',' && (c != '.' || sc.shape == numeric) {
				b = append(b, c)
			}
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			b = appendFold(b, r)
			i += n
			continue
		}
		i++
	}
	return b
}

func signs(c byte) string {
	switch c {
	case '%':
		return "percent"
	case '$':
		return "dollar"
	}
	return "and"
}
