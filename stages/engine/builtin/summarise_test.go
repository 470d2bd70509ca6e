package builtin

import (
	"context"
	"strings"
	"testing"

	"hopstream/messages"
	"hopstream/stages/engine/builtin/linear"
	"hopstream/stages/engine/builtin/weights"
)

func TestSummarise(t *testing.T) {
	t.Parallel()
	e := New(Options{})
	f, err := e.Summarise(t.Context(), "Who wrote the novel Dune?", library)
	if err != nil || f.Text != "Frank Herbert" || len(f.Sources) == 0 {
		t.Errorf("%+v %v", f, err)
	}
	if f, err := e.Summarise(t.Context(), "Who wrote the novel Dune?", nil); err != nil || f.Text != "" {
		t.Errorf("from nothing: %+v %v", f, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Summarise(ctx, "Who wrote the novel Dune?", library); err == nil {
		t.Error("cancelled context: no error")
	}
}

// Summaries of other engines are sentences: the next query and the synthesis
// take the answer out of them.
func TestSentencesAreReadForTheirAnswer(t *testing.T) {
	t.Parallel()
	const question = "When was the author of the novel Dune born?"
	first := messages.Pair{Question: "Who is the author of the novel Dune?", Answer: "The novel Dune was written by the American author Frank Herbert."}
	e := New(Options{})
	next, err := e.Supplement(t.Context(), question, []messages.Pair{first})
	if err != nil || len(next) != 1 || next[0] != "When was Frank Herbert born?" {
		t.Fatalf("%q %v", next, err)
	}
	second := messages.Pair{Question: next[0], Answer: "Frank Herbert was born on October 8, 1920 in Tacoma."}
	f, err := e.Synthesize(t.Context(), question, messages.Complex, []messages.Pair{first, second})
	if err != nil || f.Text != "October 8, 1920" {
		t.Errorf("%+v %v", f, err)
	}
	for _, answer := range []string{"Frank Herbert", "Robert Downey Jr.", "Washington, D.C.", "the man who wrote it and then left the country",
		"It was long. It was also dull and nobody read it.", "United Nations Educational, Scientific and Cultural Organization.", ""} {
		if got := newEngine(Options{}).gists([]messages.Pair{{Question: "Who wrote it?", Answer: answer}}); got[0].Answer != answer {
			t.Errorf("%q became %q", answer, got[0].Answer)
		}
	}
}

// TestShortOwnWeights holds that what is put into the next question is taken out of
// an answer with the weights that the engine was given.
func TestShortOwnWeights(t *testing.T) {
	t.Parallel()
	pair := []messages.Pair{{Question: "Who is the author of the novel Dune?", Answer: "The novel Dune was written by the American author Frank Herbert."}}
	if got := newEngine(Options{}).short(pair)[0].Answer; got != "Frank Herbert" {
		t.Fatalf("%q with the shipped weights", got)
	}
	own := *weights.Shipped()
	own.Spans, own.Choice = linear.New(), linear.New()
	if got := newEngine(Options{Weights: &own}).short(pair)[0].Answer; got == "Frank Herbert" {
		t.Error("weights that know nothing find the author: the shipped ones were asked")
	}
}

// TestAnswerForeign holds that a question in another language is answered with the
// sentences that are nearest to it, and not with a word of them.
func TestAnswerForeign(t *testing.T) {
	t.Parallel()
	windows := []messages.Window{
		{Passage: "urlaub.md", Title: "Urlaubsregelung", Text: "Jeder Mitarbeiter hat Anspruch auf 28 Urlaubstage im Jahr. Resturlaub verfällt am 31. März des folgenden Jahres."},
		{Passage: "urlaub.md#1", Title: "Urlaubsregelung", Text: "Anträge genehmigt die Abteilungsleiterin Frau Dr. Karin Obermüller. Die Kantine öffnet um 11:30 Uhr und schließt um 14 Uhr."},
	}
	e := newEngine(Options{})
	for question, want := range map[string]string{
		"Wie viele Urlaubstage hat jeder Mitarbeiter?": "Jeder Mitarbeiter hat Anspruch auf 28 Urlaubstage im Jahr.",
		"Wann verfällt der Resturlaub?":                "Resturlaub verfällt am 31. März des folgenden Jahres.",
		"Wer genehmigt die Anträge?":                   "Anträge genehmigt die Abteilungsleiterin Frau Dr. Karin Obermüller.",
		"Wann schließt die Kantine?":                   "Die Kantine öffnet um 11:30 Uhr und schließt um 14 Uhr.",
	} {
		f, err := e.Answer(t.Context(), question, windows)
		if err != nil || !strings.Contains(f.Text, want) || len(f.Evidence) == 0 || !strings.Contains(f.Evidence[0].Quote, want) {
			t.Errorf("%q: %+v, %v", question, f, err)
		}
	}
}

// TestAnswerCharacters has questions in scripts that put no space between words, of
// which the texts answer all but those with an empty answer.
func TestAnswerCharacters(t *testing.T) {
	t.Parallel()
	windows := []messages.Window{
		{Passage: "a", Title: "员工手册", Text: "每位员工每年有二十五天带薪年假。未使用的年假可以保留到次年三月三十一日。办公室的开放时间是上午八点到下午六点。"},
		{Passage: "b", Title: "服务器", Text: "服务器的默认端口是8080。要重启服务器，请运行 `srvctl restart`。密码的最小长度是十二个字符。"},
		{Passage: "c", Title: "図書館の案内", Text: "図書館は午前九時に開館し、午後八時に閉館します。本は二週間借りることができます。"},
	}
	e := newEngine(Options{})
	for question, want := range map[string]string{
		"每位员工每年有多少天年假？":  "每位员工每年有二十五天带薪年假。",
		"服务器的默认端口是什么？":   "服务器的默认端口是8080。",
		"如何重启服务器？":       "请运行 srvctl restart。",
		"密码最短是多少个字符？":    "密码的最小长度是十二个字符。",
		"図書館は何時に閉まりますか？": "午後八時に閉館します。",
		"公司的总经理是谁？":      "",
		"駐車場はありますか？":     "",
	} {
		f, err := e.Answer(t.Context(), question, windows)
		if err != nil || !strings.Contains(strings.ReplaceAll(f.Text, "`", ""), want) || want == "" && f.Text != "" || len([]rune(f.Text)) > 3*maxForeign {
			t.Errorf("%s %q, %v", question, f.Text, err)
		}
	}
}
