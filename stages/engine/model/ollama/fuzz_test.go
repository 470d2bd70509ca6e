package ollama

import (
	"bytes"
	"io"
	"testing"
	"testing/iotest"
)

// FuzzStream: whatever a server sends gives a reply or an error, the same one
// however the bytes are dealt out.
func FuzzStream(f *testing.F) {
	for _, s := range []string{
		"", "\n\n", "{}", "null", "[]", "<html>", `{"done":true}`, `{"error":{"message":null}}`, `{"error":[`,
		part("x") + "\n" + done("stop") + "\n", part("x") + "\r\n" + done("length"), part("x")[:50],
		`{"message":{"content":"a","thinking":"b"},"logprobs":[{"token":"\ud800","logprob":-1e308}],"done":true,"eval_count":-5}`,
		"\xff\xfe" + part("x"), string(make([]byte, 9000)), `{"message":null,"done":1}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		got, err := readReply(bytes.NewReader(stream), nil)
		if (got == nil) == (err == nil) {
			t.Fatalf("reply %v and error %v", got, err)
		}
		if got != nil && (got.Thinking < 0 || got.PromptTokens < 0 || got.CompletionTokens < 0 || len(got.Text) > len(stream)*3) {
			t.Errorf("%+v", got)
		}
		again, err2 := readReply(iotest.OneByteReader(bytes.NewReader(stream)), nil)
		if (err == nil) != (err2 == nil) || (got != nil && got.Text != again.Text) {
			t.Errorf("%v, %v; byte by byte %v, %v", got, err, again, err2)
		}
		// A stream that breaks is never more than the same stream cut.
		if got, err := readReply(io.MultiReader(bytes.NewReader(stream), iotest.ErrReader(io.ErrUnexpectedEOF)), nil); (got == nil) == (err == nil) {
			t.Errorf("broken off: reply %v and error %v", got, err)
		}
	})
}
