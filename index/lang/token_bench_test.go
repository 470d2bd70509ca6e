package lang

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"hopstream/messages"
)

// sampleTexts are passages of the demo's corpus.
func sampleTexts(b *testing.B) (texts []string, bytes int) {
	data, err := os.ReadFile("../sample/corpus.jsonl")
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var d messages.Document
		if err := json.Unmarshal([]byte(line), &d); err != nil {
			b.Fatal(err)
		}
		texts = append(texts, d.Text)
		bytes += len(d.Text)
	}
	return texts, bytes
}

// BenchmarkText reads the demo's corpus once per operation.
func BenchmarkText(b *testing.B) {
	texts, n := sampleTexts(b)
	dst := make([]Token, 0, 1000)
	run := func(name string, read func(text string)) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(n))
			b.ReportAllocs()
			for b.Loop() {
				for _, s := range texts {
					read(s)
				}
			}
		})
	}
	run("tokens", func(s string) { dst = AppendTokens(dst[:0], s) })
	run("plain", func(s string) { dst = oldAppendTokens(dst[:0], s) })
	var wanted Wanted
	for _, w := range []string{"born", "curi", "discov", "polonium"} {
		wanted.Add(w)
	}
	run("scan", func(s string) {
		sc := Scan(s)
		for sc.Next() {
			sink += sc.Hash(&wanted)
		}
	})
}

var sink uint64

func BenchmarkStem(b *testing.B) {
	texts, _ := sampleTexts(b)
	var words []string
	for _, s := range texts {
		for _, t := range Tokens(s) {
			words = append(words, t.Norm)
		}
	}
	b.Run("stem", func(b *testing.B) {
		for b.Loop() {
			for _, w := range words {
				sink += uint64(len(Stem(w)))
			}
		}
	})
	b.Run("plain", func(b *testing.B) {
		var tmp [maxStem + 8]byte
		for b.Loop() {
			for _, w := range words {
				if !oldIsStop(w) {
					stem, _ := oldStemBytes(tmp[:0], []byte(w))
					sink += uint64(len(stem))
				}
			}
		}
	})
}
