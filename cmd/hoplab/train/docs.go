package train

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"hopstream/index/document"
	"hopstream/messages"
)

// Docs returns the examples of a file of questions over a folder of documents:
// lines of {"id","kind","question","answers","all","answerable",
// "evidence":[{"quote"}]}.
func Docs(ctx context.Context, questions, folder string) ([]*Example, error) {
	s, err := newShelf()
	if err != nil {
		return nil, err
	}
	defer s.Close()
	var batch []messages.Document
	var bad error
	_, err = document.Walk(ctx, []string{folder}, func(d messages.Document) error {
		batch = append(batch, d)
		return nil
	}, func(path string, _ int, err error) { bad = fmt.Errorf("%s: %w", path, err) })
	if err == nil {
		err = bad
	}
	if err == nil {
		err = s.put(ctx, batch, uint64(len(batch)))
	}
	if err != nil {
		return nil, err
	}
	f, err := os.Open(questions)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []*Example
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		var q struct {
			ID, Kind, Question string
			Answers            []string
			All                bool
			Answerable         *bool
			Evidence           []struct{ Quote string }
		}
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", questions, n, err)
		}
		x := &Example{
			Set: docsSet, ID: filepath.Base(questions) + "/" + q.ID, Kind: q.Kind, Question: q.Question, Answers: q.Answers, All: q.All,
			Unanswerable: q.Answerable != nil && !*q.Answerable,
		}
		for _, e := range q.Evidence {
			x.Quotes = append(x.Quotes, e.Quote)
		}
		if err := s.find(ctx, x); err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	return out, lines.Err()
}
