package markup

import "strings"

// glyphs are the special characters of roff that pages use, by name.
var glyphs = map[string]string{
	"aq": "'", "dq": `"`, "lq": "“", "rq": "”", "oq": "‘", "cq": "’", "bu": "•", "em": "—", "en": "–", "hy": "-", "mi": "-",
	"ha": "^", "ti": "~", "rs": `\`, "sl": "/", "ga": "`", "at": "@", "sh": "#", "Do": "$", "bv": "|", "ba": "|", "or": "|",
	"lB": "[", "rB": "]", "lC": "{", "rC": "}", "la": "<", "ra": ">", "co": "©", "rg": "®", "tm": "™", "de": "°", "mu": "×",
	"di": "÷", "+-": "±", "->": "→", "<-": "←", "<=": "≤", ">=": "≥", "!=": "≠", "==": "≡", "~=": "≈", "if": "∞", "12": "½",
	"14": "¼", "34": "¾", "ss": "ß", "Po": "£", "Eu": "€", "eu": "€", "ct": "¢", "sc": "§", "ps": "¶", "dg": "†", "Fo": "«", "Fc": "»",
	":a": "ä", ":o": "ö", ":u": "ü", ":A": "Ä", ":O": "Ö", ":U": "Ü", "'e": "é", "`e": "è", "'a": "á", "`a": "à", "^e": "ê",
	",c": "ç", "~n": "ñ", "oa": "å", "/o": "ø", "lh": "☜", "rh": "☞", "ci": "○", "sq": "□", "tf": "∴", "fm": "′", "pl": "+", "eq": "=",
	"R": "®", "Tm": "™", "rdquo": "”", "ldquo": "“", // strings
}

// unescape takes the escapes out of a line of roff.
//
//revive:disable-next-line:cyclomatic,cognitive-complexity one case per escape
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		i++
		if i == len(s) {
			break
		}
		switch c := s[i]; c {
		case '-', '\\', '.', '\'', '`', '_':
			b.WriteByte(c)
		case 'e', 'E':
			b.WriteByte('\\')
		case ' ', '~', '0', 't':
			b.WriteByte(' ')
		case '"', '#':
			return b.String()
		case '(', '[', '*', 'C':
			if c != '*' && c != 'C' {
				i--
			}
			var name string
			name, i = escapeName(s, i+1)
			if c == 'C' {
				name = strings.Trim(name, "'")
			}
			b.WriteString(glyphs[name])
			if r := codePoint(name); r != 0 {
				b.WriteRune(r)
			}
		case 'f', 'F', 'm', 'M', 'n', 'g', 'k', 'V', 'Y', 'O':
			_, i = escapeName(s, i+1)
		case 's':
			for i+1 < len(s) && strings.IndexByte("+-", s[i+1]) >= 0 {
				i++
			}
			if i+1 < len(s) && (s[i+1] == '\'' || s[i+1] == '(' || s[i+1] == '[') {
				_, i = escapeName(s, i+1)
			} else {
				for n := 0; n < 2 && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9'; n++ {
					i++
				}
			}
		case 'h', 'v', 'w', 'l', 'L', 'b', 'D', 'o', 'r', 'x', 'X', 'Z', 'A', 'B', 'N', 'R', 'S', 'H':
			if i+1 < len(s) && s[i+1] == '\'' {
				if end := strings.IndexByte(s[i+2:], '\''); end >= 0 {
					i += end + 2
				}
			}
		}
	}
	return b.String()
}

// escapeName reads the name of an escape that begins at i: a character, two
// behind (, any in brackets or quotes. It returns where the name ends.
func escapeName(s string, i int) (name string, last int) {
	switch {
	case i >= len(s):
		return "", len(s) - 1
	case s[i] == '(':
		end := min(i+3, len(s))
		return s[i+1 : end], end - 1
	case s[i] == '[' || s[i] == '\'':
		closing := byte(']')
		if s[i] == '\'' {
			closing = '\''
		}
		if end := strings.IndexByte(s[i+1:], closing); end >= 0 {
			return s[i+1 : i+1+end], i + 1 + end
		}
	}
	return s[i : i+1], i
}

// codePoint returns the character that a name such as u2014 stands for.
func codePoint(name string) rune {
	if len(name) < 5 || len(name) > 7 || name[0] != 'u' {
		return 0
	}
	var r rune
	for _, c := range name[1:] {
		switch {
		case c >= '0' && c <= '9':
			r = r<<4 | (c - '0')
		case c >= 'A' && c <= 'F':
			r = r<<4 | (c - 'A' + 10)
		default:
			return 0
		}
	}
	return r
}

// arguments takes the arguments of a request apart; quotes keep blanks together.
func arguments(s string) []string {
	var out []string
	for {
		s = strings.TrimLeft(s, " \t")
		if s == "" || strings.HasPrefix(s, `\"`) {
			return out
		}
		var b strings.Builder
		quoted := s[0] == '"'
		i := 0
		if quoted {
			i = 1
		}
	word:
		for ; i < len(s); i++ {
			switch {
			case s[i] == '\\' && i+1 < len(s):
				b.WriteString(s[i : i+2])
				i++
			case quoted && s[i] == '"' && i+1 < len(s) && s[i+1] == '"':
				b.WriteByte('"')
				i++
			case quoted && s[i] == '"', !quoted && (s[i] == ' ' || s[i] == '\t'):
				break word
			default:
				b.WriteByte(s[i])
			}
		}
		out = append(out, b.String())
		s = s[min(i+1, len(s)):]
	}
}
