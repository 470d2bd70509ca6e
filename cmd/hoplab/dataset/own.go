package dataset

import (
	"path/filepath"
	"strings"

	"hopstream/messages"
)

// ownQuestion is a line of questions.jsonl as it may be written.
type ownQuestion struct {
	ID       text    `json:"id"`
	Question string  `json:"question"`
	Answers  answers `json:"answers"`
	Answer   many    `json:"answer"` // where there is but one
	// Answerable is false, or Answers a list of none, where the documents do not
	// answer the question. Without answers, nothing is known of it.
	Answerable *bool          `json:"answerable"`
	Entities   []Entity       `json:"entities"`
	Records    []Record       `json:"records"`
	List       bool           `json:"list"`
	NumSpan    int            `json:"num_span"` // MultiSpanQA's mark of a list
	Type       scalar         `json:"type"`
	Class      messages.Class `json:"class"`
	// Supporting are passage IDs. The support of a step may be anything in other
	// writers' files; what is no text there is ignored (scalar).
	Supporting    many      `json:"supporting"`
	Decomposition []ownStep `json:"decomposition"`
}

type ownStep struct {
	Question string `json:"question"`
	Answer   scalar `json:"answer"`
	Support  scalar `json:"support"`
}

func (q *ownQuestion) question() Question {
	out := Question{
		ID: string(q.ID), Question: q.Question, Answers: append(q.Answers.many, q.Answer...), Type: string(q.Type), Class: q.Class,
		Supporting: q.Supporting, List: q.List || q.NumSpan > 1,
	}
	if q.unanswerable() {
		return out.unanswerable()
	}
	for _, e := range q.Entities {
		if len(e) > 0 {
			out.Entities = append(out.Entities, e)
		}
	}
	for _, r := range q.Records {
		if r.known() {
			out.Records = append(out.Records, r)
		}
	}
	for _, s := range q.Decomposition {
		out.Decomposition = append(out.Decomposition, Step{Question: s.Question, Answer: string(s.Answer), Support: string(s.Support)})
	}
	return out
}

// unanswerable reports whether the file says that there is no answer.
func (q *ownQuestion) unanswerable() bool {
	if q.Answerable != nil {
		return !*q.Answerable
	}
	return q.Answers.none && len(q.Answer)+len(q.Entities)+len(q.Records) == 0
}

// own opens our format: a file of questions with corpus.jsonl beside it.
func (in *reading) own(path string) error {
	r, err := openRecords(path)
	if err != nil {
		return err
	}
	defer r.close()
	s := in.set
	s.Format, s.files = Own, []string{path}
	if err := s.passages(filepath.Dir(path)); err != nil {
		return err
	}
	for !in.full() {
		var q ownQuestion
		if more, err := r.read(&q); err != nil || !more {
			return err
		}
		if err := r.wrong(in.add(q.question())); err != nil {
			return err
		}
	}
	return nil
}

// documentsOf reads a file of {"id","title","text"} or BEIR's {"_id","title",
// "text"}. Documents with neither title nor text are skipped.
func documentsOf(path string) func(yield func(Document, error) bool) {
	return func(yield func(Document, error) bool) {
		r, err := openRecords(path)
		if err != nil {
			yield(Document{}, err)
			return
		}
		defer r.close()
		for {
			var d struct {
				ID    text   `json:"id"`
				BEIR  text   `json:"_id"`
				Title string `json:"title"`
				Text  string `json:"text"`
			}
			more, err := r.read(&d)
			if !more {
				return
			}
			if d.ID == "" {
				d.ID = d.BEIR
			}
			if err == nil {
				err = r.wrong(messages.CheckDocID(string(d.ID)))
			}
			if err == nil && strings.TrimSpace(d.Title+d.Text) == "" {
				continue
			}
			if !yield(Document{ID: string(d.ID), Title: d.Title, Text: d.Text}, err) || err != nil {
				return
			}
		}
	}
}
