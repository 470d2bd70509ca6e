package ollama

import (
	"net/http"
	"testing"

	"github.com/ollama/ollama/api"

	"hopstream/stages/engine/model"
)

// benchServer answers at once with a reply of 100 pieces.
func benchServer(b *testing.B) *Client {
	lines := make([]string, 0, 101)
	for range 100 {
		lines = append(lines, part("word "))
	}
	lines = append(lines, done("stop"))
	return serve(b, func(w http.ResponseWriter, r *http.Request) { say(w, lines...) })
}

func benchChat() *model.Chat {
	return &model.Chat{Messages: []model.Message{{Role: "user", Text: "hello"}}, MaxTokens: 100}
}

// BenchmarkChat counts the server's work too; BenchmarkChatAPI is what the
// library's own Chat costs on the same server.
func BenchmarkChat(b *testing.B) {
	c, r := benchServer(b), benchChat()
	b.ReportAllocs()
	for b.Loop() {
		if got, err := c.Chat(b.Context(), r); err != nil || len(got.Text) != 500 {
			b.Fatal(got, err)
		}
	}
}

func BenchmarkChatAPI(b *testing.B) {
	c, r := benchServer(b), benchChat()
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		err := c.api.Chat(b.Context(), c.request(r), func(p api.ChatResponse) error {
			n += len(p.Message.Content)
			return nil
		})
		if err != nil || n != 500 {
			b.Fatal(n, err)
		}
	}
}
