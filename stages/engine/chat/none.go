package chat

import "strings"

// unlessNone empties an answer that says that there is none: small models
// write these words where they were asked for an empty text.
func unlessNone(answer string) string {
	s := strings.ToLower(strings.Trim(answer, " .!\"'()[]"))
	switch s {
	case "", "none", "null", "n/a", "na", "unknown", "not found", "no answer", "not given", "not mentioned", "not specified",
		"not available", "not stated", "not provided", "i don't know", "i do not know", "cannot be determined", "insufficient information":
		return ""
	}
	return answer
}
