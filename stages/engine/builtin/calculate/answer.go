// Package calculate answers what can be computed from a question alone: arithmetic,
// conversions between units, the calendar, the letters of a word. It knows nothing of
// the world, guesses nothing, and never uses the current date.
//
//	answer.go    Answer: a question as words and numbers
//	number.go    numbers in digits and words
//	expr.go      arithmetic, exact
//	unit.go      conversions
//	calendar.go  days between dates, weekdays, leap years
//	count.go     letters
package calculate

import "strings"

// maxDirect bounds the questions that are computed; longer ones are prose.
const maxDirect = 400

// Answer computes what can be computed from the question alone; "" for every other
// question.
func Answer(question string) string {
	if len(question) > maxDirect {
		return ""
	}
	q := strings.TrimSpace(question)
	if s := countLetters(q); s != "" {
		return s
	}
	if !computable(q) {
		return ""
	}
	words := lexCompute(q)
	if len(words) == 0 || len(words) > 64 {
		return ""
	}
	if s := calendar(words); s != "" {
		return s
	}
	if s := convert(words); s != "" {
		return s
	}
	return arithmetic(words)
}

// computable is a cheap look for anything that could be computed: a digit, a
// number word or a word of measures.
func computable(q string) bool {
	if strings.ContainsAny(q, "0123456789") {
		return true
	}
	for w := range strings.FieldsSeq(q) {
		w = strings.ToLower(strings.Trim(w, ".,?!"))
		for part := range strings.SplitSeq(w, "-") {
			if _, ok := numberWords[part]; ok {
				return true
			}
		}
		if _, ok := unitOf(w); ok {
			return true
		}
	}
	return false
}

// computeWord is a word, number or operator of a question to compute.
type computeWord struct {
	text   string // lower case
	number bool
	space  bool // white space stands before it
}

// lexCompute cuts q into words, numbers and signs, in lower case; nil when it
// holds a sign that no computation uses.
func lexCompute(q string) []computeWord {
	q = strings.ToLower(strings.TrimRight(q, "?!. =\n\t"))
	out := make([]computeWord, 0, 16)
	space := false
	for i := 0; i < len(q); {
		c := q[i]
		w := computeWord{space: space}
		space = false
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			space = true
			i++
			continue
		case isDigit(c) || c == '.' && i+1 < len(q) && isDigit(q[i+1]):
			end := i
			for end < len(q) && (isDigit(q[end]) || (q[end] == '.' || q[end] == ',') && end+1 < len(q) && isDigit(q[end+1])) {
				end++
			}
			w.text, w.number = q[i:end], true
			i = end
		case c >= 'a' && c <= 'z':
			end := i
			for end < len(q) && (q[end] >= 'a' && q[end] <= 'z' || q[end] == '\'') {
				end++
			}
			w.text = q[i:end]
			i = end
		case strings.HasPrefix(q[i:], "**"):
			w.text = "^"
			i += 2
		case strings.HasPrefix(q[i:], "×"), strings.HasPrefix(q[i:], "·"):
			w.text = "*"
			i += 2
		case strings.HasPrefix(q[i:], "÷"):
			w.text = "/"
			i += 2
		case strings.HasPrefix(q[i:], "−"):
			w.text = "-"
			i += len("−")
		case strings.HasPrefix(q[i:], "√"):
			w.text = "sqrt"
			i += len("√")
		case strings.HasPrefix(q[i:], "°"):
			i += len("°")
			continue
		case strings.IndexByte("+-*/^%(),:", c) >= 0:
			w.text = q[i : i+1]
			i++
		default:
			return nil
		}
		out = append(out, w)
	}
	return out
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// dropOpening removes what opens a request to compute.
func dropOpening(ws []computeWord) []computeWord {
	for len(ws) > 0 {
		switch ws[0].text {
		case "what", "what's", "whats", "is", "are", "calculate", "compute", "evaluate", "solve", "how", "much", "please",
			"result", "value", "of", "does", "do", "you", "get", "if", "can", "tell", "me", "find", "work", "out", "equal", ":":
		case "the":
		default:
			return ws
		}
		ws = ws[1:]
	}
	return ws
}
