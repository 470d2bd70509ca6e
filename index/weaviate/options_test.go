package weaviate

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"

	"hopstream/index"
	"hopstream/index/testkit/storetest"
	"hopstream/messages"
	"hopstream/messages/fault"
)

func TestOptions(t *testing.T) {
	t.Parallel()
	const url = "http://localhost:8080"
	for _, o := range []Options{
		{}, {URL: "localhost:8080"}, {URL: "ftp://x"}, {URL: "http://"}, {URL: url + "/v1"}, {URL: "http://u:secret@host"}, {URL: url + "?a=b"},
		{URL: url, Class: "lower"}, {URL: url, Class: "No-Dash"}, {URL: url, Mode: "other"}, {URL: url, Mode: Hybrid},
		{URL: url, Alpha: 2}, {URL: url, Alpha: math.NaN()}, {URL: url, HTTP: http.DefaultClient, CAFile: "x"}, {URL: url, APIKey: "a\nb"},
	} {
		_, _, err := o.check()
		if class, _ := fault.Of(err); err == nil || class != fault.Permanent || strings.Contains(err.Error(), "secret") {
			t.Errorf("%+v: %v", o, err)
		}
	}
	o, u, err := Options{URL: " " + url + "/ ", Alpha: -1}.check()
	if err != nil || u.Host != "localhost:8080" || o.Alpha != 0 || o.Class != DefaultClass || o.Mode != BM25 || o.Batch <= 0 || o.Logger == nil {
		t.Errorf("%+v, %v, %v", o, u, err)
	}
}

func TestClassFor(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, prefix := range []string{"", "hop2", "a-b", "a_b", "a_0b", "A-b", "-", "_", "__", "_0", "9", strings.Repeat("-", 50)} {
		name := ClassFor(prefix)
		if !classNames.MatchString(name) {
			t.Errorf("%q: %q is no class name", prefix, name)
		}
		if other, ok := seen[strings.ToLower(name)]; ok && !strings.EqualFold(prefix, other) {
			t.Errorf("%q and %q are both %q", prefix, other, name)
		}
		seen[strings.ToLower(name)] = prefix
	}
	if ClassFor(messages.DefaultPrefix) != DefaultClass {
		t.Error("the default prefix has another class")
	}
}

func TestRequestHeaders(t *testing.T) {
	t.Parallel()
	missing := ""
	f := newFake(t, func(w http.ResponseWriter, r *http.Request, _ string) bool {
		if r.Header.Get("Authorization") != "Bearer key" || r.Header.Get("X-Tenant") != "t" {
			missing = r.URL.Path
		}
		return false
	})
	s := openFake(t, f.URL, func(o *Options) { o.APIKey, o.Headers = "key", map[string]string{"X-Tenant": "t"} })
	if _, err := s.Search(t.Context(), "x", 1); err != nil || missing != "" {
		t.Errorf("%v; %s was asked without the headers", err, missing)
	}
}

func TestClean(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		" a\x00b\a\x7f\u0085c ": "a b   c", "\xff\xfe": "", "🚂 x": "🚂 x", "\U000E0001a": "a", "می\u200cخواهم": "می\u200cخواهم", "e\u0301": "e\u0301",
		`"\`: `"\`, "\u2028x": "\u2028x",
	} {
		got, any := clean(query)
		if strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%q becomes %q, want %q", query, got, want)
		}
		if any != strings.ContainsAny(want, "abcxeمی") {
			t.Errorf("%q: words: %v", query, any)
		}
	}
}

// FuzzClean holds that Go's quoting of a clean query has only the escapes that
// GraphQL knows.
func FuzzClean(f *testing.F) {
	for _, s := range []string{"a", "\x00\a\v\x7f", "\xff", "🚂\U000E0001\U0010FFFF", `"\ \\`, "\u200b\u2028\ufeff", "\ud7ff\ue000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, query string) {
		words, _ := clean(query)
		quoted := fmt.Sprintf("%q", words)
		for i := 1; i < len(quoted)-1; i++ {
			if quoted[i] < ' ' {
				t.Fatalf("%s has a control character", quoted)
			}
			if quoted[i] != '\\' {
				continue
			}
			i++
			if !strings.ContainsRune(`"\bfnrtu`, rune(quoted[i])) {
				t.Fatalf("%s has an escape that GraphQL does not know", quoted)
			}
		}
	})
}

// TestUUID pins the IDs: other ones would store every passage twice.
func TestUUID(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{"": "1778c6d3-4627-5153-8e9d-8dbae2f91791", "a#1": "400d1712-cab0-5d73-bed3-0d75bbc13b66"} {
		if got := uuid(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

func TestMisfit(t *testing.T) {
	t.Parallel()
	f := newFake(t, func(w http.ResponseWriter, r *http.Request, _ string) bool {
		if r.URL.Path != "/v1/schema/"+DefaultClass {
			return false
		}
		c := passageClass(DefaultClass, index.BM25{})
		c.Properties = c.Properties[1:]
		b, _ := c.MarshalBinary()
		w.Write(b)
		return true
	})
	_, err := Open(t.Context(), Options{URL: f.URL})
	wantClass(t, "another shape", err, fault.Permanent, "no property")
}

// TestStateMoved: a position that is not as this process left it fails the
// batch, and is taken over.
func TestStateMoved(t *testing.T) {
	t.Parallel()
	sequence := "1"
	f := newFake(t, func(w http.ResponseWriter, r *http.Request, _ string) bool {
		if !strings.HasPrefix(r.URL.Path, "/v1/objects/"+DefaultClass+"State/") {
			return false
		}
		io.WriteString(w, `{"properties":{"stream":"s","sequence":"`+sequence+`","format":"3 in passages of 1600/200 by blocks without vectors"}}`)
		return true
	})
	s := openFake(t, f.URL, func(o *Options) { o.Embedder = nil })
	sequence = "7"
	apply := func() error {
		return s.Apply(t.Context(), []messages.Document{{ID: "a", Text: "b"}}, index.Position{Stream: "s", Sequence: 8})
	}
	wantClass(t, "moved", apply(), fault.Transient, "another process")
	if got := s.Position().Sequence; got != 7 {
		t.Errorf("position %d was not taken over", got)
	}
	if err := apply(); err != nil {
		t.Error(err)
	}
	s = openFake(t, f.URL, func(o *Options) { o.Chunk.Size = 100 })
	wantClass(t, "other settings", apply(), fault.Permanent, "filled with")
}

func TestVectors(t *testing.T) {
	t.Parallel()
	f := newFake(t, nil)
	s := openFake(t, f.URL, nil)
	_, err := s.Near(t.Context(), []float32{1, 2}, 3)
	wantClass(t, "short", err, fault.Permanent, "have 256")
	bad := make([]float32, 256)
	bad[3] = float32(math.NaN())
	_, err = s.Near(t.Context(), bad, 3)
	wantClass(t, "NaN", err, fault.Permanent, "NaN")
	s = openFake(t, f.URL, func(o *Options) { o.Embedder = storetest.Embedder{Dimension: 8} })
	wantClass(t, "another embedder", s.Apply(t.Context(), []messages.Document{{ID: "a", Text: "b"}}, index.Position{Stream: "s", Sequence: 8}), fault.Permanent, "have 256")
}
