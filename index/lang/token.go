package lang

import "strings"

// Sep says what stands between a token and the one before it.
type Sep uint8

// The separators. Several may stand together.
const (
	Space Sep = 1 << iota // white space
	Comma                 // , ;
	Open                  // ( [
	Close                 // ) ]
	Quote                 // double quotes of any shape
	Dash                  // - – — /
	Colon                 // :
	End                   // the end of a sentence
)

// Any reports whether s has any of t.
func (s Sep) Any(t Sep) bool { return s&t != 0 }

// Token is one word, number or unit sign of a text. A possessive 's is a
// token of its own.
type Token struct {
	Text       string // as written
	Norm       string // lower case, no diacritics, no digit grouping; "%" is "percent"
	Stem       string
	Hash       uint64 // of Stem
	Start, End int    // byte offsets of Text
	Sep        Sep    // what stands between the previous token and this one
	Cap        bool   // starts with an upper-case letter
	Num        bool   // starts with a digit
	Stop       bool   // carries structure, not content
	First      bool   // first of its sentence
}

// Tokens cuts s into tokens.
func Tokens(s string) []Token { return AppendTokens(make([]Token, 0, len(s)/5+4), s) }

// AppendTokens appends the tokens of s to dst. Normal forms and stems that occur
// in s unchanged share its memory; the others of a call share one string.
func AppendTokens(dst []Token, s string) []Token {
	var own strings.Builder
	sc := Scan(s) // outside the loop, which would copy it each time round
	for sc.Next() {
		if len(dst) == cap(dst) {
			dst = append(dst, Token{})[:len(dst)]
		}
		dst = dst[:len(dst)+1]
		t := &dst[len(dst)-1]
		t.Text = s[sc.Start:sc.End]
		t.Start, t.End = sc.Start, sc.End
		t.Sep, t.Cap, t.Num, t.First = sc.Sep, sc.Cap(), sc.shape == numeric, sc.Sep.Any(End)
		if sc.shape == plain {
			sc.fillPlain(t, &own)
		} else {
			sc.fill(t, &own)
		}
	}
	return dst
}

// fillPlain sets the forms of a plain word.
func (sc *Scanner) fillPlain(t *Token, own *strings.Builder) {
	if e := sc.listed(); e != nil {
		t.Norm, t.Stem, t.Hash, t.Stop = e.norm, e.stem, e.hash, e.stop
		return
	}
	var room [64]byte
	t.Stop = false
	if sc.seen&hasUpper == 0 {
		t.Norm = t.Text
	} else {
		t.Norm = sc.keep(own, sc.lower(room[:0]))
	}
	t.Stem = t.Norm
	if sc.stems() {
		b := append(room[:0], t.Norm...)
		if n, same := porter(b); same {
			t.Stem = t.Norm[:n]
		} else {
			t.Stem = sc.keep(own, b[:n])
		}
	}
	t.Hash = hash(t.Stem)
}

// fill sets the forms of any other token.
func (sc *Scanner) fill(t *Token, own *strings.Builder) {
	var room [64]byte
	b := sc.norm(room[:0])
	if e := lookUp(b); e != nil {
		t.Norm, t.Stem, t.Hash, t.Stop = e.norm, e.stem, e.hash, e.stop
		return
	}
	t.Stop = false
	if string(b) == t.Text {
		t.Norm = t.Text
	} else {
		t.Norm = sc.keep(own, b)
	}
	if n, same := stemInPlace(b); same {
		t.Stem = t.Norm[:n]
	} else {
		t.Stem = sc.keep(own, b[:n])
	}
	t.Hash = hash(t.Stem)
}

// keep appends b to own and returns it as a string. Where own is full it grows
// by what the rest of the text will probably need.
func (sc *Scanner) keep(own *strings.Builder, b []byte) string {
	at := own.Len()
	if own.Cap()-at < len(b) {
		own.Grow(len(b) + (len(sc.s)-sc.End)/3)
	}
	own.Write(b)
	return own.String()[at:]
}

// Hash is FNV-1a of s: the same in every process.
func Hash(s string) uint64 { return hash(s) }

func hash[T string | []byte](s T) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}
