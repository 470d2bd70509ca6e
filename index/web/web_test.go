package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"hopstream/index/searcher"
	"hopstream/index/web"
	"hopstream/messages"
	"hopstream/messages/fault"
)

var _ searcher.Searcher = (*web.Client)(nil)

func recorded(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// serve starts a server that answers with h, and a client of it.
func serve(t *testing.T, h http.HandlerFunc, o web.Options) (*web.Client, string) {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	o.URL = s.URL + o.URL
	c, err := web.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c, s.URL
}

// answers is a handler that answers with what was recorded.
func answers(t *testing.T, name string) http.HandlerFunc {
	body := recorded(t, name)
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body)
	}
}

func TestSearch(t *testing.T) {
	t.Parallel()
	var asked *http.Request
	record := answers(t, "results")
	c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { asked = r; record(w, r) },
		web.Options{Engines: []string{"wikipedia", "brave"}, Categories: []string{"general"}, Language: "en", TimeRange: "year"})
	got, err := c.Search(t.Context(), "Where was Marie Curie born?", 10)
	if err != nil {
		t.Fatal(err)
	}
	want := []messages.Passage{
		{ID: "https://en.wikipedia.org/wiki/Marie_Curie", Title: "Marie Curie", Score: 3, Rank: 1,
			Text: "Maria Salomea Skłodowska-Curie (7 November 1867 – 4 July 1934) was a Polish-French physicist and chemist who conducted pioneering research on radioactivity. She was born in Warsaw, in what was then the Kingdom of Poland."},
		{ID: "https://www.nobelprize.org/prizes/physics/1903/marie-curie/biographical/", Title: "Marie Curie – Biographical - NobelPrize.org", Score: 3, Rank: 2,
			Text: "Marie Curie, née Maria Sklodowska, was born in Warsaw on November 7, 1867, the daughter of a secondary-school teacher."},
		{ID: "https://culture.pl/en/article/8-things-you-should-know-about-marie-sklodowska-curie?id=7", Title: "8 Things You Should Know About Maria Skłodowska-Curie", Score: 0.25, Rank: 3,
			Text: "She was born in ulica Freta 16 & grew up in Warsaw’s New Town."},
	}
	if len(got) != len(want) {
		t.Fatalf("%d passages: %+v", len(got), got)
	}
	for i := range want {
		want[i].URL = want[i].ID
		if fmt.Sprint(got[i]) != fmt.Sprint(want[i]) {
			t.Errorf("passage %d is\n%+v, want\n%+v", i+1, got[i], want[i])
		}
	}
	query := url.Values{"q": {"Where was Marie Curie born?"}, "format": {"json"}, "engines": {"wikipedia,brave"},
		"categories": {"general"}, "language": {"en"}, "time_range": {"year"}}
	if asked.URL.Path != "/search" || asked.URL.RawQuery != query.Encode() || asked.Method != http.MethodGet || asked.Header.Get("Accept") != "application/json" {
		t.Errorf("%s %s", asked.Method, asked.URL)
	}
	if got, err := c.Search(t.Context(), "x", 1); err != nil || len(got) != 1 || got[0].Rank != 1 {
		t.Errorf("one passage: %+v, %v", got, err)
	}
}

// TestAddress holds that the server's address is taken with and without a
// path, with a user, and refused if it is none.
func TestAddress(t *testing.T) {
	t.Parallel()
	for suffix, path := range map[string]string{"": "/search", "/": "/search", "/search": "/search", "/searx/": "/searx/search", "/searx/search/?q=x#y": "/searx/search"} {
		var got string
		record := answers(t, "nothing")
		c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { got = r.URL.Path; record(w, r) }, web.Options{URL: suffix})
		if _, err := c.Search(t.Context(), "x", 1); err != nil || got != path {
			t.Errorf("%q: asked %s, want %s (%v)", suffix, got, path, err)
		}
	}
	for _, bad := range []string{"", "localhost:8888", "ftp://x", "http://", "http://%zz", "search.example.org"} {
		if _, err := web.New(web.Options{URL: bad}); err == nil || !strings.Contains(err.Error(), "must be like http://") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := web.New(web.Options{URL: "http://x", TimeRange: "decade"}); err == nil {
		t.Error("any time range will do")
	}
}

