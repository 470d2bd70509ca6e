package messages

import (
	"math"
	"strconv"
	"time"
	"unicode/utf8"
)

// writer appends JSON, byte for byte as encoding/json would, at a fifth of
// the cost: encoding is on the path of every hop. What it cannot write (a
// number that is none) it reports, and encoding/json says why.
type writer struct {
	b     []byte
	first bool
	bad   bool
}

func (w *writer) open()  { w.b = append(w.b, '{'); w.first = true }
func (w *writer) close() { w.b = append(w.b, '}'); w.first = false }

// key begins a field; name comes quoted and with its colon.
func (w *writer) key(name string) {
	if !w.first {
		w.b = append(w.b, ',')
	}
	w.first = false
	w.b = append(w.b, name...)
}

func (w *writer) str(name, v string) {
	w.key(name)
	w.text(v)
}

func (w *writer) strOpt(name, v string) {
	if v != "" {
		w.str(name, v)
	}
}

func (w *writer) int(name string, v int) { w.int64(name, int64(v)) }

func (w *writer) int64(name string, v int64) {
	w.key(name)
	w.b = strconv.AppendInt(w.b, v, 10)
}

func (w *writer) intOpt(name string, v int) {
	if v != 0 {
		w.int(name, v)
	}
}

func (w *writer) uintOpt(name string, v uint64) {
	if v != 0 {
		w.key(name)
		w.b = strconv.AppendUint(w.b, v, 10)
	}
}

func (w *writer) boolOpt(name string, v bool) {
	if v {
		w.key(name)
		w.b = append(w.b, "true"...)
	}
}

func (w *writer) time(name string, t time.Time) {
	w.key(name)
	if y := t.Year(); y < 0 || y > 9999 {
		w.bad = true
		return
	}
	w.b = append(w.b, '"')
	w.b = t.AppendFormat(w.b, time.RFC3339Nano)
	w.b = append(w.b, '"')
	if _, off := t.Zone(); off%60 != 0 || off <= -24*3600 || off >= 24*3600 {
		w.bad = true
	}
}

func (w *writer) float(name string, f float64) {
	w.key(name)
	if math.IsNaN(f) || math.IsInf(f, 0) {
		w.bad = true
		return
	}
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	w.b = strconv.AppendFloat(w.b, f, format, -1, 64)
	if n := len(w.b); format == 'e' && n >= 4 && w.b[n-4] == 'e' && w.b[n-3] == '-' && w.b[n-2] == '0' {
		w.b[n-2] = w.b[n-1] // e-09 to e-9
		w.b = w.b[:n-1]
	}
}

func (w *writer) floatOpt(name string, f float64) {
	if f != 0 {
		w.float(name, f)
	}
}

// text appends a string, with the characters escaped that encoding/json
// escapes.
func (w *writer) text(s string) {
	const hex = "0123456789abcdef"
	b := append(w.b, '"')
	start := 0
	for i := 0; i < len(s); {
		i += safePrefix(s[i:])
		for i < len(s) && safeByte[s[i]] {
			i++
		}
		if i == len(s) {
			break
		}
		c := s[i]
		if c < utf8.RuneSelf {
			b = append(b, s[start:i]...)
			switch c {
			case '"', '\\':
				b = append(b, '\\', c)
			case '\b':
				b = append(b, '\\', 'b')
			case '\f':
				b = append(b, '\\', 'f')
			case '\n':
				b = append(b, '\\', 'n')
			case '\r':
				b = append(b, '\\', 'r')
			case '\t':
				b = append(b, '\\', 't')
			default:
				b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
			i++
			start = i
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b = append(append(b, s[start:i]...), `\ufffd`...)
			start = i + n
		case r == '\u2028' || r == '\u2029':
			b = append(append(b, s[start:i]...), '\\', 'u', '2', '0', '2', hex[r&15])
			start = i + n
		}
		i += n
	}
	w.b = append(append(b, s[start:]...), '"')
}

// safeByte is set for the bytes that encoding/json writes as they are.
var safeByte = func() (t [256]bool) {
	for c := range utf8.RuneSelf {
		t[c] = c >= ' ' && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&'
	}
	return t
}()
