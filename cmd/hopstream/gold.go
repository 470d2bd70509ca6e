package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"hopstream/messages"
)

// goldQuestion is a line of questions.jsonl.
type goldQuestion struct {
	ID         string   `json:"id"`
	Question   string   `json:"question"`
	Answers    []string `json:"answers"`
	Type       string   `json:"type"`
	Supporting []string `json:"supporting"`
}

func readGold(path string, limit int) ([]goldQuestion, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("DIR must hold questions.jsonl and corpus.jsonl: %w", err)
	}
	defer f.Close()
	var gold []goldQuestion
	seen := map[string]bool{}
	for in := newLines(f); limit <= 0 || len(gold) < limit; {
		line, n, err := in.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var q goldQuestion
		if err = json.Unmarshal(line, &q); err == nil {
			err = (&messages.Question{ID: q.ID, Question: q.Question}).Validate()
		}
		if err == nil && (q.ID == "" || seen[q.ID]) {
			err = fmt.Errorf("the id %q is empty or was there before: give each question its own", q.ID)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		seen[q.ID] = true
		gold = append(gold, q)
	}
	if len(gold) == 0 {
		return nil, fmt.Errorf("%s holds no questions", path)
	}
	return gold, nil
}
