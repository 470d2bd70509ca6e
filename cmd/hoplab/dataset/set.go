package dataset

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"hopstream/messages"
)

// Format is how a data set is written.
type Format string

// The formats that Open reads.
const (
	Own      Format = "hopstream"       // a folder with questions.jsonl, and corpus.jsonl or docs
	BEIR     Format = "beir"            // a folder with queries.jsonl, corpus.jsonl and qrels
	HotpotQA Format = "hotpotqa"        // the original JSON: questions with their paragraphs
	TwoWiki  Format = "2wikimultihopqa" // the same with evidence triples
	MuSiQue  Format = "musique"         // the original JSON lines
)

// Set is an open data set. Its questions are in memory, its documents are not.
type Set struct {
	Name      string // of the folder or file
	Format    Format
	Questions []Question
	LeftOut   int // questions that WithholdGold left out

	files     []string // what it is read from
	corpus    string   // the file of passages, or folder of documents, if index can read it as it is
	documents func(yield func(Document, error) bool)
}

// Open reads the questions of the data set at path, a folder or a file; limit
// bounds them, 0 meaning all. The format is recognised by what is there. An
// error says at which line, and what to do.
func Open(path string, limit int) (*Set, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: no such file or folder: DIR must hold questions.jsonl, and corpus.jsonl or documents in docs", path)
	case err != nil:
		return nil, err
	}
	in := &reading{limit: limit, seen: map[string]bool{}, set: &Set{}}
	if info.IsDir() {
		err = in.folder(path)
	} else {
		err = in.file(path)
	}
	if err != nil {
		return nil, err
	}
	if len(in.set.Questions) == 0 {
		return nil, fmt.Errorf("%s holds no questions", in.set.files[0])
	}
	in.set.Name = nameOf(path)
	return in.set, nil
}

// nameOf is path's last part without its endings.
func nameOf(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs // "." has a name too
	}
	name := filepath.Base(path)
	for _, end := range []string{".gz", ".json", ".jsonl", ".ndjson"} {
		name = strings.TrimSuffix(name, end)
	}
	return name
}

// Documents reads the corpus from its beginning. After an error it ends.
func (s *Set) Documents() iter.Seq2[Document, error] { return s.documents }

// WriteCorpus writes the documents as JSON lines {"id","title","text"}, which
// `hopstream index` reads.
func (s *Set) WriteCorpus(w io.Writer) error {
	b := bufio.NewWriterSize(w, 256<<10)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	for d, err := range s.Documents() {
		if err == nil {
			err = enc.Encode(d)
		}
		if err != nil {
			return err
		}
	}
	return b.Flush()
}

// CorpusFile returns a file or folder of documents that `hopstream index` reads:
// the set's own where it has one, else one written into dir.
func (s *Set) CorpusFile(dir string) (path string, err error) {
	if s.corpus != "" {
		_, err := os.Stat(s.corpus)
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%s: no such file: the passages belong there, in corpus.jsonl.gz beside it, or as documents in the folder docs", s.corpus)
		}
		return s.corpus, err
	}
	f, err := os.CreateTemp(dir, "corpus-*.jsonl")
	if err != nil {
		return "", err
	}
	return f.Name(), errors.Join(s.WriteCorpus(f), f.Close())
}

// Fingerprint identifies the content of the set's files: two sets of the same
// questions, gold and passages have the same, whatever their limits.
func (s *Set) Fingerprint() (string, error) {
	h := sha256.New()
	for _, path := range s.files {
		f, err := os.Open(path)
		if err != nil {
			return "", err
		}
		n, err := io.Copy(h, f)
		if err = errors.Join(err, f.Close()); err != nil {
			return "", err
		}
		fmt.Fprintf(h, "\x00%d\x00", n)
	}
	return hex.EncodeToString(h.Sum(nil)[:12]), nil
}

// reading is one call of Open.
type reading struct {
	limit int
	seen  map[string]bool // question IDs
	set   *Set
}

// full reports whether there are as many questions as wanted.
func (in *reading) full() bool { return in.limit > 0 && len(in.set.Questions) >= in.limit }

// add takes a question in, or says what is wrong with it.
func (in *reading) add(q Question) error {
	if err := (&messages.Question{ID: q.ID, Question: q.Question}).Validate(); err != nil {
		return err
	}
	if q.ID == "" || in.seen[q.ID] {
		return fmt.Errorf("the id %q is empty or was there before: give each question its own", q.ID)
	}
	if q.Class != "" && !q.Class.Valid() {
		return fmt.Errorf("there is no class %q: choose from %v, or leave it out", q.Class, messages.Classes())
	}
	in.seen[q.ID] = true
	in.set.Questions = append(in.set.Questions, q)
	return nil
}

// folder opens a folder by the names in it.
func (in *reading) folder(dir string) error {
	queries, qerr := existing(dir, "queries.jsonl")
	questions, oerr := existing(dir, "questions.jsonl")
	switch {
	case oerr == nil:
		return in.own(questions)
	case qerr == nil:
		return in.beir(dir, queries)
	}
	return fmt.Errorf("%s: DIR must hold questions.jsonl, and corpus.jsonl or documents in docs; or BEIR's queries.jsonl, corpus.jsonl and qrels; name a file of HotpotQA, 2WikiMultihopQA or MuSiQue itself", dir)
}

// file opens a file by its first record.
func (in *reading) file(path string) error {
	format, err := recognise(path)
	if err != nil {
		return err
	}
	switch format {
	case HotpotQA, TwoWiki:
		return in.contexts(path, format, hotpot)
	case MuSiQue:
		return in.contexts(path, format, musique)
	}
	return in.own(path)
}

// recognise tells a file's format by the fields of its first record.
func recognise(path string) (Format, error) {
	r, err := openRecords(path)
	if err != nil {
		return "", err
	}
	defer r.close()
	if err := r.next(); errors.Is(err, io.EOF) {
		return "", fmt.Errorf("%s holds no questions", path)
	} else if err != nil {
		return "", err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(r.data, &fields); err != nil {
		return "", r.wrong(err)
	}
	has := func(name string) bool { return len(fields[name]) > 0 }
	switch {
	case has("question") && has("paragraphs"):
		return MuSiQue, nil
	case has("question") && has("context") && has("evidences") && !has("answers"):
		return TwoWiki, nil
	case has("question") && has("context") && !has("answers"):
		return HotpotQA, nil
	case has("question") && has("id"):
		return Own, nil
	}
	return "", r.wrong(errors.New(`no question of a known format: wanted is {"id","question","answers"}, or the fields of HotpotQA, 2WikiMultihopQA ("question","context") or MuSiQue ("question","paragraphs"); a folder of BEIR is named itself`))
}

// existing returns the path of name in dir, or of name compressed.
func existing(dir, name string) (string, error) {
	path := filepath.Join(dir, name)
	_, err := os.Stat(path)
	if err == nil {
		return path, nil
	}
	if _, zerr := os.Stat(path + ".gz"); zerr == nil {
		return path + ".gz", nil
	}
	return path, err
}
