package model

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"hopstream/stages/preview"
)

// screen is a sink that keeps what it shows, and what it showed before each
// restart. It is no more concurrent than the tests.
type screen struct {
	text   string
	before []string
}

func (s *screen) Restart() {
	if s.text != "" {
		s.before = append(s.before, s.text)
	}
	s.text = ""
}

func (s *screen) Write(text string) { s.text += text }

// showing returns what a screen shows of a reply that comes in these pieces.
func showing(pieces ...string) *screen {
	s := &screen{}
	w := &written{key: "answer", to: s}
	for _, p := range pieces {
		w.add(p)
	}
	return s
}

// bytesOf is a reply that comes byte by byte.
func bytesOf(reply string) (out []string) {
	for i := range len(reply) {
		out = append(out, reply[i:i+1])
	}
	return out
}

func TestTextWhileItIsWritten(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ reply, want string }{
		"alone":                 {`{"answer":"Orla Venn"}`, "Orla Venn"},
		"after quotes":          {`{"quotes":[{"passage":1,"quote":"said \"no\" {"}],"answer":"Orla Venn","passages":[1]}`, "Orla Venn"},
		"escapes":               {`{"answer":"a\"b\\c\n\u00e9\ud83d\ude00\/é"}`, "a\"b\\c\né😀/é"},
		"half a pair":           {`{"answer":"a\ud83db\ud83d\ud83dc"}`, "a\ufffdb\ufffdc"},
		"in a fence":            {"Sure:\n```json\n{\"answer\": \"Orla Venn\"}\n```", "Orla Venn"},
		"after thinking":        {`<think>{"answer":"wrong"} or not?</think>{"answer":"Orla Venn"}`, "Orla Venn"},
		"its thinking unmarked": {`{"answer":"wrong"}? No.</think>{"answer":"Orla Venn"}`, "Orla Venn"},
		"still thinking":        {`<think>{"answer":"Orla Venn"`, ""},
		"of the outer object":   {`{"items":[{"answer":"wrong"}],"answer":"Orla Venn"}`, "Orla Venn"},
		"of the inner alone":    {`{"reply":{"answer":"Orla Venn"}}`, "Orla Venn"},
		"another object before": {`{"thought":"who?"} {"answer":"Orla Venn"}`, "Orla Venn"},
		"single quotes":         {`{'answer': 'Orla Venn'}`, "Orla Venn"},
		"cut off":               {`{"answer":"Orla Ve`, "Orla Ve"},
		"a list of items":       {`{"quotes":[],"answer":"","passages":[],"items":[{"passages":[1],"answer":"Tarnby"}]}`, ""},
		"no text":               {`{"answer":["Orla Venn"]}`, ""},
		"no JSON":               {"Orla Venn designed it.", ""},
		"nothing":               {"", ""},
		"of great length":       {`{"answer":"` + strings.Repeat("Orla Venn. ", 500) + `"}`, strings.Repeat("Orla Venn. ", 500)},
	} {
		for _, pieces := range [][]string{{c.reply}, bytesOf(c.reply)} {
			if s := showing(pieces...); s.text != c.want {
				t.Errorf("%s, in %d pieces: %q, want %q", name, len(pieces), s.text, c.want)
			}
		}
	}
}

// TestTextGrows holds that the text comes as early as it can, and is never taken
// back unless it was a thought.
func TestTextGrows(t *testing.T) {
	t.Parallel()
	const head, said = `{"quotes":[{"passage":1,"quote":"x"}],"answer":"`, "Orla Venn, an engineer"
	s := &screen{}
	w := &written{key: "answer", to: s}
	w.add(head)
	for i := range len(said) {
		w.add(said[i : i+1])
		if s.text != said[:i+1] {
			t.Fatalf("after %q: %q", said[:i+1], s.text)
		}
	}
	if s := showing(bytesOf(head + said + `","passages":[1]}`)...); len(s.before) > 0 {
		t.Errorf("taken back: %q", s.before)
	}
	if s := showing(bytesOf(`{"answer":"wrong"}</think>{"answer":"right"}`)...); s.text != "right" || !slices.Equal(s.before, []string{"wrong"}) {
		t.Errorf("%+v", s)
	}
}

// TestRepairBeginsAnew asks for a reply whose first form cannot be used.
func TestRepairBeginsAnew(t *testing.T) {
	t.Parallel()
	replies := &Scripted{Replies: []string{`{"answer":"far too long a`, `{"answer":"short"}`}}
	m := New(replies, Options{Name: "m"})
	t.Cleanup(m.Close)
	s := &screen{}
	q := Question[string]{Role: "direct", MaxTokens: 100, Key: "answer",
		Messages: func(int) []Message { return []Message{{"user", "Who?"}} },
		Read:     func(o Object, _ int) (string, error) { return o.Text("answer", 100) }}
	a, err := Ask(preview.Final(preview.With(t.Context(), s)), m, q)
	if err != nil || a.Value != "short" || s.text != a.Value || !slices.Equal(s.before, []string{"far too long a"}) {
		t.Errorf("%+v, %v; shown %+v", a, err, s)
	}
	if _, err := Ask(preview.With(t.Context(), s), m, q); err != nil || replies.Asked()[2].Text != nil {
		t.Error("a reply that nobody is shown is streamed:", err)
	}
}

// FuzzWritten: the text shown of a reply is the one that is read of it in the end,
// however the reply is dealt out; and of a JSON object nothing is taken back.
func FuzzWritten(f *testing.F) {
	for _, s := range []string{
		`{"quotes":[{"passage":1,"quote":"a"}],"answer":"b\u00e9\ud83d\ude00\n","passages":[1]}`, `{"answer":"a<think>b"}`,
		`{"answer":"x"}</think>{"answer":"y"}`, `{"items":[{"answer":"x"}],"answer":"y"}`, "{\"answer\":\"\xe2\x82", `{"a":[1,2},"answer":"x"`,
	} {
		f.Add(s, uint64(5))
	}
	f.Fuzz(func(t *testing.T, reply string, cuts uint64) {
		if len(reply) > 1000 {
			return // every piece has the whole read again
		}
		var pieces []string
		for rest := reply; rest != ""; {
			n := min(len(rest), 1+int(cuts%7))
			cuts = cuts>>3 | cuts<<61
			pieces = append(pieces, rest[:n])
			rest = rest[n:]
		}
		s := showing(pieces...)
		if want, ok := soFar(reply, "answer"); ok && s.text != want {
			t.Errorf("%q in %q: shown %q, as a whole %q", reply, pieces, s.text, want)
		}
		if !json.Valid([]byte(reply)) || !strings.HasPrefix(strings.TrimSpace(reply), "{") {
			return
		}
		o, _ := ReadObject(reply, "answer")
		if want, ok := o.fields["answer"].(string); ok && s.text != strings.ToValidUTF8(want, "") {
			t.Errorf("%q in %q: shown %q, read %q", reply, pieces, s.text, want)
		}
		if len(s.before) > 0 && !strings.Contains(reply, "think") {
			t.Errorf("%q in %q: %q was taken back", reply, pieces, s.before)
		}
	})
}
