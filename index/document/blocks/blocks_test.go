package blocks

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

const page = `Intro one. Intro two
goes on.

## Install

1. Fetch it:

   ` + "```sh\n   get it\n\n   # no heading\n   ```" + `
2. Run it. Then look.
   - twice

Some text
- an item
another line of it

| a | b |
|---|---|
| 1 | 2 |
` + "```" + `
code

more
` + "```" + `
After.
` + "\f\n" + `### Deep
       -a, --all
              do not ignore entries.
              Nor others.

       -b     short`

var kinds = map[Kind]string{Paragraph: "p", Heading: "h", Item: "i", Code: "c", Table: "t", Break: "b"}

func TestParse(t *testing.T) {
	t.Parallel()
	want := []string{
		"p0 Intro one. Intro two goes on.", "h2 ## Install", "i0 1. Fetch it: ```sh get it # no heading ```", "i0 2. Run it. Then look. - twice",
		"p0 Some text", "i0 - an item another line of it", "t0 | a | b | |---|---| | 1 | 2 |", "c0 ``` code more ```", "p0 After.", "b0", "h3 ### Deep",
		"i7 -a, --all do not ignore entries. Nor others.", "p7 -b short",
	}
	var got []string
	for _, b := range Parse(page) {
		got = append(got, strings.TrimSpace(fmt.Sprintf("%s%d %s", kinds[b.Kind], b.Level, strings.Join(strings.Fields(page[b.Start:b.End]), " "))))
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestUnits(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"One is. Two\nis. Three":                  "One is.|Two\nis.|Three",
		"今日は晴れ。「明日は雨。」です。":                        "今日は晴れ。|「明日は雨。」|です。",
		"- one. two.\n- three":                    "- one. two.|- three",
		"| a |\n| b |":                            "| a |\n| b |",
		"```\na. b. c.\n```":                      "```\na. b. c.\n```",
		"# A\nBe it. So.":                         "# A|Be it.|So.",
		"- " + strings.Repeat("Long one. ", 50):   "- Long one." + strings.Repeat("|Long one.", 49),
		"- x\n  - " + strings.Repeat("y. Z ", 90): "",
	} {
		var got []string
		for _, u := range Units(text, Parse(text)) {
			got = append(got, text[u.Start:u.End])
		}
		if want = strings.ReplaceAll(want, "| a |\n| b |", "| a |\x00| b |"); want == "" {
			if len(got) < 10 || got[0] != "- x" {
				t.Errorf("%q", got)
			}
			continue
		}
		if s := strings.Join(got, "\x00"); strings.ReplaceAll(s, "\x00", "|") != strings.ReplaceAll(want, "\x00", "|") {
			t.Errorf("%q: %q", text, got)
		}
	}
}

func TestPath(t *testing.T) {
	t.Parallel()
	p := PathOf("A › B")
	if p.Enter("C", 2); p.String() != "A › C" {
		t.Error(p.String())
	}
	q := p
	if q.Enter("D › E", 3); q.String() != "A › C › D > E" || p.String() != "A › C" {
		t.Error(q.String(), p.String())
	}
	if p.Enter("F", 1); p.String() != "F" || q.String() != "A › C › D > E" {
		t.Error(p.String(), q.String())
	}
	var none Path
	if none.String() != "" {
		t.Error(none.String())
	}
}

// FuzzParse holds that blocks and units follow one another, and that only
// white space is between them.
func FuzzParse(f *testing.F) {
	f.Add(page)
	f.Add("\t- a\n\r\n~~~\nx")
	f.Add("|\n#\n# \n- \n1.\n\f\fx\n \f \n")
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		all := Parse(text)
		for _, b := range all {
			if b.Start < at || b.End <= b.Start || strings.TrimSpace(strings.ReplaceAll(text[at:b.Start], "\f", "")) != "" {
				t.Fatalf("block %+v after %d", b, at)
			}
			at = b.End
		}
		if strings.TrimSpace(text[at:]) != "" {
			t.Fatalf("%q is left", text[at:])
		}
		at = 0
		for _, u := range Units(text, all) {
			between := strings.Trim(text[at:u.Start], " \t\r\n\f\v")
			if u.Start < at || u.End <= u.Start || between != "" || utf8.ValidString(text) && !utf8.ValidString(text[u.Start:u.End]) {
				t.Fatalf("unit %+v after %d: %q", u, at, between)
			}
			at = u.End
		}
	})
}
