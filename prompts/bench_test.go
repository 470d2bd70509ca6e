package prompts_test

import (
	"strings"
	"testing"

	"hopstream/prompts"
)

func BenchmarkRenderTenPassages(b *testing.B) {
	d := prompts.Data{Question: sample.Question}
	for range 10 {
		d.Passages = append(d.Passages, prompts.Passage{
			Title: "Lumen Bridge",
			Text:  strings.Repeat("The Lumen Bridge, opened in 1931, crosses the Aune [1] & is 310 m long. ", 14), // about 1 kB
		})
	}
	b.ReportAllocs()
	for b.Loop() {
		prompts.Render("answerer", d)
	}
}

func BenchmarkRenderQuestion(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		prompts.Render("router", prompts.Data{Question: sample.Question})
	}
}
