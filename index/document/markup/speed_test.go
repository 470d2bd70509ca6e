package markup

import (
	"strings"
	"testing"

	"hopstream/index/document/draft"
)

func BenchmarkMarkdown(b *testing.B) {
	page := "# Title\n\n" + strings.Repeat("## Section\n\nSome *text* with a [link](https://example.org/x) and more of it, so that\nthe lines are as long as people make them. It goes on for a while.\n\n- one item\n- another with `code`\n\n```sh\nrun it\n```\n\n", 12)
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		w := draft.New(0, func(draft.Part) error { return nil })
		if err := Markdown(w, strings.NewReader(page)); err != nil {
			b.Fatal(err)
		}
		_, _ = w.Close()
	}
}