// TestPasswordIsSentAndNotTold holds that user and password go to the server
// and into no error.
func TestPasswordIsSentAndNotTold(t *testing.T) {
	t.Parallel()
	var user, password string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		user, password, _ = r.BasicAuth()
		w.WriteHeader(http.StatusTeapot)
	}))
	at := strings.Replace(s.URL, "http://", "http://me:secret@", 1)
	c, err := web.New(web.Options{URL: at})
	if err != nil {
		t.Fatal(err)
	}
	_, first := c.Search(t.Context(), "x", 1)
	if user != "me" || password != "secret" {
		t.Errorf("sent %q, %q", user, password)
	}
	s.Close()
	_, second := c.Search(t.Context(), "x", 1)
	for _, err := range []error{first, second} {
		if err == nil || strings.Contains(err.Error(), "secret") || !strings.Contains(err.Error(), s.URL) {
			t.Errorf("%v", err)
		}
	}
}

// TestCommandsAreWords holds that a question cannot choose engines, a
// language, a time limit, or send the search to another site.
func TestCommandsAreWords(t *testing.T) {
	t.Parallel()
	var got []string
	record := answers(t, "nothing")
	c, _ := serve(t, func(w http.ResponseWriter, r *http.Request) { got = append(got, r.URL.Query().Get("q")); record(w, r) }, web.Options{PerSecond: -1})
	for in, want := range map[string]string{
		"!!g secret plans":            "g secret plans",
		"what is !images :fr <3 ?wp":  "what is images fr 3 wp",
		"who said wow! and: <why?":    "who said wow! and: why?",
		" tab\tnew\nline\x00 \u202eb": "tab new line b",
		"!!:!<!g x":                   "g x",
		"AC/DC: a - b \"quoted\" +c":  "AC/DC: a - b \"quoted\" +c",
	} {
		got = nil
		if _, err := c.Search(t.Context(), in, 3); err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%q: asked %q, want %q (%v)", in, got, want, err)
		}
	}
	got = nil
	if found, err := c.Search(t.Context(), strings.Repeat("wörter ", 10_000), 3); err != nil || found != nil || len(got) != 1 || len(got[0]) > 512 {
		t.Errorf("a long query: %v, %d bytes", err, len(got[0]))
	}
	got = nil
	for _, nothing := range []string{"", " ", "!! :", "?"} {
		if found, err := c.Search(t.Context(), nothing, 3); err != nil || found != nil || got != nil {
			t.Errorf("%q: %v, %v, asked %q", nothing, found, err, got)
		}
	}
}

// TestHostileResults holds that what engines send is cleaned: addresses that
// are no pages', markup, control characters, wrong types.
func TestHostileResults(t *testing.T) {
	t.Parallel()
	var away []string
	c, _ := serve(t, answers(t, "hostile"), web.Options{MaxResults: 50, OnUnresponsive: func(engine, reason string) { away = append(away, engine+": "+reason) }})
	got, err := c.Search(t.Context(), "x", 100)
	if err != nil {
		t.Fatal(err)
	}
	want := [][3]string{
		{"https://example.org/link", "by its link", "of a link"},
		{"https://example.org/", "One <b>", "and this is the longer text of the very same address, so it is the one that stays here"},
		{"https://example.org/app#!/page", "https://example.org/app#!/page", "a page of an app"},
		{"http://127.0.0.1:9200/_cat", "local", "a result may be anywhere"},
	}
	var all [][3]string
	for _, p := range got {
		all = append(all, [3]string{p.ID, p.Title, p.Text})
	}
	if !slices.Equal(all, want) {
		t.Errorf("%q\nwant %q", all, want)
	}
	if want := []string{"goo [31mgle: no reason given", "bing: no reason given", "brave: timeout"}; !slices.Equal(away, want) {
		t.Errorf("unresponsive %q, want %q", away, want)
	}
}

// TestNobodyAnswered holds that "nothing found" is believed only if an engine
// said so.
func TestNobodyAnswered(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		page    string
		engines []string
		away    bool
	}{
		"all of them":              {"nobody", []string{"brave", "DuckDuckGo"}, true},
		"the server's choice":      {"nobody", nil, true},
		"one found nothing":        {"nobody", []string{"brave", "wikipedia"}, false},
		"nothing is there":         {"nothing", []string{"brave"}, false},
		"nothing, server's choice": {"nothing", nil, false},
	} {
		cl, _ := serve(t, answers(t, c.page), web.Options{Engines: c.engines})
		found, err := cl.Search(t.Context(), "x", 3)
		if class, _ := fault.Of(err); c.away != (err != nil) || c.away && class != fault.Unavailable || len(found) > 0 {
			t.Errorf("%s: %v, %v", name, found, err)
		}
		if c.away && !strings.Contains(err.Error(), "brave (Suspended: too many requests), duckduckgo (timeout)") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
