package evidence_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"hopstream/index/document"
	"hopstream/messages"
	"hopstream/stages/evidence"
)

const handbook = `The ferry runs daily.

# Safety

Boats are checked twice a year. The harbour master signs.

## Dates

1. Checks are in April and in October.
2. The list closes on 3 May.

` + "```\nferry check --all\n```" + `

# Crew

Greta Olsen is the captain. She joined in 1998.
`

// passages cuts the handbook at its sections, or leaves it whole.
func passages(size int) []messages.Passage {
	return document.Chunk(messages.Document{ID: "handbook.md", Title: "Ferry", Text: handbook}, document.ChunkOptions{Size: size, Overlap: -1})
}

func TestQuoteTellsWhereItStands(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1600, 120} {
		ps := passages(size)
		if size == 120 && len(ps) < 3 {
			t.Fatalf("%d passages", len(ps))
		}
		for quote, want := range map[string]struct {
			heading string
			lines   [2]int
		}{
			"The ferry runs daily.":                     {"", [2]int{1, 1}},
			"The harbour master signs.":                 {"Safety", [2]int{5, 5}},
			"2. The list closes on 3 May.":              {"Safety › Dates", [2]int{10, 10}},
			"```\nferry check --all\n```":               {"Safety › Dates", [2]int{12, 14}},
			"Greta Olsen is the captain.":               {"Crew", [2]int{18, 18}},
			"## Dates\n\n1. Checks are in April and in": {"Safety › Dates", [2]int{7, 9}},
		} {
			i := slices.IndexFunc(ps, func(p messages.Passage) bool { return strings.Contains(p.Text, quote) })
			if i < 0 {
				t.Errorf("%q is torn", quote)
				continue
			}
			from := strings.Index(ps[i].Text, quote)
			e := evidence.Quote(&ps[i], from, from+len(quote))
			if e.Heading != want.heading || e.Lines != want.lines || e.Quote != quote || e.ID != ps[i].ID || e.Title != "Ferry" {
				t.Errorf("%q at %d: %+v", quote, size, e)
			}
		}
	}
}

func TestPagesAndCharacters(t *testing.T) {
	t.Parallel()
	p := messages.Passage{ID: "a.pdf", Text: "Ümlaut first.\nSecond öne.", Place: messages.Place{Pages: messages.Pages{{0, 3}, {1, 4}}}}
	from := strings.Index(p.Text, "Second")
	e := evidence.Quote(&p, from, len(p.Text))
	if e.Page != 4 || e.Lines != [2]int{} || e.Start != 14 || e.End != 25 || string([]rune(p.Text)[e.Start:e.End]) != e.Quote {
		t.Errorf("%+v", e)
	}
}

func TestAlignKeepsUnitsWhole(t *testing.T) {
	t.Parallel()
	ps := passages(1600)
	spans := evidence.Align("When does the list of checks close?", ps, []int{40, 150}, 2)
	if len(spans) != 3 || spans[0].Scale != 40 || spans[2].Scale != 150 {
		t.Fatalf("%+v", spans)
	}
	if got := ps[0].Text[spans[0].From:spans[0].To]; got != "2. The list closes on 3 May." {
		t.Errorf("%q", got)
	}
	if got := ps[0].Text[spans[2].From:spans[2].To]; !strings.Contains(got, "2. The list closes on 3 May.") || spans[0].Score < spans[1].Score {
		t.Errorf("%q", got)
	}
	if spans := evidence.Align("?!", ps, []int{40}, 1); len(spans) != 0 {
		t.Errorf("no words: %+v", spans)
	}
	if spans := evidence.Align("anything", nil, []int{40}, 1); len(spans) != 0 {
		t.Errorf("no passages: %+v", spans)
	}
}

