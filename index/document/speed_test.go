package document

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hopstream/messages"
)

const section = `## Section %d

Some *text* with a [link](https://example.org/x) and more of it, so that
the lines are as long as people make them. It goes on for a while.

- one item
- another with ` + "`code`" + `

` + "```sh\nrun it\n```\n\n"

func BenchmarkMarkdownFiles(b *testing.B) {
	dir := b.TempDir()
	var page strings.Builder
	page.WriteString("# Title\n\n")
	for i := range 12 {
		fmt.Fprintf(&page, section, i)
	}
	const files = 1000
	for i := range files {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.md", i)), []byte(page.String()), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(page.Len() * files))
	walkAll(b, dir)
}

func BenchmarkLongText(b *testing.B) {
	dir := b.TempDir()
	line := "A line of text that is about as long as people make them, and ends with a full stop.\n"
	text := strings.Repeat(strings.Repeat(line, 5)+"\n", 20<<20/(5*len(line)))
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	walkAll(b, dir)
}

func walkAll(b *testing.B, dir string) {
	for b.Loop() {
		stats, err := Walk(context.Background(), []string{dir}, func(messages.Document) error { return nil }, func(path string, _ int, err error) { b.Error(path, err) })
		if err != nil || stats.Documents == 0 {
			b.Fatal(stats, err)
		}
	}
}
