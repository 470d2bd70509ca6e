package links

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"hopstream/index/lang"
	"hopstream/messages"
)

func TestKeys(t *testing.T) {
	for _, test := range []struct{ title, text, want string }{
		{"Marie Curie", "Marie Skłodowska Curie was a physicist.", "marie curie|marie sklodowska curie"},
		{"Mercury (planet)", "", "mercury"},
		{"The Big Sleep (1946 film)", "", "the big sleep|big sleep"},
		{"Paris, Texas", "", "paris texas|paris"},
		{"", "Élan Vital is an idea.", "elan vital"},
		{"", "it was so", ""},
		{"The", "", ""},
		{"The Who", "", "the who"},
		{strings.Repeat("long ", 13), "", ""},
		{strings.Repeat("x", 300), "", ""},
	} {
		if got := strings.Join(Keys(messages.Passage{Title: test.title, Text: test.text}), "|"); got != test.want {
			t.Errorf("%q, %q: keys %q, want %q", test.title, test.text, got, test.want)
		}
	}
}

func TestNamedIn(t *testing.T) {
	got := namedIn(lang.Tokens("She met Lech Wałęsa of Poland in 1990. He was a politician."))
	for _, want := range []string{"lech walesa", "lech walesa of poland", "poland", "1990", "politician"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	for _, k := range got {
		if strings.Contains(k, "1990 he") || k == "of" {
			t.Errorf("there is %q", k)
		}
	}
	var long strings.Builder
	for i := range 5000 {
		long.WriteString("Name" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + " word" + string(rune('a'+i%23)) + " ")
	}
	if n := len(namedIn(lang.Tokens(long.String()))); n != maxNamed+maxPlain {
		t.Errorf("%d keys", n)
	}
	if n := len(askedIn(lang.Tokens(long.String()))); n != maxSpans {
		t.Errorf("%d keys", n)
	}
}

func FuzzKeys(f *testing.F) {
	f.Add("The Big Sleep (film)", "The Big Sleep is a film.")
	f.Add("\xff", "A\x00b 🚂 İstanbul, “Quoted Name” is 3%")
	f.Fuzz(func(t *testing.T, title, text string) {
		keys := Keys(messages.Passage{Title: title, Text: text})
		if len(keys) > 4 {
			t.Errorf("%d keys", len(keys))
		}
		title = strings.ToValidUTF8(title, " ")
		text = strings.ToValidUTF8(text, " ")
		keys = append(Keys(messages.Passage{Title: title, Text: text}), namedIn(lang.Tokens(text))...)
		for _, k := range append(keys, askedIn(lang.Tokens(title))...) {
			if k == "" || len(k) > maxKeyBytes || strings.TrimSpace(k) != k || !utf8.ValidString(k) {
				t.Errorf("key %q", k)
			}
		}
	})
}
