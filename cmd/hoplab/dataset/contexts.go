package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// withContext is a question of a file whose questions bring their passages.
type withContext struct {
	Question
	Passages []Document // in the file's order
	skip     bool       // the question is left out, its passages belong to the corpus
}

// contexts opens a file whose questions bring their passages. The corpus is
// the union of the passages of all questions, each once, even of questions
// beyond the limit.
func (in *reading) contexts(path string, format Format, read func(*records) (withContext, error)) error {
	s := in.set
	s.Format, s.files = format, []string{path}
	s.documents = func(yield func(Document, error) bool) {
		seen := map[string]bool{}
		err := each(path, read, func(_ *records, q withContext) (bool, error) {
			for _, d := range q.Passages {
				if seen[d.ID] {
					continue
				}
				seen[d.ID] = true
				if !yield(d, nil) {
					return false, nil
				}
			}
			return true, nil
		})
		if err != nil {
			yield(Document{}, err)
		}
	}
	return each(path, read, func(r *records, q withContext) (bool, error) {
		if !q.skip {
			if err := in.add(q.Question); err != nil {
				return false, r.wrong(err)
			}
		}
		return !in.full(), nil
	})
}

// each calls fn with every record of path until it returns false.
func each(path string, read func(*records) (withContext, error), fn func(*records, withContext) (bool, error)) error {
	r, err := openRecords(path)
	if err != nil {
		return err
	}
	defer r.close()
	for {
		if err := r.next(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		q, err := read(r)
		if err != nil {
			return err
		}
		if more, err := fn(r, q); err != nil || !more {
			return err
		}
	}
}

// passage returns the document of a paragraph. Its ID is made of its title
// and content: the same paragraph has the same ID in every question.
func passage(title, body string) Document {
	sum := sha256.Sum256([]byte(title + "\x00" + body))
	return Document{ID: cut(title, 100) + "~" + hex.EncodeToString(sum[:6]), Title: title, Text: body}
}

// cut returns at most the first n bytes of s, without splitting a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// join puts sentences together, with a space where they bring none.
func join(sentences []string) string {
	var b strings.Builder
	for _, s := range sentences {
		if have := b.String(); have != "" && s != "" && !strings.HasSuffix(have, " ") && !strings.HasPrefix(s, " ") {
			b.WriteByte(' ')
		}
		b.WriteString(s)
	}
	return strings.TrimSpace(b.String())
}
