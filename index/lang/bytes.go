package lang

import (
	"unicode"
	"unicode/utf8"
)

// wordEnd returns the end of the word that starts at i.
func wordEnd(s string, i int) int {
	start, dots, run := i, false, 0 // run: letters since the word's start or its last dot
	for i < len(s) {
		c := s[i]
		switch k := ascii[c]; {
		case k == letter || k == digit:
			run++
		case c == '\'' && letterAt(s, i+1):
			if s[i+1]|0x20 == 's' && !letterAt(s, i+2) {
				return i
			}
		case c == '.' && run == 1 && letterAt(s, i+1) && (i+2 >= len(s) || s[i+2] == '.' || !letterAt(s, i+2)):
			dots, run = true, 0 // U.S, e.g
		case c == '.' && dots && run == 1:
			return i + 1
		case k == multi:
			r, n := utf8.DecodeRuneInString(s[i:])
			switch {
			case alone(r):
				if i > start {
					return i
				}
				return i + n
			case unicode.IsLetter(r) || unicode.Is(unicode.Mn, r):
				run++
			case r == '’' && letterAt(s, i+n):
				if s[i+n] == 's' && !letterAt(s, i+n+1) {
					return i
				}
			default:
				return i
			}
			i += n
			continue
		default:
			return i
		}
		i++
	}
	return i
}

// numberEnd returns the end of the number that starts at i: digits, grouped
// by commas, with a fraction, and letters that follow ("1st", "90s", "3D").
func numberEnd(s string, i int) int {
	digitAt := func(j int) bool { return j < len(s) && ascii[s[j]] == digit }
	fraction := false
	for i < len(s) {
		switch c := s[i]; {
		case ascii[c] == digit || ascii[c] == letter:
		case c == ',' && !fraction && digitAt(i+1) && digitAt(i+2) && digitAt(i+3) && !digitAt(i+4):
		case c == '.' && !fraction && digitAt(i+1):
			fraction = true
		default:
			return i
		}
		i++
	}
	return i
}

// Character reports whether a token is one character of a script that puts no
// space between words: two or so make a word.
func Character(t *Token) bool {
	if len(t.Text) < 3 || t.Text[0] < utf8.RuneSelf {
		return false
	}
	r, n := utf8.DecodeRuneInString(t.Text)
	return n == len(t.Text) && alone(r)
}

// Words counts the words of s: what stands between white space and, of scripts
// that put none between words, every two characters. It also returns where the
// first most of them end.
func Words(s string, most int) (n, end int) {
	halves, in := 0, false
	end = len(s)
	for i, r := range s {
		switch {
		case unicode.IsSpace(r):
			in = false
			continue
		case alone(r):
			halves, in = halves+1, false
		case !in:
			halves, in = halves+halves&1+2, true
		}
		if end == len(s) && halves > 2*most {
			end = i
		}
	}
	return (halves + 1) / 2, end
}

// wideMark says what a mark beyond ASCII separates.
func wideMark(r rune) Sep {
	switch r {
	case '，', '、', '；':
		return Comma
	case '（':
		return Open
	case '）':
		return Close
	case '：':
		return Colon
	case '「', '」':
		return Quote
	}
	if unicode.Is(unicode.Sentence_Terminal, r) {
		return End
	}
	return 0
}

// alone reports whether a character is a token of its own: those of Chinese, and
// those of Japanese but for katakana, whose words no space parts.
func alone(r rune) bool {
	return r >= 0x3040 && unicode.In(r, unicode.Han, unicode.Hiragana)
}

func letterAt(s string, i int) bool {
	if i >= len(s) {
		return false
	}
	if s[i] < 0x80 {
		return ascii[s[i]] == letter
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return unicode.IsLetter(r)
}

// The kinds of bytes, by what a token that begins with one can be.
const (
	other = iota
	space
	mark
	sign
	letter
	digit
	multi // a rune beyond ASCII
)

var ascii = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			t[c] = letter
		case c >= '0' && c <= '9':
			t[c] = digit
		case c == ' ' || c >= '\t' && c <= '\r':
			t[c] = space
		case c == '%' || c == '$' || c == '&':
			t[c] = sign
		case c >= 0x80:
			t[c] = multi
		case c > ' ' && c < 0x7f:
			t[c] = mark
		}
	}
	return t
}()

var marks = [128]Sep{
	',': Comma, ';': Comma, '(': Open, '[': Open, ')': Close, ']': Close, '"': Quote,
	'-': Dash, '/': Dash, ':': Colon,
}

// Flags of a word's bytes, combined over the word; 0 for a byte that is no ASCII
// letter or digit.
const (
	hasLower uint8 = 1 << iota
	hasUpper
	hasDigit
)

var parts = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= 'a' && c <= 'z':
			t[c] = hasLower
		case c >= 'A' && c <= 'Z':
			t[c] = hasUpper
		case c >= '0' && c <= '9':
			t[c] = hasDigit
		}
	}
	return t
}()
