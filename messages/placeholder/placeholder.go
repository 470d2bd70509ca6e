// Package placeholder is the grammar of plans: how a sub-question names the
// answer of another one. $2 stands for the answer of the second.
//
//	placeholder.go  Of, References, Replace: what is a placeholder, and what is not
//	spelled.go      Normalize: a plan as models spell it, written with $1, $2, …
package placeholder

import (
	"slices"
	"strconv"
	"strings"
)

// Of returns the placeholder of the answer of sub-question n, counted from 1.
func Of(n int) string { return "$" + strconv.Itoa(n) }

// References returns the numbers of the sub-questions whose answers part
// names, each once. Amounts of money ($2.50, $2,000) are none, nor is what
// stands in the question itself: it may speak of money too.
func References(part, question string) []int {
	var out []int
	each(part, question, func(_, _, n int) {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	})
	return out
}

// Replace returns part with what put returns in the place of each placeholder.
func Replace(part, question string, put func(n int) string) string {
	var b strings.Builder
	last := 0
	each(part, question, func(from, to, n int) {
		b.WriteString(part[last:from])
		b.WriteString(put(n))
		last = to
	})
	b.WriteString(part[last:])
	return b.String()
}

// each calls found with the place and the number of each placeholder: a dollar
// sign and one or two digits that end there.
func each(part, question string, found func(from, to, n int)) {
	for from := 0; from < len(part); from++ {
		if part[from] != '$' {
			continue
		}
		to := from + 1
		for to < len(part) && to < from+3 && digit(part[to]) {
			to++
		}
		if to == from+1 || to < len(part) && wordByte(part[to]) ||
			to+1 < len(part) && (part[to] == '.' || part[to] == ',') && digit(part[to+1]) ||
			strings.Contains(question, part[from:to]) {
			continue
		}
		n, _ := strconv.Atoi(part[from+1 : to]) // one or two digits
		found(from, to, n)
		from = to - 1
	}
}

func digit(b byte) bool { return '0' <= b && b <= '9' }

func wordByte(b byte) bool {
	return digit(b) || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b == '_'
}
