package prompts_test

import (
	"strings"
	"testing"

	"hopstream/prompts"
)

func tenPassages(b *testing.B) prompts.AnswererInput {
	b.Helper()
	in := prompts.AnswererInput{Question: sample.question}
	for range 10 {
		in.Passages = append(in.Passages, prompts.Passage{
			Title: "Lumen Bridge",
			Text:  strings.Repeat("The Lumen Bridge, opened in 1931, crosses the Aune [1] & is 310 m long. ", 14), // about 1 kB
		})
	}
	return in
}

func BenchmarkRenderTenPassages(b *testing.B) {
	in := tenPassages(b)
	b.ReportAllocs()
	for b.Loop() {
		in.Prompt()
	}
}

func BenchmarkRenderQuestion(b *testing.B) {
	in := prompts.RouterInput{Question: sample.question}
	b.ReportAllocs()
	for b.Loop() {
		in.Prompt()
	}
}

func BenchmarkReadTenPassages(b *testing.B) {
	user := tenPassages(b).Prompt().User
	b.ReportAllocs()
	for b.Loop() {
		if _, err := prompts.Read(user); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkIdentify(b *testing.B) {
	system := prompts.JudgeInput{}.Prompt().System
	for b.Loop() {
		prompts.Identify(system)
	}
}
