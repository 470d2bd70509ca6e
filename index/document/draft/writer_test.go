package draft

import (
	"fmt"
	"strings"
	"testing"
)

// collect returns a Writer, and where its parts will be.
func collect(limit int) (*Writer, *[]Part) {
	var parts []Part
	return New(limit, func(p Part) error { parts = append(parts, p); return nil }), &parts
}

func TestWriter(t *testing.T) {
	t.Parallel()
	w, parts := collect(0)
	w.Date("Sun, 01 Mar 2026 10:00:00 +0000")
	w.Heading(1, "The  title ¶", 1)
	w.Line("One.", 3)
	w.Line("# two", 4)
	w.Heading(3, "A", 6)
	w.Heading(2, "B", 7)
	w.Heading(4, "C", 8)
	w.Item(0, "-", "a", 10)
	w.BeginItem("1.")
	w.Line("b", 11)
	w.Item(0, "-", "c", 12)
	w.Code("go", 3)
	w.CodeLine("x", 14)
	w.CodeLine("", 15)
	w.CodeLine("```", 16)
	w.EndItem()
	w.Row([]string{"k", "", "v|\n w"}, 20)
	w.Row([]string{"", " "}, 21)
	w.Break()
	w.Page(2)
	w.Line("``` no\x00 co\u00adde", 30)
	if written, err := w.Close(); !written || err != nil || len(*parts) != 1 {
		t.Fatal(written, err, *parts)
	}
	p := (*parts)[0]
	want := "One.\n    # two\n\n# A\n\n# B\n\n## C\n\n- a\n1. b\n   - c\n\n   ```go\n   x\n\n   ~~~\n   ```\n\n| k | | v| w |\n\f\n` `` no code"
	if p.Text != want || p.Title != "The title" || p.Date != "2026-03-01" {
		t.Errorf("%q\n%q", p.Text, want)
	}
	for text, at := range map[string]int{"One.": 3, "# two": 4, "# A": 6, "## C": 8, "- a": 10, "- c": 12, "x": 14, "~~~": 16, "| k": 20, "` ``": 30} {
		if n := lineOf(p.Text, text); p.Lines.At(n) != at {
			t.Errorf("%q stands in line %d, want %d", text, p.Lines.At(n), at)
		}
	}
	if n := lineOf(p.Text, "` ``"); p.Pages.At(n) != 2 || p.Pages.At(n-2) != 0 {
		t.Errorf("pages %v", p.Pages)
	}
}

func lineOf(text, s string) int { return strings.Count(text[:strings.Index(text, s)], "\n") }

// TestParts holds that parts say together what one document would, each with
// its place.
func TestParts(t *testing.T) {
	t.Parallel()
	write := func(limit int) []Part {
		w, parts := collect(limit)
		w.Title("T")
		for i := range 40 {
			w.Heading(1+i%3, fmt.Sprintf("Head %d", i), 100*i+1)
			w.Line(fmt.Sprintf("Line %d one.", i), 100*i+3)
			w.Line("Line two.", 100*i+4)
			w.Code("sh", 3)
			for j := range 9 {
				w.CodeLine(fmt.Sprintf("code %d.%d", i, j), 100*i+6+j)
			}
			w.EndCode()
		}
		if written, err := w.Close(); !written || err != nil {
			t.Fatal(err)
		}
		return *parts
	}
	whole := write(0)[0]
	for _, limit := range []int{30, 100, 333, 1000, 5000} {
		var all []string
		parts := write(limit)
		for i, p := range parts {
			if len(p.Text) > limit+100 || p.Title != "T" {
				t.Errorf("part %d of %d: %d bytes", i, limit, len(p.Text))
			}
			for n, line := range strings.Split(p.Text, "\n") {
				if line == "" || strings.HasPrefix(line, "```") {
					continue
				}
				all = append(all, line)
				if at := lineOf(whole.Text+"\n", line+"\n"); line != "Line two." && len(p.Lines) > 0 && p.Lines.At(n) != whole.Lines.At(at) {
					t.Fatalf("limit %d part %d: %q in line %d, want %d", limit, i, line, p.Lines.At(n), whole.Lines.At(at))
				}
			}
			if strings.Count(p.Text, "```")%2 != 0 {
				t.Errorf("limit %d part %d: code is not closed: %q", limit, i, p.Text)
			}
		}
		var want []string
		for _, line := range strings.Split(whole.Text, "\n") {
			if line != "" && !strings.HasPrefix(line, "```") {
				want = append(want, line)
			}
		}
		if strings.Join(all, "\n") != strings.Join(want, "\n") {
			t.Errorf("limit %d: the parts say something else", limit)
		}
		if last := parts[len(parts)-1]; limit == 333 && !strings.HasPrefix(last.Heading, "Head ") {
			t.Errorf("the last part begins in %q", last.Heading)
		}
	}
}

func TestRaw(t *testing.T) {
	t.Parallel()
	w, parts := collect(0)
	w.Raw("One\n\n\n## Two\nx\n\f\n```\n\ty\n```\n- z", 7, 1)
	if _, err := w.Close(); err != nil {
		t.Fatal(err)
	}
	p := (*parts)[0]
	if want := "One\n\n# Two\n\nx\n\f\n```\n\ty\n```\n\n- z"; p.Text != want || p.Lines.At(lineOf(p.Text, "- z")) != 16 {
		t.Errorf("%q %v", p.Text, p.Lines)
	}
}

func TestScanner(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 100_000)
	s := NewScanner(strings.NewReader("\uFEFFa \r\n\n" + long + "\nb\nc"))
	if s.Peek(2) != "" || !s.Scan() || s.Text() != "a" || s.Peek(1) != "" {
		t.Error(s.Text())
	}
	s.Skip(1)
	var words, last int
	for s.Scan() && s.Number() == 3 {
		words += len(strings.Fields(s.Text()))
		last = len(s.Text())
	}
	if words != 100_000 || last > longestLine {
		t.Error(words, last)
	}
	if s.Text() != "b" || s.Number() != 4 || !s.Scan() || s.Text() != "c" || s.Scan() || s.Err() != nil {
		t.Error(s.Text(), s.Number(), s.Err())
	}
}

func TestDate(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"2024-03-01T10:00:00Z": "2024-03-01", "March 1, 2024": "2024-03-01", "1 Mar 2024": "2024-03-01", "March 2024": "2024-03",
		"yesterday": "", "'2024-03-01'": "2024-03-01", "spring 2024": "spring 2024", "$Mdocdate$": "",
	} {
		if got := Date(s); got != want {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
	}
}
