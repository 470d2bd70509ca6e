package openai

import (
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"hopstream/messages/fault"
)

var nolog = log.New(io.Discard, "", 0)

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// FuzzAnswer holds every answer to what the three calls promise of it.
func FuzzAnswer(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil || len(files) == 0 {
		f.Fatal(err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, status := range []int{200, 400, 404, 500} {
			f.Add(status, b)
		}
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		c, err := NewClient(Spec{Model: "m", URL: "http://127.0.0.1:1", APIKey: testKey, HTTP: &http.Client{
			Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: status, Header: http.Header{}, Request: r,
					Body: io.NopCloser(strings.NewReader(string(body)))}, nil
			}),
		}})
		if err != nil {
			t.Fatal(err)
		}
		reply, err := c.Chat(t.Context(), hello)
		if (reply == nil) == (err == nil) {
			t.Errorf("%+v with %v", reply, err)
		}
		vectors, embedErr := c.Embed(t.Context(), []string{"a", "b"})
		if (vectors == nil) == (embedErr == nil) {
			t.Errorf("%+v with %v", vectors, embedErr)
		}
		if vectors != nil && (len(vectors.Vectors) != 2 || len(vectors.Vectors[0]) == 0 || len(vectors.Vectors[0]) != len(vectors.Vectors[1])) {
			t.Errorf("%+v", vectors)
		}
		for _, err := range []error{err, embedErr, c.Check(t.Context())} {
			if err == nil {
				continue
			}
			if class, _ := fault.Of(err); class == fault.Cancelled {
				t.Errorf("nobody cancelled: %v", err)
			}
			if s := err.Error(); len(s) > 2*maxExcerpt || strings.ContainsAny(s, "\n\x00\x1b") || strings.Contains(s, testKey) {
				t.Errorf("%q", s)
			}
		}
	})
}

// FuzzEvents: whatever comes as a stream gives a reply or an error, and what was
// heard of a reply is the reply, thoughts aside.
func FuzzEvents(f *testing.F) {
	for _, lines := range [][]string{
		{piece(`{"answer":`), piece(`"Bern"}`), delta(stopped), counted, "data: [DONE]"}, {piece("Be")}, {"data:"}, {": x", "event: error"},
		{piece("<think>a</think>"), piece("b"), delta(stopped)}, {`data: {"error":{"code":503}}`}, {`data: {"choices":[{"delta":null}]}`}, {"data: [DONE]"},
	} {
		f.Add([]byte(strings.Join(lines, "\n\n")))
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		c, err := NewClient(Spec{Model: "m", URL: "http://127.0.0.1:1", HTTP: &http.Client{
			Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Request: r,
					Body: io.NopCloser(iotest.HalfReader(strings.NewReader(string(stream))))}, nil
			}),
		}})
		if err != nil {
			t.Fatal(err)
		}
		reply, heard, err := listen(t, c)
		if (reply == nil) == (err == nil) {
			t.Fatalf("%+v with %v", reply, err)
		}
		all := strings.Join(heard, "")
		if reply != nil && all != "" && !strings.Contains(all, "<think>") && reply.Text != all {
			t.Errorf("heard %q, read %q", all, reply.Text)
		}
		if class, _ := fault.Of(err); err != nil && class == fault.Cancelled {
			t.Errorf("nobody cancelled: %v", err)
		}
	})
}
