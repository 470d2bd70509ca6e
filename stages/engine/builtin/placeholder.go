package builtin

import (
	"slices"
	"strconv"
	"strings"
)

// slotText is how a part names the answer of part n.
func slotText(n int) string { return "$" + strconv.Itoa(n) }

// references returns the numbers of the parts whose answers a part names, each
// once. Amounts of money ($2.50, $2,000) are none, nor is what stands in the
// question itself.
func references(part, question string) []int {
	var out []int
	eachReference(part, question, func(_, _, n int) {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	})
	return out
}

// eachReference calls found with the place and the number of each placeholder.
func eachReference(part, question string, found func(from, to, n int)) {
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
		n, _ := strconv.Atoi(part[from+1 : to])
		found(from, to, n)
		from = to - 1
	}
}

func digit(b byte) bool { return '0' <= b && b <= '9' }

func wordByte(b byte) bool {
	return digit(b) || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b == '_'
}

// rebound returns part with what put writes in the place of its placeholders.
func rebound(part, question string, put func(n int) string) string {
	var b strings.Builder
	last := 0
	eachReference(part, question, func(from, to, n int) {
		b.WriteString(part[last:from])
		b.WriteString(put(n))
		last = to
	})
	b.WriteString(part[last:])
	return b.String()
}
