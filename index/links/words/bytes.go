package words

// What a byte begins.
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

func signs(c byte) string {
	switch c {
	case '%':
		return "percent"
	case '$':
		return "dollar"
	}
	return "and"
}
