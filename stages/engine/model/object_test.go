package model

import (
	"slices"
	"strings"
	"testing"
)

func TestReadObjectTolerates(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"bare":                  `{"answer":"Orla Venn"}`,
		"fenced":                "```json\n{\"answer\": \"Orla Venn\"}\n```",
		"chatter before":        `Sure! Here is the JSON you asked for: {"answer":"Orla Venn"}`,
		"chatter after":         `{"answer":"Orla Venn"} I hope this helps. {"answer":"no"}`,
		"braces in chatter":     `The set {a, b} is small. {"answer":"Orla Venn"}`,
		"another object before": `{"thought":"who is it"} {"answer":"Orla Venn"}`,
		"thinking":              `<think>{"answer":"wrong"} or not?</think>{"answer":"Orla Venn"}`,
		"single quotes":         `{'answer': 'Orla Venn'}`,
		"bare key":              `{answer: "Orla Venn"}`,
		"trailing comma":        `{"answer":"Orla Venn",}`,
		"missing brace":         `{"answer":"Orla Venn"`,
		"extra fields":          `{"reason":{"deep":[1,{"a":2}]},"answer":"Orla Venn","sure":true}`,
		"spaces folded":         "{\"answer\":\"  Orla\n Venn \"}",
		"escapes":               `{"answer":"Orla V\u0065nn"}`,
		"value alone":           `"Orla Venn"`,
		"list of one":           `{"answer":["Orla Venn"]}`,
		"first of two keys":     `{"answer":"Orla Venn","answer":"x"}`,
	} {
		o, err := ReadObject(text, "answer")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, err := o.Text("answer", 100); err != nil || got != "Orla Venn" {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

func TestReadObjectRefuses(t *testing.T) {
	t.Parallel()
	for text, why := range map[string]string{
		"":                  "empty",
		" \n\t ":            "empty",
		"<think>well, well": "empty",
		"I am afraid I cannot help you with this question at all.": "no JSON object",
		`{"class":"single"}`:     `no "answer"`,
		`{"answer" "Orla Venn"}`: "no JSON object",
		"]]]]{{{{":               "cut off",
		`{"quotes":[{"passage":1,"quote":"It goes on`: `cut off before "answer"`,
	} {
		_, err := ReadObject(text, "answer")
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%q: %v, want %q", text, err, why)
		}
	}
	o, err := ReadObject(`{"answer":"the reply ended in the mid`, "answer")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := o.Text("answer", 100); err == nil {
		t.Errorf("half an answer was taken: %q", got)
	}
	o, _ = ReadObject("maybe", "answer")
	if got, err := o.Text("answer", 100); err == nil {
		t.Errorf("a bare word was taken for a text: %q", got)
	}
}

func TestVerdicts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`{"relevant":true}`: true, `{"relevant":"Yes."}`: true, `{"relevant":1}`: true, `true`: true, "Yes": true, `{"relevant": True}`: true,
		`{"relevant":false}`: false, `{"relevant":"no"}`: false, `{"relevant":0}`: false, "False.": false, `{'relevant': False}`: false,
	} {
		o, err := ReadObject(text, "relevant")
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got, err := o.Bool("relevant"); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{`{"relevant":"perhaps"}`, `{"relevant":7}`, `{"relevant":[true]}`, `{"relevant":null}`} {
		o, err := ReadObject(text, "relevant")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := o.Bool("relevant"); err == nil {
			t.Errorf("%q is a verdict: %v", text, got)
		}
	}
	for text, ok := range map[string]bool{`{"class":"Single"}`: true, "single.": true, `"single"`: true, `{"class":"sing"}`: false, `{"class":["single"]}`: false} {
		o, err := ReadObject(text, "class")
		if err != nil {
			t.Fatal(err)
		}
		if got, err := o.Choice("class", "single", "complex"); (err == nil) != ok || ok && got != "single" {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
}

func TestLists(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		`{"questions":["a","b"]}`: {"a", "b"},
		`{"questions":["a","b`:    {"a"}, // half an element is none
		`{"questions":["a","b"`:   {"a", "b"},
		`{"questions":["a",`:      {"a"},
		`["a","b"]`:               {"a", "b"},
		`{"questions":"a"}`:       {"a"},
		`{"questions":[{"question":"a"},{"question":"b"}]}`:      {"a", "b"},
		`{"questions":["", " a ", 7, null]}`:                     {"a"},
		`{"questions":["a","b","c","d","e"]}`:                    {"a", "b", "c", "d"},
		`{"questions":["` + strings.Repeat("x", 200) + `","a"]}`: {"a"},
		`{"questions":[]}`:                                       nil,
	} {
		o, err := ReadObject(text, "questions")
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got, err := o.Texts("questions", 4, 100); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for text, want := range map[string][]int{
		`{"relevant":[2,1]}`: {2, 1}, `{"relevant":[1,1,9,0,-3,1.5]}`: {1}, `{"relevant":["3"," 2 "]}`: {3, 2},
		`{"relevant":2}`: {2}, `[1,2`: {1, 2}, `{"relevant":[]}`: nil, `{"relevant":null}`: nil, `{"relevant":"1, 3"}`: {1, 3},
		`{"relevant":[1, 2}`: {1, 2},
	} {
		o, err := ReadObject(text, "relevant")
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got, err := o.Numbers("relevant", 3); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
}

// FuzzReadObject holds that no reply whatever breaks the reader, and that what
// it returns keeps its bounds.
func FuzzReadObject(f *testing.F) {
	for _, s := range []string{`{"a":"x"}`, "```json\n{'a':[1,2", `{"a":"\ud83d\ude00\u12"}`, `<think>{</think>{a:True,}`, `{"a":{"a":{"a":[[[[`, `[1,{"a":"b`, `{"a":"\`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		o, err := ReadObject(text, "a")
		if err != nil {
			return
		}
		if s, err := o.Text("a", 50); err == nil && (len(s) > 50 || strings.ContainsAny(s, "\n\t") || strings.ToValidUTF8(s, "") != s) {
			t.Errorf("text %q", s)
		}
		if l, err := o.Texts("a", 3, 50); err == nil {
			if len(l) > 3 || slices.ContainsFunc(l, func(s string) bool { return s == "" || len(s) > 50 }) {
				t.Errorf("texts %q", l)
			}
		}
		if n, err := o.Numbers("a", 5); err == nil && slices.ContainsFunc(n, func(n int) bool { return n < 1 || n > 5 }) {
			t.Errorf("numbers %v", n)
		}
		for _, inner := range o.Objects("a", 3) {
			_, _ = inner.Text("a", 50)
		}
		_, _ = o.Bool("a")
		_, _ = o.Choice("a", "x")
	})
}

func BenchmarkReadObject(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		o, err := ReadObject(`{"passages":[1,3],"answer":"the Lumen Bridge"}`, "answer")
		if err != nil {
			b.Fatal(err)
		}
		if _, err := o.Text("answer", 100); err != nil {
			b.Fatal(err)
		}
	}
}

func TestLinesStay(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`"  Orla   Venn "`: "Orla Venn", `"a\r\nb"`: "a\nb", `"1. a \n   - b\t\n\n2. c\n"`: "1. a\n   - b\n\n2. c",
		`["a","b"]`: "a; b", `null`: "", `true`: "yes", `7`: "7", `"\n \n"`: "",
	} {
		o, err := ReadObject(`{"answer":`+in+`}`, "answer")
		if err != nil {
			t.Fatal(in, err)
		}
		if got, err := o.Lines("answer", 100); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", in, got, err, want)
		}
	}
	o, _ := ReadObject(`{"answer":"a\nb`, "answer")
	if got, err := o.Lines("answer", 100); err == nil {
		t.Errorf("%q of a text that is cut off", got)
	}
}
