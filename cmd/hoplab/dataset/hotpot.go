package dataset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// hotpotQuestion is a record of HotpotQA (Yang et al., 2018), or of
// 2WikiMultihopQA (Ho et al., 2020), which adds evidence triples.
type hotpotQuestion struct {
	ID         text       `json:"_id"`
	OtherID    text       `json:"id"` // as republished in columns
	Question   string     `json:"question"`
	Answer     many       `json:"answer"`
	Type       scalar     `json:"type"`
	Facts      facts      `json:"supporting_facts"`
	Context    paragraphs `json:"context"`
	Evidences  [][]text   `json:"evidences"`
	AnswerAlso many       `json:"answer_aliases"`
}

// paragraphs are [[title, [sentence, …]], …], or the same in columns.
type paragraphs []paragraph

type paragraph struct {
	title     string
	sentences []string
}

// UnmarshalJSON reads either form.
func (p *paragraphs) UnmarshalJSON(b []byte) error {
	titles, bodies, err := columns(b, "title", "sentences")
	if err != nil {
		return fmt.Errorf("context: %w", err)
	}
	for i := range titles {
		one := paragraph{}
		if err := json.Unmarshal(titles[i], &one.title); err != nil {
			return fmt.Errorf("context: a title: %w", err)
		}
		if err := json.Unmarshal(bodies[i], (*many)(&one.sentences)); err != nil {
			return fmt.Errorf("context %q: %w", one.title, err)
		}
		*p = append(*p, one)
	}
	return nil
}

// facts are the titles of [[title, sentence number], …], or of the same in
// columns, each once.
type facts []string

// UnmarshalJSON reads either form.
func (f *facts) UnmarshalJSON(b []byte) error {
	titles, _, err := columns(b, "title", "sent_id")
	if err != nil {
		return fmt.Errorf("supporting_facts: %w", err)
	}
	for _, raw := range titles {
		var title string
		if err := json.Unmarshal(raw, &title); err != nil {
			return fmt.Errorf("supporting_facts: a title: %w", err)
		}
		if !slices.Contains(*f, title) {
			*f = append(*f, title)
		}
	}
	return nil
}

// columns reads a list of pairs, or an object of two lists of the given names.
func columns(b []byte, first, second string) (left, right []json.RawMessage, err error) {
	if bytes.HasPrefix(bytes.TrimSpace(b), []byte("{")) {
		var cols map[string][]json.RawMessage
		if err := json.Unmarshal(b, &cols); err != nil {
			return nil, nil, err
		}
		if len(cols[first]) != len(cols[second]) {
			return nil, nil, fmt.Errorf("%d of %s and %d of %s", len(cols[first]), first, len(cols[second]), second)
		}
		return cols[first], cols[second], nil
	}
	var pairs [][]json.RawMessage
	if err := json.Unmarshal(b, &pairs); err != nil {
		return nil, nil, err
	}
	for _, p := range pairs {
		if len(p) != 2 {
			return nil, nil, fmt.Errorf("an entry of %d parts: wanted are %s and %s", len(p), first, second)
		}
		left, right = append(left, p[0]), append(right, p[1])
	}
	return left, right, nil
}

// hotpot reads a record of either data set. A gold paragraph that the
// question does not bring keeps its title as its ID, which no passage has: it
// counts as not found. Evidence triples are the decomposition, in MuSiQue's
// way of writing them.
func hotpot(r *records) (withContext, error) {
	var in hotpotQuestion
	if err := r.decode(&in); err != nil {
		return withContext{}, err
	}
	if in.ID == "" {
		in.ID = in.OtherID
	}
	if len(in.Context) == 0 {
		return withContext{}, r.wrong(errors.New(`no paragraphs: "context" is [["title",["sentence",…]],…]`))
	}
	out := withContext{Question: Question{ID: string(in.ID), Question: in.Question, Answers: append(in.Answer, in.AnswerAlso...), Type: string(in.Type)}}
	ids := map[string]string{}
	for _, p := range in.Context {
		d := passage(p.title, join(p.sentences))
		if d.Text == "" {
			continue
		}
		out.Passages = append(out.Passages, d)
		if _, twice := ids[p.title]; !twice {
			ids[p.title] = d.ID
		}
	}
	for _, title := range in.Facts {
		id, ok := ids[title]
		if !ok {
			id = title
		}
		out.Supporting = append(out.Supporting, id)
	}
	for _, e := range in.Evidences {
		if len(e) != 3 {
			return withContext{}, r.wrong(fmt.Errorf("an evidence of %d parts: wanted are subject, relation and object", len(e)))
		}
		out.Decomposition = append(out.Decomposition, Step{Question: string(e[0] + " >> " + e[1]), Answer: string(e[2]), Support: ids[string(e[0])]})
	}
	return out, nil
}
