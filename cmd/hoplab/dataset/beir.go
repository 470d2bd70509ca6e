package dataset

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// beir opens a folder of BEIR (Thakur et al., 2021): queries.jsonl and
// corpus.jsonl with _id and text, and the judgements of one split. Queries
// without a relevant document are left out, as BEIR's own evaluation does.
// Answers are taken from a query's metadata where they are there.
func (in *reading) beir(dir, queries string) error {
	corpus, err := existing(dir, "corpus.jsonl")
	if err != nil {
		return fmt.Errorf("%s: no such file: BEIR keeps the passages there", corpus)
	}
	qrels, gold, err := readQrels(dir)
	if err != nil {
		return err
	}
	s := in.set
	s.Format, s.files = BEIR, []string{queries, qrels, corpus}
	s.documents = documentsOf(corpus)
	r, err := openRecords(queries)
	if err != nil {
		return err
	}
	defer r.close()
	for !in.full() {
		var q struct {
			ID       text   `json:"_id"`
			Text     string `json:"text"`
			Metadata struct {
				Answer  many `json:"answer"`
				Answers many `json:"answers"`
			} `json:"metadata"`
		}
		if more, err := r.read(&q); err != nil || !more {
			return err
		}
		if q.ID == "" {
			return r.wrong(errors.New(`a query without "_id": is this BEIR's queries.jsonl?`))
		}
		support := gold[string(q.ID)]
		if len(support) == 0 {
			continue
		}
		if err := in.add(Question{ID: string(q.ID), Question: q.Text, Answers: append(q.Metadata.Answers, q.Metadata.Answer...), Supporting: support}); err != nil {
			return r.wrong(err)
		}
	}
	return nil
}

// readQrels reads the first split that is there: qrels/test.tsv, dev, train,
// or qrels.tsv. The lines are query, document and relevance, or TREC's four
// columns; a line of headings may come first.
func readQrels(dir string) (path string, gold map[string][]string, err error) {
	var f *os.File
	for _, name := range []string{"qrels/test.tsv", "qrels/dev.tsv", "qrels/train.tsv", "qrels.tsv"} {
		path = filepath.Join(dir, filepath.FromSlash(name))
		if f, err = os.Open(path); err == nil {
			break
		}
	}
	if err != nil {
		return "", nil, fmt.Errorf("%s: no judgements: BEIR keeps them in qrels/test.tsv, qrels/dev.tsv, qrels/train.tsv, or qrels.tsv", dir)
	}
	defer f.Close()
	gold = map[string][]string{}
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	n := 0
	for in.Scan() {
		n++
		line := strings.TrimSpace(in.Text())
		if line == "" {
			continue
		}
		cols := strings.Split(line, "\t")
		if len(cols) == 1 {
			cols = strings.Fields(line)
		}
		if len(cols) == 4 { // TREC's second column says nothing
			cols = []string{cols[0], cols[2], cols[3]}
		}
		if len(cols) != 3 {
			return path, nil, fmt.Errorf("%s:%d: %d columns: wanted are query, document and relevance, with tabs between", path, n, len(cols))
		}
		relevance, err := strconv.ParseFloat(strings.TrimSpace(cols[2]), 64)
		if err != nil && n == 1 {
			continue // the headings
		}
		if err != nil {
			return path, nil, fmt.Errorf("%s:%d: the relevance %q is no number", path, n, cols[2])
		}
		if relevance > 0 {
			gold[cols[0]] = append(gold[cols[0]], cols[1])
		}
	}
	if err := in.Err(); err != nil {
		return path, nil, fmt.Errorf("%s:%d: %w", path, n+1, err)
	}
	if len(gold) == 0 {
		return path, nil, fmt.Errorf("%s names no relevant document", path)
	}
	return path, gold, nil
}
