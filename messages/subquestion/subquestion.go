// Package subquestion reads the text of a plan's parts, which are
// sub-questions. The engines that write plans and the decomposer that follows
// them have to agree on it: how one part names another's answer, and when two
// questions are the same.
package subquestion

import (
	"slices"
	"strconv"
	"strings"
)

// Placeholder is how a part names the answer of part n, counted from 1: $n.
func Placeholder(n int) string { return "$" + strconv.Itoa(n) }

// References returns the numbers of the parts whose answers text names, each
// once, in order of appearance. Amounts of money ($2.50, $2,000) are no
// placeholders, nor is what stands in the question itself.
func References(text, question string) []int {
	var out []int
	eachPlaceholder(text, question, func(_, _, n int) {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	})
	return out
}

// Replace returns text with answer(n) in the place of every placeholder $n.
func Replace(text, question string, answer func(n int) string) string {
	var b strings.Builder
	last := 0
	eachPlaceholder(text, question, func(from, to, n int) {
		b.WriteString(text[last:from])
		b.WriteString(answer(n))
		last = to
	})
	b.WriteString(text[last:])
	return b.String()
}

// eachPlaceholder calls found with the place and the number of each
// placeholder: a dollar sign and one or two digits that end there.
func eachPlaceholder(text, question string, found func(from, to, n int)) {
	for from := 0; from < len(text); from++ {
		if text[from] != '$' {
			continue
		}
		to := from + 1
		for to < len(text) && to < from+3 && digit(text[to]) {
			to++
		}
		if to == from+1 || to < len(text) && wordByte(text[to]) ||
			to+1 < len(text) && (text[to] == '.' || text[to] == ',') && digit(text[to+1]) ||
			strings.Contains(question, text[from:to]) {
			continue
		}
		n, _ := strconv.Atoi(text[from+1 : to])
		found(from, to, n)
		from = to - 1
	}
}

func digit(b byte) bool { return '0' <= b && b <= '9' }

func wordByte(b byte) bool {
	return digit(b) || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || b == '_'
}

// Same reports whether two questions differ in nothing but case, white space
// and the marks at their ends.
func Same(a, b string) bool { return a == b || strings.EqualFold(bare(a), bare(b)) }

func bare(question string) string {
	return strings.TrimRight(strings.Join(strings.Fields(question), " "), " ?.!")
}

// FirstLine returns the first line of an answer, in the form in which it can
// stand in another question: at most limit bytes, cut between words
// where there are several.
func FirstLine(answer string, limit int) string {
	answer, _, _ = strings.Cut(strings.TrimSpace(answer), "\n")
	if len(answer) <= limit {
		return answer
	}
	cut := strings.LastIndexByte(answer[:limit], ' ')
	if cut <= 0 {
		cut = limit
	}
	return strings.ToValidUTF8(answer[:cut], "")
}
