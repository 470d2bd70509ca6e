package cli

import (
	"encoding/json"
	"fmt"
	"io"
)

// WriteJSON writes v as one line.
func WriteJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// Plural counts things: "1 passage", "2 passages".
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
