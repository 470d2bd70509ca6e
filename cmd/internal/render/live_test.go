package render

import (
	"slices"
	"strings"
	"testing"
)

// tty is as much of a terminal as Live writes to: its rows, without wrapping.
type tty struct {
	rows []string
	at   int
}

func (s *tty) Write(b []byte) (int, error) {
	text := string(b)
	for text != "" {
		if len(s.rows) == s.at {
			s.rows = append(s.rows, "")
		}
		switch {
		case strings.HasPrefix(text, "\x1b[A"):
			s.at--
			text = text[3:]
		case strings.HasPrefix(text, "\x1b[J"):
			s.rows = append(s.rows[:s.at], "")
			text = text[3:]
		case strings.HasPrefix(text, dim), strings.HasPrefix(text, reset):
			text = text[4:]
		case text[0] == '\r':
			text = text[1:]
		case text[0] == '\n':
			s.at++
			text = text[1:]
		default:
			s.rows[s.at] += text[:1]
			text = text[1:]
		}
	}
	return len(b), nil
}

func TestTextStandsBelowTheHops(t *testing.T) {
	t.Parallel()
	s := &tty{}
	l := NewLive(s, func() int { return 30 })
	want := func(rows ...string) {
		t.Helper()
		if got := strings.Split(strings.TrimRight(strings.Join(s.rows, "\n"), "\n"), "\n"); !slices.Equal(got, rows) {
			t.Errorf("shows %q, want %q", got, rows)
		}
	}
	l.Line("1.1 ask")
	l.Add("The ferry leaves at six from ", false)
	l.Add("the old pier.\x1b[2J", false)
	want("1.1 ask", "The ferry leaves at six from ", "the old pier.[2J")
	l.Line("1.1 answer")
	want("1.1 ask", "1.1 answer", "The ferry leaves at six from ", "the old pier.[2J")
	l.Add("No: at seven.\nSee there.", true)
	want("1.1 ask", "1.1 answer", "No: at seven.", "See there.")
	l.Add(strings.Repeat(" and so on", 200)+strings.Repeat("x", 100)+strings.Repeat("字", 50), false)
	if len(s.rows) != 2+liveRows {
		t.Errorf("%d rows: %q", len(s.rows), s.rows)
	}
	for _, row := range s.rows {
		if cellsOf(row) >= 30 {
			t.Errorf("%q is as wide as the terminal", row)
		}
	}
	l.Clear()
	want("1.1 ask", "1.1 answer")
}
