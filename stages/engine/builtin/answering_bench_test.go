package builtin

import (
	"context"
	"strings"
	"testing"

	"hopstream/messages"
)

const benchText = "The Danube (12 March 1923 – 5 April 1980) is the second-longest river in Europe, after the Volga in Russia. " +
	"It flows through much of Central and Southeastern Europe, from the Black Forest into the Black Sea. " +
	"Its drainage basin was described by Joseph Fourier in 1822 and covers about 817,000 square kilometres. " +
	"Vienna, Budapest and Belgrade, the capitals of three countries, lie on its banks, and the University of Vienna " +
	"was founded in 1365 by Duke Rudolf IV. The river was one of the long-standing frontiers of the Roman Empire, " +
	"and today connects ten European countries; it runs 2,850 km and passes through more capitals than any other."

const benchQuestion = "Which river flows through Vienna into the Black Sea and was the frontier of the Roman Empire?"

func benchWindows() []messages.Window {
	var out []messages.Window
	for i := range 10 {
		from := i * 37 % (len(benchText) - 260)
		out = append(out, messages.Window{Passage: string(rune('a' + i)), Title: "Danube", Text: strings.ToValidUTF8(benchText[from:from+250], ""), Scale: 250, Score: 0.5})
	}
	return out
}

func benchPassages() []messages.Passage {
	var out []messages.Passage
	for i := range 10 {
		out = append(out, messages.Passage{ID: string(rune('a' + i)), Title: "Danube", Text: benchText[:600], Rank: i + 1})
	}
	return out
}

func BenchmarkAnswer(b *testing.B) {
	e, w := New(Options{}), benchWindows()
	for _, q := range []string{benchQuestion, "When was the University of Vienna founded?", "Who founded the University of Vienna?", "How long is the Danube?"} {
		b.Run(strings.Fields(q)[0], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				e.Answer(context.Background(), q, w)
			}
		})
	}
}

func BenchmarkRelevant(b *testing.B) {
	e, p := New(Options{}), benchPassages()
	b.ReportAllocs()
	for b.Loop() {
		e.Relevant(context.Background(), benchQuestion, p)
	}
}

func BenchmarkEmbed(b *testing.B) {
	e := New(Options{})
	texts := []string{benchText[:250], benchText[100:350], benchText[200:450], benchText[300:550]}
	b.ReportAllocs()
	for b.Loop() {
		e.Embed(context.Background(), texts)
	}
}

func BenchmarkFuse(b *testing.B) {
	e := New(Options{})
	f := []messages.Finding{{Text: "the Danube", Confidence: 0.5}, {Text: "Danube", Confidence: 0.4}, {Text: "Black Sea", Confidence: 0.6}}
	b.ReportAllocs()
	for b.Loop() {
		e.Fuse(context.Background(), benchQuestion, f, nil)
	}
}

func BenchmarkSynthesize(b *testing.B) {
	e := New(Options{})
	p := []messages.Pair{
		{Question: "Who directed Alpha?", Answer: "Ada Lovelace"}, {Question: "When was Ada Lovelace born?", Answer: "10 December 1815"},
		{Question: "Who directed Beta?", Answer: "Alan Turing"}, {Question: "When was Alan Turing born?", Answer: "1912"},
	}
	b.ReportAllocs()
	for b.Loop() {
		e.Synthesize(context.Background(), "Which film has the director who was born earlier, Alpha or Beta?", messages.Complex, p)
	}
}
