package markup

import "strings"

// request reads a request or a macro.
func (r *roff) request(name, rest string) {
	switch name {
	case `\"`, "":
	case "if", "ie", "el":
		r.condition(name, rest)
	case "de", "de1", "am", "ig":
		r.skip = ".."
		if args := arguments(rest); name != "ig" && len(args) > 1 || name == "ig" && len(args) > 0 {
			r.skip = "." + args[len(args)-1]
		}
	case "TH":
		r.title(arguments(rest))
	case "SH", "Sh":
		r.heading(1, unescape(strings.Join(arguments(rest), " ")))
	case "SS", "Ss":
		r.heading(2, unescape(strings.Join(arguments(rest), " ")))
	case "Dd":
		r.w.Date(unescape(rest))
	case "Dt":
		r.title(arguments(rest))
	case "TS":
		r.table()
	case "nf", "EX":
		r.startCode()
	case "fi", "EE":
		r.endCode()
	default:
		if r.page {
			r.man(name, rest)
		}
	}
}

// title reads .TH: name, section, date.
func (r *roff) title(args []string) {
	if len(args) == 0 {
		return
	}
	r.page = true
	for i := range args {
		args[i] = unescape(args[i])
	}
	title := args[0]
	if len(args) > 1 && args[1] != "" {
		title += "(" + args[1] + ")"
	}
	r.w.Title(title)
	if len(args) > 2 {
		r.w.Date(args[2])
	}
}

// man reads the macros of man that make text.
func (r *roff) man(name, rest string) {
	switch name {
	case "PP", "P", "LP", "HP":
		r.endCode()
		r.items(r.floor())
		r.block()
	case "sp":
		if r.code {
			r.w.CodeLine("", r.s.Number())
		}
		if !r.code {
			r.block()
		}
	case "TP", "TQ":
		if !r.tag {
			r.item("-")
		}
		r.tag = true
	case "IP":
		r.indented(arguments(rest))
	case "RS":
		r.nestIn()
	case "RE":
		r.nestOut()
	case "B", "I", "SM", "SB", "R":
		r.font(strings.Join(arguments(rest), " "))
	case "BR", "RB", "BI", "IB", "RI", "IR":
		r.font(strings.Join(arguments(rest), ""))
	case "SY", "OP":
		r.font(strings.Join(arguments(rest), " "))
	case "UE", "ME":
		r.font(rest)
	default:
		r.mdoc(name, rest)
	}
}

// font writes what a macro of a font has as arguments.
func (r *roff) font(text string) {
	if text = unescape(text); strings.TrimSpace(text) != "" {
		r.text(text)
	}
}

// indented reads .IP: an item with its mark, or another paragraph of one.
func (r *roff) indented(args []string) {
	if len(args) == 0 || args[0] == "" {
		r.block()
		return
	}
	tag := strings.TrimSpace(unescape(args[0]))
	switch {
	case tag == "•" || tag == "-" || tag == "*" || tag == "o" || tag == "+" || tag == "—" || tag == "–" || tag == "·":
		r.item("-")
	case len(tag) <= 5 && strings.Trim(tag, "0123456789") == "." || strings.Trim(tag, "0123456789") == ")":
		r.item(strings.TrimRight(tag, ".)") + ".")
	default:
		r.item("-")
		r.w.Line(tag, r.s.Number())
	}
}
