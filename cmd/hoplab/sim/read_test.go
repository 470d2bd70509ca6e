package sim

import (
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"hopstream/prompts"
)

// given is some of everything that a prompt may show.
func given(texts ...string) prompts.Data {
	all := strings.Join(texts, "\n")
	d := prompts.Data{Question: all, Problem: all, Prediction: all}
	for _, x := range append([]string{all}, texts...) {
		d.Passages = append(d.Passages, prompts.Passage{Title: x, Heading: x, Text: x})
		d.Pairs = append(d.Pairs, prompts.Pair{Question: x, Answer: x})
		d.Answers = append(d.Answers, x)
		d.Keywords = append(d.Keywords, x)
		d.Plan = append(d.Plan, x)
	}
	return d
}

// injections are the texts that package prompts is tested with.
func injections(t testing.TB) (out []string) {
	t.Helper()
	b, err := os.ReadFile("../../../prompts/testdata/injections.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		x, err := strconv.Unquote(strings.TrimSuffix(line, "\n"))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, x)
	}
	return out
}

// expected is what is read of a prompt that was given d: what it shows, and
// cleaned of what is no text.
func expected(name string, d prompts.Data) prompts.Data {
	clean := func(s string) string {
		s = strings.ReplaceAll(s, "\r\n", "\n")
		return strings.Map(func(r rune) rune {
			switch {
			case r == '\r':
				return '\n'
			case r == '\f', r == '\v', r == '\u0085':
				return ' '
			case unicode.IsControl(r) && r != '\n' && r != '\t':
				return -1
			}
			return r
		}, s)
	}
	var out prompts.Data
	user := prompts.Render(name, given("x")).User
	shows := func(mark string) bool { return strings.Contains(user, "<"+mark+">") }
	texts := func(mark string, in []string) (out []string) {
		for _, x := range in {
			if shows(mark) {
				out = append(out, clean(x))
			}
		}
		return out
	}
	for i, p := range d.Passages {
		if shows("passages") && (i == 0 || strings.Contains(user, `<passage number="2"`)) {
			out.Passages = append(out.Passages, prompts.Passage{Title: clean(p.Title), Heading: clean(p.Heading), Text: clean(p.Text)})
		}
	}
	for _, p := range d.Pairs {
		if shows("findings") {
			out.Pairs = append(out.Pairs, prompts.Pair{Question: clean(p.Question), Answer: clean(p.Answer)})
		}
	}
	out.Answers, out.Keywords, out.Plan = texts("answers", d.Answers), texts("keywords", d.Keywords), texts("plan", d.Plan)
	if shows("problem") {
		out.Problem = clean(d.Problem)
	}
	if shows("prediction") {
		out.Prediction = clean(d.Prediction)
	}
	out.Question = clean(d.Question)
	return out
}

func TestReadIsTheInverse(t *testing.T) {
	t.Parallel()
	cases := []prompts.Data{
		{}, given("Tarnby", ""), given(injections(t)...),
		given("", "\n", " ", "\x00", "\r", "No answer was found.", "There are no passages."),
		{Question: "\n\nq\n", Passages: []prompts.Passage{{}, {Title: "\n", Text: "\n"}, {Title: "\x00", Text: "x\n"}, {Heading: "a › b"}, {Title: "c", Heading: "\n"}}, Problem: "\n", Prediction: "\n\n"},
	}
	for _, x := range injections(t) {
		cases = append(cases, given(x))
	}
	for _, name := range prompts.Names() {
		for _, d := range cases {
			got, data, ok := Read(prompts.Render(name, d))
			if want := expected(name, d); !ok || got != name || !reflect.DeepEqual(data, want) {
				t.Errorf("%s: %s, %v: %q\nwant %q", name, got, ok, data, want)
			}
		}
	}
}

// TestReadRefuses holds that a prompt which is not ours to the byte, such as
// one that lost a part on its way, is not read.
func TestReadRefuses(t *testing.T) {
	t.Parallel()
	for _, name := range prompts.Names() {
		p := prompts.Render(name, given("a", "b"))
		for i := range p.User {
			if _, _, ok := Read(prompts.Prompt{System: p.System, User: p.User[:i]}); ok {
				t.Errorf("%s: %q is read", name, p.User[:i])
			}
		}
		for _, user := range []string{p.User + "\n", " " + p.User, p.User + p.User,
			strings.Replace(p.User, "a\n", "a<question>\n", 1), strings.Replace(p.User, "a\n", "a\x00\n", 1), strings.Replace(p.User, "a\n", "&lt;|im_start|>&amp;x&lt;\n", 1)} {
			if _, _, ok := Read(prompts.Prompt{System: p.System, User: user}); ok {
				t.Errorf("%s: %q is read", name, user)
			}
		}
		if _, _, ok := Read(prompts.Prompt{System: p.System + " ", User: p.User}); ok {
			t.Errorf("%s: read with another system text", name)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, x := range injections(f) {
		f.Add(x, "harmless")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, name := range prompts.Names() {
			d := given(strings.ToValidUTF8(a, "?"), strings.ToValidUTF8(b, "?"))
			p := prompts.Render(name, d)
			if _, data, ok := Read(p); !ok || !reflect.DeepEqual(data, expected(name, d)) {
				t.Fatalf("%s: %v: %q", name, ok, data)
			}
			if n := strings.Count(p.User, "<question>") + strings.Count(p.User, "</question>"); n != 2 {
				t.Fatalf("%s: %d marks of a question:\n%s", name, n, p.User)
			}
		}
	})
}
