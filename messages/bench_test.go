package messages

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// BenchmarkHop is what a hop pays for the wire: one decode and one encode of
// a message. Every round of the loop does it here and with encoding/json, so
// that x-json, how many times as long encoding/json takes, holds on a machine
// that does other things too; ns/op is of both together.
func BenchmarkHop(b *testing.B) {
	for _, m := range benchMessages() {
		b.Run(string(m.Kind()), func(b *testing.B) {
			data, err := Encode(m)
			if err != nil {
				b.Fatal(err)
			}
			var ours, std time.Duration
			for b.Loop() {
				start := time.Now()
				in, err := Decode(m.Kind(), data)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := Encode(in); err != nil {
					b.Fatal(err)
				}
				middle := time.Now()
				in, _ = New(m.Kind())
				if err := json.Unmarshal(data, in); err != nil {
					b.Fatal(err)
				}
				if _, err := json.Marshal(in); err != nil {
					b.Fatal(err)
				}
				ours += middle.Sub(start)
				std += time.Since(middle)
			}
			b.ReportMetric(float64(ours.Nanoseconds())/float64(b.N), "ns/hop")
			b.ReportMetric(float64(std)/float64(ours), "x-json")
			b.ReportMetric(float64(len(data)), "bytes")
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, m := range benchMessages() {
		b.Run(string(m.Kind()), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Encode(m); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, m := range benchMessages() {
		b.Run(string(m.Kind()), func(b *testing.B) {
			data, err := Encode(m)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Decode(m.Kind(), data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// benchMessages returns messages of the size they have in the second round of
// a complex question: ten passages of about a kilobyte, two pairs, the usage
// of four roles.
func benchMessages() []Message {
	asked := time.Date(2026, 1, 2, 3, 4, 5, 678_901_234, time.UTC)
	h := Head{
		ID: "2hop__153573_109006", Seq: 41, Docs: 43_158, Round: 2, Branch: 1, Branches: 2, Class: Complex,
		PlanState: PlanState{Strategy: Refine},
		Question:  "What is the population of the city in which the discoverer of polonium was born?",
		Asked:     asked, Deadline: asked.Add(5 * time.Minute), Budget: DefaultBudget(),
		Usage: Usage{ModelCalls: 6, PromptTokens: 5493, CompletionTokens: 159, Roles: benchRoles()},
		Base:  Usage{ModelCalls: 5, PromptTokens: 4493, CompletionTokens: 139, Roles: benchRoles()[1:]},
		Pairs: []Pair{benchPair(1), benchPair(2)},
		Trace: "00-0123456789abcdef0123456789abcdef-0123456789abcdef-01",
	}
	filter := &Filter{Head: h, Query: "What is the population of Warsaw?"}
	generate := &Generate{Head: h, Query: filter.Query}
	for i := range 10 {
		id := fmt.Sprintf("wiki/Warsaw#%d", i)
		filter.Passages = append(filter.Passages, Passage{ID: id, Title: "Warsaw", Text: benchText(i, 960),
			Score: 12.5 / float64(i+1), Rank: i + 1, By: []string{"bm25", "dense"}[:1+i%2]})
		generate.Windows = append(generate.Windows, Window{Passage: id, Title: "Warsaw", Text: benchText(i, 280), Scale: 300, Score: 0.9 / float64(i+1)})
	}
	generate.Found = Finds(filter.Passages)
	return []Message{
		filter, generate, &Subanswer{Head: h, Pair: benchPair(3)},
		NewAnswer(&h, Answered, Finding{Text: "1.86 million", Confidence: 0.9}, "", asked.Add(1534567*time.Microsecond)),
	}
}

func benchPair(n int) Pair {
	p := Pair{Round: 1, Branch: n, Question: fmt.Sprintf("In which city was the discoverer of element %d born?", 83+n), Answer: "Warsaw", Confidence: 0.83}
	for i := range 4 {
		s := Source{ID: fmt.Sprintf("wiki/Marie_Curie#%d", 3*i+n), Title: "Marie Curie"}
		p.Sources = append(p.Sources, s)
		p.Found = append(p.Found, Find{Source: s, By: []string{"bm25", "dense"}})
	}
	return p
}

// benchText returns at least n bytes of prose with quotation marks, dashes and
// letters that are not ASCII.
func benchText(from, n int) string {
	sentences := []string{
		"Marie Curie was born in Warsaw on 7 November 1867, the youngest of five children of well-known teachers. ",
		"\"Nothing in life is to be feared\", she said – it is only to be understood; the remark is often quoted. ",
		"In 1891, aged 24, she followed her elder sister Bronisława to study in Paris, where she earned her degrees. ",
		"The Radium Institute in Kraków & the one in Warsaw remain major centres of medical research today.\n",
		"Her husband died in 1906 in a street accident; the chair of physics was then entrusted to her by the university. ",
	}
	var b strings.Builder
	for i := from; b.Len() < n; i++ {
		b.WriteString(sentences[i%len(sentences)])
	}
	return b.String()
}

func benchRoles() []RoleUsage {
	return []RoleUsage{
		{Role: "answerer", Calls: 1, PromptTokens: 812, CompletionTokens: 34, QueueMS: 12, ModelMS: 1034},
		{Role: "embedder", Calls: 3, PromptTokens: 40, ModelMS: 31},
		{Role: "relevance", Calls: 2, PromptTokens: 1630, CompletionTokens: 20, QueueMS: 240, ModelMS: 980},
		{Role: "router", Calls: 1, PromptTokens: 401, CompletionTokens: 5, ModelMS: 310},
	}
}

func BenchmarkUsageAdd(b *testing.B) {
	u, v := Usage{ModelCalls: 4, Roles: benchRoles()}, Usage{ModelCalls: 1, Roles: benchRoles()[:1]}
	b.Run("no roles", func(b *testing.B) {
		u, v := Usage{ModelCalls: 4}, Usage{ModelCalls: 1}
		b.ReportAllocs()
		for b.Loop() {
			u = u.Add(v)
		}
	})
	b.Run("roles", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_ = u.Add(v)
		}
	})
}
