package dataset

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// OtherWords returns the questions of a set as a folder of paraphrases has them, by
// ID: the lines {"id","question"} of its file named after the set. An ID may end in
// -p, which is left out. There are none if the folder has no such file, or is not given.
func OtherWords(folder, set string) (map[string]string, error) {
	if folder == "" {
		return nil, nil
	}
	data, err := os.ReadFile(filepath.Join(folder, set+".jsonl"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	out := map[string]string{}
	for line := range strings.Lines(string(data)) {
		var q struct{ ID, Question string }
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			return nil, fmt.Errorf("%s.jsonl: %w", set, err)
		}
		out[strings.TrimSuffix(q.ID, "-p")] = q.Question
	}
	return out, nil
}

// Paraphrase leaves those questions of a set that have other words, and returns the
// set with the same questions in these words, named after it.
func (s *Set) Paraphrase(words map[string]string) *Set {
	s.Questions = slices.DeleteFunc(s.Questions, func(q Question) bool { return words[q.ID] == "" })
	out := *s
	out.Name += "-paraphrased"
	out.Questions = slices.Clone(s.Questions)
	for i := range out.Questions {
		out.Questions[i].Question = words[out.Questions[i].ID]
	}
	return &out
}