// TestSupport says for answers of every kind what supports them.
func TestSupport(t *testing.T) {
	t.Parallel()
	ps := append(passages(1600), messages.Passage{ID: "other", Text: "Greta Olsen sings. In May it rains."})
	for name, c := range map[string]struct {
		question string
		finding  messages.Finding
		want     string // the first quote; empty: nothing supports it
	}{
		"a span":                  {"Who is the captain?", messages.Finding{Text: "Greta Olsen"}, "Greta Olsen is the captain."},
		"of a named passage":      {"Who sings?", messages.Finding{Text: "Greta Olsen", Sources: []messages.Source{{ID: "other"}}}, "Greta Olsen sings."},
		"named in vain":           {"When did she join?", messages.Finding{Text: "1998", Sources: []messages.Source{{ID: "other"}, {ID: "nowhere"}}}, "She joined in 1998."},
		"case and space":          {"Who is the captain?", messages.Finding{Text: "greta  OLSEN"}, "Greta Olsen is the captain."},
		"not in part":             {"Who?", messages.Finding{Text: "Gret"}, ""},
		"nowhere":                 {"Who is the cook?", messages.Finding{Text: "Hans Meier"}, ""},
		"yes":                     {"Are boats checked twice a year?", messages.Finding{Text: "Yes."}, "Boats are checked twice a year."},
		"no, to what is not said": {"Quo vadis?", messages.Finding{Text: "no"}, ""},
		"in other words":          {"When are checks?", messages.Finding{Text: "The checks of the boats are in October and April."}, "1. Checks are in April and in October."},
		"an invention":            {"When are checks?", messages.Finding{Text: "The checks were moved to winter because engines freeze solid."}, ""},
		"a quote":                 {"When?", messages.Finding{Text: "in spring", Evidence: []messages.Evidence{{ID: "handbook.md", Quote: "checks  are\nin april"}}}, "1. Checks are in April and in October."},
		"a quote elsewhere":       {"When?", messages.Finding{Text: "in spring", Evidence: []messages.Evidence{{ID: "other", Quote: "Checks are in April"}}}, "1. Checks are in April and in October."},
		"a quote of nothing":      {"Who is the cook?", messages.Finding{Text: "Hans", Evidence: []messages.Evidence{{ID: "other", Quote: "Hans is the cook"}, {Quote: " "}, {Quote: "…"}}}, ""},
		"a quote half true":       {"Who?", messages.Finding{Text: "Hans", Evidence: []messages.Evidence{{Quote: "Greta Olsen is the captain of Norway"}}}, ""},
		"the question quoted":     {"Does the moon shine?", messages.Finding{Text: "brightly", Evidence: []messages.Evidence{{Quote: "Does the moon shine?"}}}, ""},
		"a quote with dots":       {"Who?", messages.Finding{Text: "she", Evidence: []messages.Evidence{{Quote: "“... is the captain...”"}}}, "Greta Olsen is the captain."},
		"no answer":               {"Who?", messages.Finding{}, ""},
	} {
		spans := evidence.Align(c.question, ps, evidence.Scales(), 4)
		if spans = slices.DeleteFunc(spans, func(s messages.Span) bool { return s.Score == 0 }); name == "a quote" {
			spans = nil
		}
		all := evidence.Support(c.question, &c.finding, ps, spans)
		got := ""
		if len(all) > 0 {
			got = all[0].Quote
		}
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		words := 0
		for i, e := range all {
			words += len(strings.Fields(e.Quote))
			checkVerbatim(t, ps, e)
			for _, o := range all[:i] {
				if o.ID == e.ID && o.Start < e.End && e.Start < o.End {
					t.Errorf("%s: %q and %q overlap", name, o.Quote, e.Quote)
				}
			}
		}
		if len(all) > evidence.MaxQuotes || len(all) > 1 && words > evidence.MaxWords {
			t.Errorf("%s: %d quotes of %d words", name, len(all), words)
		}
	}
}

// checkVerbatim wants a quote to stand in its passage where it says.
func checkVerbatim(t *testing.T, ps []messages.Passage, e messages.Evidence) {
	t.Helper()
	i := slices.IndexFunc(ps, func(p messages.Passage) bool { return p.ID == e.ID })
	if i < 0 {
		t.Errorf("there is no passage %q", e.ID)
		return
	}
	text := []rune(ps[i].Text)
	if e.Start < 0 || e.Start >= e.End || e.End > len(text) || string(text[e.Start:e.End]) != e.Quote {
		t.Errorf("%s [%d,%d) is not %q", e.ID, e.Start, e.End, e.Quote)
		return
	}
	first := 1 + strings.Count(string(text[:e.Start]), "\n")
	if at := ps[i].Lines.At(0); at > 0 && len(ps[i].Lines) == 1 && e.Lines != [2]int{at + first - 1, at + first - 1 + strings.Count(e.Quote, "\n")} {
		t.Errorf("%s: lines %v of %q", e.ID, e.Lines, e.Quote)
	}
}

func FuzzLocate(f *testing.F) {
	f.Add("Greta Olsen is\n the captain.", "olsen IS the")
	f.Add("今日は晴れ。明日は雨です。", "明日は")
	f.Add("a\xff b İi", "İ")
	f.Add("...", "\"...\"")
	f.Fuzz(func(t *testing.T, text, quote string) {
		from, to, ok := evidence.Locate(text, quote)
		if !ok {
			return
		}
		if from < 0 || from >= to || to > len(text) {
			t.Fatalf("[%d,%d) of %d", from, to, len(text))
		}
		if utf8.ValidString(text) && !utf8.ValidString(text[from:to]) {
			t.Fatalf("%q is cut within a character", text[from:to])
		}
		if a, b, ok := evidence.Locate(text[from:to], text[from:to]); ok && (a != 0 && strings.TrimSpace(text[from:to]) == text[from:to] && !strings.ContainsAny(text[from:to], "\"“”„«»'‘’`…") || b > to-from) {
			t.Fatalf("%q is at [%d,%d) of itself", text[from:to], a, b)
		}
	})
}
