package subquestion

import (
	"regexp"
	"strconv"
	"strings"
)

// spelled finds the ways in which models name the answer of another
// sub-question, whatever form they were asked for: $1, $ANSWER 1, ${1}, #1,
// {1}, {{answer_1}}, [answer 1], [1], <answer 1>, (answer 1), ANSWER 1.
var spelled = func() *regexp.Regexp {
	const (
		long   = `(?i:(?:the\s+)?(?:answers?|results?)[\s_#-]*(?:(?:of|to|from|for)\s+)?(?:(?:sub-?)?question\s*)?[#$]?)`
		word   = `(?:` + long + `|(?i:ans|a|q)[\s_#-]?)`
		number = `0?([1-9][0-9]?)`
	)
	return regexp.MustCompile(strings.Join([]string{
		`\$\s?\{\s*` + word + `?` + number + `\s*\}`,
		`\$\s?` + word + number + `\b`,
		`#\s?` + word + `?` + number + `\b`,
		`\{{1,2}\s*[$#]?` + word + `?` + number + `\s*\}{1,2}`,
		`\[\s*[$#]?` + word + `?` + number + `\s*\]`,
		`<\s*[$#]?` + long + number + `\s*>`,
		`\(\s*[$#]?` + long + number + `\s*\)`,
		`\bANSWER[ _]?` + number + `\b`,
	}, "|"))
}()

// Normalize returns a plan as a model spelled it with its placeholders written
// as $1, $2, …, and without the numbers before its parts. What stands in the
// question itself is no placeholder: it may speak of a #1 hit; nor is one that
// names its own answer, or that of none of the plan's parts.
func Normalize(parts []string, question string) []string {
	out := make([]string, len(parts))
	for i, part := range parts {
		out[i] = normalize(part, question, i+1, len(parts))
	}
	return out
}

// normalize returns the part that has the number own, of so many.
func normalize(part, question string, own, parts int) string {
	part = unnumbered(part, own)
	var b strings.Builder
	last := 0
	for _, at := range spelled.FindAllStringSubmatchIndex(part, -1) {
		n := 0
		for g := 2; g < len(at); g += 2 {
			if at[g] >= 0 {
				n, _ = strconv.Atoi(part[at[g]:at[g+1]])
			}
		}
		if n == own || n > parts || strings.Contains(question, part[at[0]:at[1]]) {
			continue
		}
		b.WriteString(part[last:at[0]])
		b.WriteString(Placeholder(n))
		last = at[1]
	}
	b.WriteString(part[last:])
	return b.String()
}

// unnumbered drops a part's own number where models write it: "2. …",
// "Q2: …", "$2 = …" before, "… = $2", "… $2" behind.
func unnumbered(part string, own int) string {
	n := strconv.Itoa(own)
	rest := strings.TrimLeft(part, "$#Qq ")
	if rest, ok := strings.CutPrefix(rest, n); ok {
		trimmed := strings.TrimLeft(rest, " ")
		if text := strings.TrimLeft(trimmed, ".:)="); text != trimmed && strings.HasPrefix(text, " ") {
			part = strings.TrimSpace(text)
		}
	}
	if text, ok := strings.CutSuffix(strings.TrimRight(part, " "), "$"+n); ok {
		if text = strings.TrimRight(text, " =-→>:("); strings.HasSuffix(text, "?") {
			part = text
		}
	}
	return part
}
