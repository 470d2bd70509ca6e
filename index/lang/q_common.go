package lang

import (
	_ "embed"
	"strings"
)

// commonWords are the words that encyclopedic and everyday English text uses
// most in lower case, one form of each stem.
//
//go:embed q_common.txt
var commonWords string

var commonStems = func() map[string]struct{} {
	f := strings.Fields(commonWords)
	m := make(map[string]struct{}, len(f))
	for _, w := range f {
		m[Stem(w)] = struct{}{}
	}
	return m
}()

// IsCommon reports whether a stem is that of an everyday word. What is not
// is likely to be a name or a term, however it is written.
func IsCommon(stem string) bool {
	_, ok := commonStems[stem]
	return ok
}
