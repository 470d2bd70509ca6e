// Package sample is a small corpus with questions, shipped inside the binary
// so that a fresh machine has something to answer from.
//
// Its passages are linked (a film to its director, the director to a town, the
// town to a country), so that questions of two hops work; each sentence stands
// by itself and names what it is about, so that a simple extractive engine
// finds the answer. The two files also form a data set for evaluation.
package sample

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"hopstream/messages"
)

var (
	//go:embed corpus.jsonl
	corpus []byte
	//go:embed questions.jsonl
	questions []byte
)

// Question is one question with what is known about it.
type Question struct {
	ID       string `json:"id"`
	Question string `json:"question"`
	// Answers are the accepted spellings of the answer; for a compound
	// question they are its parts, in the order asked, and all are wanted. A
	// question that the corpus does not answer has none.
	Answers []string       `json:"answers"`
	Class   messages.Class `json:"class"`
	// Supporting are the IDs of the documents the answer is found in; a
	// straightforward question has none.
	Supporting []string `json:"supporting"`
}

// Documents returns the corpus, in a fixed order. The error names the line
// that cannot be read; the shipped file has none.
func Documents() ([]messages.Document, error) {
	docs, err := lines[messages.Document](corpus)
	if err != nil {
		return nil, fmt.Errorf("sample corpus: %w", err)
	}
	return docs, nil
}

// Unanswerable reports whether the corpus does not answer the question.
func (q *Question) Unanswerable() bool { return len(q.Answers) == 0 }

// Questions returns three questions of each class, and one that the corpus does
// not answer, in a fixed order. The error
// names the line that cannot be read; the shipped file has none.
func Questions() ([]Question, error) {
	qs, err := lines[Question](questions)
	if err != nil {
		return nil, fmt.Errorf("sample questions: %w", err)
	}
	return qs, nil
}

func lines[T any](data []byte) ([]T, error) {
	all := make([]T, 0, bytes.Count(data, []byte{'\n'}))
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	for {
		var v T
		switch err := dec.Decode(&v); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("line %d: %w", len(all)+1, err)
		}
		all = append(all, v)
	}
}

// Write writes the corpus and the questions into a folder, which it makes, as a
// data set that can be evaluated.
func Write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(dir, "corpus.jsonl"), corpus, 0o644),
		os.WriteFile(filepath.Join(dir, "questions.jsonl"), questions, 0o644))
}
