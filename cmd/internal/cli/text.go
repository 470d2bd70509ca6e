package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode"
)

// WriteJSON writes v as one line.
func WriteJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// WriteJSONLines writes a line for each of all.
func WriteJSONLines[T any](w io.Writer, all []T) error {
	for _, v := range all {
		if err := WriteJSON(w, v); err != nil {
			return err
		}
	}
	return nil
}

// Plural counts things: "1 passage", "2 passages".
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Clean returns a name, as of a file, without what would act on a terminal or
// break a line.
func Clean(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, name)
}
