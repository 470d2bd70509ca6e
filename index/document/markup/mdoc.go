package markup

import (
	"strings"

	"hopstream/index/document/draft"
)

// mdocList is a list that is open.
type mdocList struct {
	numbered bool
	next     int
}

// quotes are the macros that put their arguments between marks.
var quotes = map[string][2]string{
	"Op": {"[", "]"}, "Bq": {"[", "]"}, "Pq": {"(", ")"}, "Dq": {"“", "”"}, "Qq": {`"`, `"`}, "Sq": {"‘", "’"}, "Ql": {"‘", "’"},
	"Aq": {"<", ">"}, "Brq": {"{", "}"}, "Fl": {"-", ""}, "Nd": {"— ", ""},
}

// words are the macros that are their arguments.
var words = map[string]bool{
	"Ar": true, "Cm": true, "Ic": true, "Ev": true, "Pa": true, "Va": true, "Vt": true, "Fa": true, "Ft": true, "Er": true, "Em": true,
	"Sy": true, "Li": true, "Dv": true, "An": true, "Ad": true, "Ms": true, "Tn": true, "No": true, "Sx": true, "Mt": true, "St": true,
	"Xr": true, "Fn": true, "Cd": true, "In": true, "Nm": true, "Lk": true, "Ns": true, "Ap": true, "At": true, "Bx": true, "Nx": true,
	"Ox": true, "Fx": true, "Ux": true, "Oo": true, "Oc": true, "Po": true, "Pc": true, "Do": true, "Dc": true, "Lb": true, "Rv": true,
}

// mdoc reads the macros of mdoc.
func (r *roff) mdoc(name, rest string) {
	switch name {
	case "Pp", "Lp":
		r.endCode()
		r.block()
	case "Bl":
		r.nestIn()
		if len(r.lists) < maxLists {
			r.lists = append(r.lists, mdocList{strings.Contains(rest, "-enum"), 1})
		}
	case "El":
		r.nestOut()
		r.lists = r.lists[:max(len(r.lists)-1, 0)]
	case "It":
		r.mdocItem(rest)
	case "Bd":
		if strings.Contains(rest, "-literal") || strings.Contains(rest, "-unfilled") {
			r.startCode()
		}
	case "Ed":
		r.endCode()
	case "Dl", "D1":
		r.startCode()
		r.w.CodeLine(r.spaced("No", rest), r.s.Number())
		r.endCode()
	case "Nm":
		if args := arguments(rest); r.name == "" && len(args) > 0 {
			r.name = args[0]
		} else if len(args) == 0 {
			rest = r.name
		}
		r.macro(name, rest)
	default:
		if _, quoted := quotes[name]; quoted || words[name] {
			r.macro(name, rest)
		}
	}
}

// macro writes the text of a macro.
func (r *roff) macro(name, rest string) {
	if text := r.spaced(name, rest); text != "" {
		r.text(text)
	}
}

func (r *roff) mdocItem(rest string) {
	mark := "-"
	if n := len(r.lists); n > 0 && r.lists[n-1].numbered {
		mark = draft.Number(r.lists[n-1].next)
		r.lists[n-1].next++
	}
	r.item(mark)
	if text := r.spaced("No", rest); text != "" {
		r.w.Line(text, r.s.Number())
	}
}

// spaced is the text of a macro with its arguments, which may be macros.
//
//revive:disable-next-line:cyclomatic one case per kind of word
func (r *roff) spaced(name, rest string) string {
	args := append([]string{name}, arguments(rest)...)
	var out strings.Builder
	glue := true // no blank before the next word
	word := func(s string) {
		if s == "" {
			return
		}
		if !glue && !strings.Contains(".,;:)]?!", s[:1]) {
			out.WriteByte(' ')
		}
		out.WriteString(s)
		glue = s == "(" || s == "["
	}
	closing := ""
	for i := 0; i < len(args); i++ {
		a := args[i]
		q, quoted := quotes[a]
		switch {
		case a == "Ns" || a == "Ap":
			glue = true
			if a == "Ap" {
				out.WriteByte('\'')
			}
		case a == "Fl":
			word("-")
			glue = i+1 < len(args) && !words[args[i+1]]
		case a == "Xr" && i+2 < len(args):
			word(unescape(args[i+1]) + "(" + unescape(args[i+2]) + ")")
			i += 2
		case a == "Nm" && (i+1 == len(args) || words[args[i+1]]):
			word(r.name)
		case quoted:
			word(q[0])
			glue = true
			closing = q[1] + closing
		case words[a]:
		default:
			word(unescape(a))
		}
	}
	return strings.TrimSpace(out.String() + closing)
}
