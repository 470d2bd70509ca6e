package sample

import (
	"slices"
	"strings"
	"testing"

	"hopstream/messages"
)

func load(t *testing.T) (map[string]messages.Document, []Question) {
	t.Helper()
	docs, err := Documents()
	if err != nil {
		t.Fatal(err)
	}
	byID := make(map[string]messages.Document, len(docs))
	for _, d := range docs {
		if err := d.Validate(); err != nil {
			t.Errorf("%+v: %v", d, err)
		}
		if _, twice := byID[d.ID]; twice {
			t.Errorf("document %s twice", d.ID)
		}
		byID[d.ID] = d
	}
	qs, err := Questions()
	if err != nil {
		t.Fatal(err)
	}
	return byID, qs
}

func TestDocumentsAreWhole(t *testing.T) {
	docs, _ := load(t)
	if len(docs) < 50 {
		t.Fatalf("%d documents", len(docs))
	}
	titles := make(map[string]bool, len(docs))
	for id, d := range docs {
		if d.Title == "" || titles[d.Title] {
			t.Errorf("%s: title %q is empty or not its own", id, d.Title)
		}
		titles[d.Title] = true
		if d.Deleted || !strings.HasSuffix(d.Text, ".") || len(d.Text) < 100 || len(d.Text) > 600 {
			t.Errorf("%s: text of %d bytes: %q", id, len(d.Text), d.Text)
		}
	}
}

// Every answer must be found in a supporting passage, literally; a comparison
// is answered with a title.
func TestQuestionsAreAnsweredByTheCorpus(t *testing.T) {
	docs, qs := load(t)
	seen := make(map[string]bool, len(qs))
	count := make(map[messages.Class]int)
	unanswerable := 0
	for _, q := range qs {
		if err := messages.CheckID(q.ID); err != nil || seen[q.ID] {
			t.Errorf("question ID %q is bad or not its own: %v", q.ID, err)
		}
		seen[q.ID] = true
		if q.Unanswerable() {
			unanswerable++
			for id, d := range docs {
				if strings.Contains(strings.ToLower(d.Title+d.Text), "penicillin") || len(q.Supporting) > 0 {
					t.Errorf("%s: %s says something of it", q.ID, id)
				}
			}
			continue
		}
		count[q.Class]++
		if !strings.HasSuffix(q.Question, "?") || len(q.Answers) == 0 {
			t.Errorf("%s: question %q, answers %q", q.ID, q.Question, q.Answers)
		}
		if (q.Class == messages.Straightforward) != (len(q.Supporting) == 0) {
			t.Errorf("%s: class %s with %d supporting documents", q.ID, q.Class, len(q.Supporting))
		}
		if q.Class == messages.Straightforward {
			continue
		}
		for _, id := range q.Supporting {
			if _, ok := docs[id]; !ok {
				t.Errorf("%s: no document %s", q.ID, id)
			}
		}
		for _, a := range q.Answers {
			if !slices.ContainsFunc(q.Supporting, func(id string) bool {
				return strings.Contains(docs[id].Text, a) || docs[id].Title == a
			}) {
				t.Errorf("%s: %q is in none of %v", q.ID, a, q.Supporting)
			}
		}
	}
	if unanswerable != 1 {
		t.Errorf("%d questions that the corpus does not answer, want one", unanswerable)
	}
	for _, c := range messages.Classes() {
		if count[c] != 3 {
			t.Errorf("%d questions of class %s; want 3", count[c], c)
		}
	}
	if len(count) != len(messages.Classes()) {
		t.Errorf("unknown class among %v", count)
	}
}

// The second hop of a complex question must not be answerable from the first
// passage alone, or it would be no hop.
func TestComplexQuestionsNeedEveryDocument(t *testing.T) {
	docs, qs := load(t)
	for _, q := range qs {
		if q.Class != messages.Complex {
			continue
		}
		if len(q.Supporting) < 2 {
			t.Errorf("%s: %d supporting documents", q.ID, len(q.Supporting))
			continue
		}
		if a := q.Answers[0]; docs[q.Supporting[1]].Title != a && docs[q.Supporting[0]].Title != a &&
			strings.Contains(docs[q.Supporting[0]].Text, a) {
			t.Errorf("%s: %q stands in the first document already", q.ID, a)
		}
	}
}

func TestDamageIsReportedByLine(t *testing.T) {
	_, err := lines[Question]([]byte("{\"id\":\"a\"}\n{\"id\":3}\n"))
	if err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("err = %v; want line 2 named", err)
	}
}
