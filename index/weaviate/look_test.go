package weaviate

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"hopstream/index"
	"hopstream/messages"
	"hopstream/messages/fault"
)

// stateful is a fake server that keeps the state object as it was last written,
// "" while there is none, and counts what is asked of it.
type stateful struct {
	*fake
	state string
	gets  int
	other int
}

func newStateful(t *testing.T, state string) *stateful {
	s := &stateful{state: state}
	s.fake = newFake(t, func(w http.ResponseWriter, r *http.Request, body string) bool {
		object := "/v1/objects/" + DefaultClass + "State/"
		switch {
		case strings.HasPrefix(r.URL.Path, object) && r.Method == http.MethodGet:
			s.gets++
			if s.state == "" {
				w.WriteHeader(http.StatusNotFound)
				return true
			}
			io.WriteString(w, s.state)
			return true
		case r.URL.Path == "/v1/batch/objects" && strings.Contains(body, `"sequence"`):
			from := strings.Index(body, `"properties":{`)
			to := from + strings.IndexByte(body[from:], '}')
			s.state = "{" + body[from:to] + "}}"
		}
		s.other++
		return false
	})
	return s
}

// TestLook holds that a look is one request, whoever fills the store, and that
// the epoch stays the same from batch to batch and changes when the store was
// emptied.
func TestLook(t *testing.T) {
	f := newStateful(t, "")
	plain := func(o *Options) { o.Embedder = nil }
	filler, searcher := openFake(t, f.URL, plain), openFake(t, f.URL, plain)
	look := func(sequence uint64) (epoch string) {
		t.Helper()
		f.gets, f.other = 0, 0
		p, epoch, err := searcher.Look(t.Context())
		if err != nil || p.Sequence != sequence {
			t.Errorf("at %+v, %v; want %d", p, err, sequence)
		}
		if f.gets != 1 || f.other != 0 {
			t.Errorf("a look is %d and %d requests", f.gets, f.other)
		}
		return epoch
	}
	fill := func(sequence uint64) {
		t.Helper()
		if err := filler.Apply(t.Context(), []messages.Document{{ID: "a", Text: "b"}}, index.Position{Stream: "s", Sequence: sequence}); err != nil {
			t.Fatal(err)
		}
	}
	if epoch := look(0); epoch != "" {
		t.Errorf("an empty store is of epoch %q", epoch)
	}
	fill(3)
	first := look(3)
	fill(5)
	if again := look(5); again != first || again == "" {
		t.Errorf("epoch %q, then %q", first, again)
	}
	f.state = "" // emptied
	look(0)
	filler = openFake(t, f.URL, plain)
	fill(2)
	if second := look(2); second == first || second == "" {
		t.Errorf("epoch %q, emptied, and then %q", first, second)
	}
	f.answer = func(w http.ResponseWriter, _ *http.Request, _ string) bool {
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	}
	_, _, err := searcher.Look(t.Context())
	wantClass(t, "away", err, fault.Unavailable, "503")
	if err := searcher.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := searcher.Look(t.Context()); err == nil {
		t.Error("a closed store looks")
	}
}
