package weaviate

import (
	"strconv"
	"strings"
	"unicode"
)

// clean makes a query fit to be quoted by Go and read by GraphQL, and reports
// whether there are words in it. The client quotes with %q, whose \x, \a, \v
// and \U GraphQL does not know: what would need them becomes a space.
func clean(query string) (words string, any bool) {
	words = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r), r > 0xFFFF && !strconv.IsPrint(r):
			return ' '
		case unicode.IsLetter(r), unicode.IsNumber(r):
			any = true
		}
		return r
	}, strings.ToValidUTF8(query, " "))
	return strings.TrimSpace(words), any
}
