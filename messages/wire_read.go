package messages

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"
)

// reader reads JSON as Encode writes it: no white space, fields in their
// order. It gives up at anything else, and encoding/json reads the message
// instead, or says what is wrong with it; so it has to be right only where it
// does not give up. Strings without escapes share the input's memory.
type reader struct {
	s     string
	i     int
	first bool
	bad   bool
	// names is the list of names read last, and namesRaw how it was written:
	// one searcher often found all passages of a message.
	names    []string
	namesRaw string
}

func (r *reader) fail() { r.bad = true }

// try passes over one byte if it is next.
func (r *reader) try(c byte) bool {
	if !r.bad && r.i < len(r.s) && r.s[r.i] == c {
		r.i++
		return true
	}
	return false
}

func (r *reader) expect(c byte) {
	if !r.try(c) {
		r.fail()
	}
}

func (r *reader) open()  { r.expect('{'); r.first = true }
func (r *reader) close() { r.expect('}'); r.first = false }

// field passes over the name of a field if it is next; name comes quoted and
// with its colon.
func (r *reader) field(name string) bool {
	if r.bad {
		return false
	}
	rest := r.s[r.i:]
	if !r.first {
		if rest == "" || rest[0] != ',' {
			return false
		}
		rest = rest[1:]
	}
	if !strings.HasPrefix(rest, name) {
		return false
	}
	r.i = len(r.s) - len(rest) + len(name)
	r.first = false
	return true
}

func (r *reader) str(name string, v *string) {
	if r.field(name) {
		*v = r.text()
	}
}

func (r *reader) int(name string, v *int) {
	if r.field(name) {
		*v = int(r.number(strconv.IntSize))
	}
}

func (r *reader) int64(name string, v *int64) {
	if r.field(name) {
		*v = r.number(64)
	}
}

func (r *reader) uint(name string, v *uint64) {
	if !r.field(name) {
		return
	}
	tok := r.token()
	n, err := strconv.ParseUint(tok, 10, 64)
	if err != nil || !plainInt(tok) {
		r.fail()
	}
	*v = n
}

func (r *reader) number(bits int) int64 {
	tok := r.token()
	v, err := strconv.ParseInt(tok, 10, bits)
	if err != nil || !plainInt(tok) {
		r.fail()
	}
	return v
}

// plainInt reports whether tok is an integer in JSON's form.
func plainInt(tok string) bool {
	tok = strings.TrimPrefix(tok, "-")
	return tok != "" && tok[0] >= '0' && tok[0] <= '9' && (tok[0] != '0' || len(tok) == 1)
}

func (r *reader) float(name string, v *float64) {
	if !r.field(name) {
		return
	}
	tok := r.token()
	f, err := strconv.ParseFloat(tok, 64)
	whole, frac, hasFrac := strings.Cut(tok, ".")
	if !hasFrac {
		whole, _, _ = strings.Cut(tok, "e")
	}
	// ParseFloat takes more than JSON does; exotic forms go the other way.
	if err != nil || !plainInt(whole) || strings.ContainsAny(tok, "xXpPiInN_E") || hasFrac && (frac == "" || frac[0] < '0' || frac[0] > '9') {
		r.fail()
		return
	}
	*v = f
}

// token returns the bare word that is next.
func (r *reader) token() string {
	start := r.i
	for r.i < len(r.s) {
		switch r.s[r.i] {
		case ',', '}', ']':
			return r.s[start:r.i]
		}
		r.i++
	}
	r.fail()
	return ""
}

func (r *reader) bool(name string, v *bool) {
	if !r.field(name) {
		return
	}
	switch r.token() {
	case "true":
		*v = true
	case "false":
		*v = false
	default:
		r.fail()
	}
}

func (r *reader) time(name string, v *time.Time) {
	if !r.field(name) {
		return
	}
	t, err := time.Parse(time.RFC3339, r.text())
	if err != nil || r.bad {
		r.fail()
		return
	}
	*v = t
}

// text reads a string.
func (r *reader) text() string {
	r.expect('"')
	if r.bad {
		return ""
	}
	start := r.i
	r.plain()
	if r.try('"') {
		return r.s[start : r.i-1]
	}
	return r.escaped(start)
}

// plain passes over the bytes that stand for themselves inside a string.
func (r *reader) plain() {
	i := r.i
	for i+8 <= len(r.s) && plainWord(load8(r.s[i:])) {
		i += 8
	}
	for i < len(r.s) && plainByte[r.s[i]] {
		i++
	}
	r.i = i
}

// plainByte is set for the bytes that stand for themselves inside a string.
var plainByte = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return t
}()

// escaped reads on, from the first escape of a string that began at start.
func (r *reader) escaped(start int) string {
	end := strings.IndexByte(r.s[r.i:], '"') // of the string or further in
	b := make([]byte, 0, r.i-start+max(0, end)+64)
	for ; ; start = r.i {
		r.plain()
		b = append(b, r.s[start:r.i]...)
		if r.try('"') {
			return string(b)
		}
		if r.i+1 >= len(r.s) || r.s[r.i] != '\\' {
			r.fail()
			return ""
		}
		c := r.s[r.i+1]
		r.i += 2
		switch c {
		case '"', '\\', '/':
			b = append(b, c)
		case 'b':
			b = append(b, '\b')
		case 'f':
			b = append(b, '\f')
		case 'n':
			b = append(b, '\n')
		case 'r':
			b = append(b, '\r')
		case 't':
			b = append(b, '\t')
		case 'u':
			u := r.hex4()
			if utf16.IsSurrogate(u) {
				if !strings.HasPrefix(r.s[r.i:], `\u`) {
					r.fail() // a lone half: encoding/json knows what to do
					return ""
				}
				r.i += 2
				if u = utf16.DecodeRune(u, r.hex4()); u == utf8.RuneError {
					r.fail()
				}
			}
			b = utf8.AppendRune(b, u)
		default:
			r.fail()
		}
		if r.bad {
			return ""
		}
	}
}

func (r *reader) hex4() rune {
	if r.i+4 > len(r.s) {
		r.fail()
		return 0
	}
	var v rune
	for _, c := range []byte(r.s[r.i : r.i+4]) {
		switch {
		case c >= '0' && c <= '9':
			v = v<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			v = v<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			v = v<<4 | rune(c-'A'+10)
		default:
			r.fail()
		}
	}
	r.i += 4
	return v
}
