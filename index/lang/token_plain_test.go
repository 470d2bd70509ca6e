package lang

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// oldAppendTokens is AppendTokens written plainly, one step after the other:
// what the fast one is compared with.
func oldAppendTokens(dst []Token, s string) []Token {
	base := len(dst)
	buf := make([]byte, 0, len(s)+len(s)/4+16)
	sep := End
	for i := 0; i < len(s); {
		c := s[i]
		if kind := ascii[c]; kind != other && kind != multi {
			switch kind {
			case space:
				sep |= Space
				if c == '\n' && i+1 < len(s) && s[i+1] == '\n' {
					sep |= End
				}
			case mark:
				sep |= marks[c]
				if (c == '.' || c == '!' || c == '?') && sentenceEnd(s, i) {
					sep |= End
				}
				if c == '`' && i+1 < len(s) && s[i+1] == '`' || c == '\'' && i+1 < len(s) && s[i+1] == '\'' {
					sep |= Quote
					i++
				} else if c == '\'' && i+1 < len(s) && s[i+1]|0x20 == 's' && !letterAt(s, i+2) {
					dst, buf = oldPush(dst, buf, s, i, i+2, sep)
					sep, i = 0, i+1
				}
			case sign:
				dst, buf = oldPush(dst, buf, s, i, i+1, sep)
				sep = 0
			case letter, digit:
				var end int
				if kind == digit {
					end = numberEnd(s, i)
				} else {
					end = wordEnd(s, i)
				}
				dst, buf = oldPush(dst, buf, s, i, end, sep)
				sep, i = 0, end
				continue
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsLetter(r):
			end := wordEnd(s, i)
			dst, buf = oldPush(dst, buf, s, i, end, sep)
			sep, i = 0, end
			continue
		case unicode.IsDigit(r):
			dst, buf = oldPush(dst, buf, s, i, i+n, sep)
			sep = 0
		case r == '€' || r == '£' || r == '¥' || r == '°' || r == '₹':
			dst, buf = oldPush(dst, buf, s, i, i+n, sep)
			sep = 0
		case r == '–' || r == '—' || r == '‐' || r == '−' || r == '‑':
			sep |= Dash
		case r == '“' || r == '”' || r == '«' || r == '»' || r == '„':
			sep |= Quote
		case r == '’' && i+n < len(s) && s[i+n] == 's' && !letterAt(s, i+n+1):
			dst, buf = oldPush(dst, buf, s, i, i+n+1, sep)
			sep, i = 0, i+1
		case unicode.IsSpace(r):
			sep |= Space
		default:
			sep |= wideMark(r)
		}
		i += n
	}
	// The normal forms share one string.
	norm := string(buf)
	off := 0
	for i := base; i < len(dst); i++ {
		t := &dst[i]
		n, k := int(t.Hash>>32), int(t.Hash&0xffffffff)
		t.Norm = norm[off : off+n]
		off += n
		if k&1 == 0 { // the stem is a prefix of the normal form
			t.Stem = t.Norm[:k>>1]
		} else {
			t.Stem = norm[off : off+k>>1]
			off += k >> 1
		}
		t.Hash = Hash(t.Stem)
	}
	return dst
}

// oldPush appends the token s[from:to]; its normal form and, where it is no
// prefix of that, its stem go to buf, and their lengths to Hash for now.
func oldPush(dst []Token, buf []byte, s string, from, to int, sep Sep) ([]Token, []byte) {
	t := Token{Text: s[from:to], Start: from, End: to, Sep: sep, First: sep.Any(End)}
	at := len(buf)
	switch c := s[from]; {
	case c == '\'' || c == 0xE2 && to-from > 3 && s[to-1] == 's': // possessive, either apostrophe
		buf = append(buf, "'s"...)
	case ascii[c] == sign:
		buf = append(buf, signs(c)...)
	default:
		t.Num = c >= '0' && c <= '9'
		if c < 0x80 {
			t.Cap = c >= 'A' && c <= 'Z'
		} else {
			r, _ := utf8.DecodeRuneInString(s[from:])
			t.Cap = unicode.IsUpper(r) || unicode.IsTitle(r)
		}
		if t.Text == "US" || t.Text == "U.S." {
			buf = append(buf, "u.s"...)
			break
		}
		for i := from; i < to; {
			c := s[i]
			switch {
			case c >= 'A' && c <= 'Z':
				buf = append(buf, c+'a'-'A')
			case c < 0x80:
				if c != ',' && (c != '.' || t.Num) {
					buf = append(buf, c)
				}
			default:
				r, n := utf8.DecodeRuneInString(s[i:])
				buf = appendFold(buf, r)
				i += n
				continue
			}
			i++
		}
	}
	n := len(buf) - at
	if t.Stop = oldIsStop(string(buf[at:])); t.Stop {
		t.Hash = uint64(n)<<32 | uint64(n)<<1
		return append(dst, t), buf
	}
	var tmp [maxStem + 8]byte
	stem, same := oldStemBytes(tmp[:0], buf[at:])
	k := len(stem) << 1
	if !same {
		buf = append(buf, stem...)
		k |= 1
	}
	t.Hash = uint64(n)<<32 | uint64(k)
	return append(dst, t), buf
}

// oldIsStop reports whether a normal form carries structure instead of content:
// articles, pronouns, prepositions, conjunctions, auxiliaries, question words.
func oldIsStop(norm string) bool {
	switch norm {
	case "a", "an", "the", "this", "that", "these", "those", "such",
		"i", "me", "my", "we", "us", "our", "you", "your", "he", "him", "his", "she", "her", "hers",
		"it", "its", "they", "them", "their", "itself", "himself", "herself", "themselves", "one's",
		"who", "whom", "whose", "what", "which", "when", "where", "why", "how", "whats", "whos", "there", "here",
		"and", "or", "but", "nor", "if", "then", "than", "as", "because", "while", "although", "though", "so", "yet",
		"of", "in", "on", "at", "by", "for", "from", "to", "with", "into", "onto", "about", "over", "under",
		"through", "during", "before", "after", "between", "among", "against", "within", "without", "upon",
		"via", "per", "off", "out", "up", "down", "near", "since", "until", "also", "both", "each", "either",
		"is", "am", "are", "was", "were", "be", "been", "being", "'s", "isn't", "wasn't",
		"do", "does", "did", "done", "doing", "don't", "doesn't", "didn't", "has", "have", "had", "having", "can", "could", "will",
		"would", "shall", "should", "may", "might", "must", "not", "no", "any", "some", "all", "very", "just",
		"own", "too", "only", "same", "other", "another", "more", "most", "however", "many", "much", "s", "t":
		return true
	}
	return norm != "" && norm[0] >= utf8.RuneSelf && slices.Contains(strings.Fields(stopCharacters), norm)
}
