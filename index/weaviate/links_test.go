package weaviate

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/weaviate/weaviate/entities/models"

	"hopstream/index"
	"hopstream/index/testkit/storetest"
	"hopstream/messages"
	"hopstream/messages/fault"
)

// TestLinksAsks: a search asks for the words and for the keys, and then for
// what the best passages name, each key once.
func TestLinksAsks(t *testing.T) {
	t.Parallel()
	var asked []string
	f := newFake(t, func(w http.ResponseWriter, r *http.Request, body string) bool {
		if r.URL.Path != "/v1/graphql" || !strings.Contains(body, "ContainsAny") && !strings.Contains(body, "bm25") {
			return false
		}
		found := `{"passage":"film","title":"Silver Harbour","text":"Silver Harbour is by Orla Venn.","_additional":{"score":"1.5"}}`
		if strings.Contains(body, "ContainsAny") {
			asked = append(asked, body)
			if found = ""; strings.Contains(body, `\"orla venn\"`) {
				found = `{"passage":"orla","title":"Orla Venn","text":"She grew up near Tarsk."}`
			}
		}
		fmt.Fprintf(w, `{"data":{"Get":{"HopstreamPassage":[%s]}}}`, found)
		return true
	})
	ps, err := openFake(t, f.URL, nil).Links().Search(t.Context(), "Who made \"Silver\" Harbour?", 3)
	if err != nil || !slices.Equal(idsOf(ps), []string{"film", "orla"}) {
		t.Errorf("found %v, %v", ps, err)
	}
	if len(asked) != 3 || strings.Count(strings.Join(asked, "\n"), `\"silver harbour\"`) != 1 {
		t.Errorf("asked %d times:\n%s", len(asked), strings.Join(asked, "\n"))
	}
}

func TestLinksFaults(t *testing.T) {
	t.Parallel()
	for part, what := range map[string]string{"Aggregate": "count", "after": "some passages", "bm25": "search", "ContainsAny": "look up names"} {
		for status, want := range map[int]fault.Class{401: fault.Permanent, 503: fault.Unavailable, 500: fault.Transient} {
			f := newFake(t, func(w http.ResponseWriter, r *http.Request, body string) bool {
				if r.URL.Path != "/v1/graphql" || !strings.Contains(body, part) {
					return false
				}
				w.WriteHeader(status)
				return true
			})
			_, err := openFake(t, f.URL, nil).Links().Search(t.Context(), "Who made Silver Harbour?", 3)
			wantClass(t, fmt.Sprint(part, " ", status), err, want, what)
		}
	}
	s := openFake(t, newFake(t, nil).URL, nil)
	s.Close()
	if _, err := s.Links().Search(t.Context(), "Who?", 3); err != index.ErrClosed {
		t.Errorf("closed: %v", err)
	}
}

// TestExtend: a class of an older version gets the properties it lacks; one
// that is not ours is left as it is.
func TestExtend(t *testing.T) {
	t.Parallel()
	for _, lacks := range [][]string{{propKeys, propHeading, propPlace}, {propKeys, propHash}} {
		added := ""
		f := newFake(t, func(w http.ResponseWriter, r *http.Request, body string) bool {
			c := passageClass(DefaultClass, index.BM25{})
			switch r.URL.Path {
			case "/v1/schema/" + DefaultClass:
				c.Properties = slices.DeleteFunc(c.Properties, func(p *models.Property) bool { return slices.Contains(lacks, p.Name) })
				b, _ := c.MarshalBinary()
				w.Write(b)
			case "/v1/schema/" + DefaultClass + "/properties":
				added += body
				io.WriteString(w, "{}")
			default:
				return false
			}
			return true
		})
		_, err := Open(t.Context(), Options{URL: f.URL})
		switch len(lacks) {
		case 3:
			for _, want := range []string{`"keys"`, `"text[]"`, `"heading"`, `"place"`} {
				if err != nil || !strings.Contains(added, want) {
					t.Errorf("added %s, %v", added, err)
				}
			}
		default:
			wantClass(t, "not ours", err, fault.Permanent, "no property")
			if added != "" {
				t.Errorf("added %s", added)
			}
		}
	}
}

func TestEmbedderName(t *testing.T) {
	t.Parallel()
	f := newFake(t, func(w http.ResponseWriter, r *http.Request, _ string) bool {
		if !strings.HasPrefix(r.URL.Path, "/v1/objects/"+DefaultClass+"State/") {
			return false
		}
		fmt.Fprintf(w, `{"properties":{"stream":"s","sequence":"1","embedder":"one","format":%q,"dimension":"256"}}`, formatOf(Options{Embedder: storetest.Embedder{}}))
		return true
	})
	o := Options{URL: f.URL, Embedder: storetest.Embedder{}, EmbedderName: "two"}
	_, err := Open(t.Context(), o)
	wantClass(t, "another embedder", err, fault.Permanent, `use another class name`)
	o.EmbedderName = "one"
	s, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Apply(t.Context(), []messages.Document{{ID: "a", Text: "b"}}, index.Position{Stream: "s", Sequence: 2}); err != nil {
		t.Error(err)
	}
}

func idsOf(ps []messages.Passage) []string {
	var ids []string
	for _, p := range ps {
		ids = append(ids, p.ID)
	}
	return ids
}
