package archive

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"hopstream/messages"
	"hopstream/stages/log"
)

// Options say what is exported.
type Options struct {
	// After is the sequence of the last answer that is archived elsewhere. It counts
	// where the folder does not go further.
	After  uint64
	Since  time.Time // only answers stored since then; zero: all
	Traces bool      // the traces of their questions too, as far as they are kept
	Gzip   bool      // compress the files
	// Placed is told of every file, as soon as it is in its place: how many answers
	// it has, and the sequence of the last. An error ends the export. Nil is not told.
	Placed func(answers int, last uint64) error
}

// Done is what was exported.
type Done struct {
	Answers int    `json:"answers"`
	Files   int    `json:"files"`
	Bytes   int64  `json:"bytes"`    // before compression
	Last    uint64 `json:"last_seq"` // of the last archived answer
}

const (
	page        = 256
	fileAnswers = 100_000
	fileBytes   = 64 << 20 // before compression
)

// Export writes the answers that are not in the folder yet, in the order in which
// they were stored. A file ends with its day (of UTC), at 64 MiB, or at 100,000
// answers. Whatever ends an export, the next one goes on after the last whole file.
// It fails where the log cannot be read or the folder not be written.
func Export(ctx context.Context, l *log.Log, f *Folder, o Options) (Done, error) {
	from, err := start(ctx, l, f, o)
	if err != nil {
		return Done{}, err
	}
	e := &export{Options: o, log: l, folder: f, done: Done{Last: from - 1}}
	defer e.discard()
	for {
		stored, err := l.Range(ctx, messages.KindAnswer, from, page)
		if err != nil {
			return e.done, err
		}
		if len(stored) == 0 {
			return e.done, e.place()
		}
		for _, s := range stored {
			if err := e.add(ctx, s); err != nil {
				return e.done, err
			}
			from = s.Seq + 1
		}
	}
}

// start is the sequence to begin with. A stream that was made after what the folder
// holds counts its answers anew.
func start(ctx context.Context, l *log.Log, f *Folder, o Options) (uint64, error) {
	at, last, err := f.Last()
	if err != nil {
		return 0, err
	}
	s, err := l.JetStream().Stream(ctx, l.Names().Stream(messages.KindAnswer))
	if err != nil {
		return 0, fmt.Errorf("archive: %w", err)
	}
	info := s.CachedInfo()
	anew := info.Created.After(at) && !info.State.FirstTime.Before(info.Created) && info.State.FirstSeq <= last
	if !anew {
		last = max(last, o.After)
	}
	if anew || info.State.LastSeq < last {
		last = 0
	}
	if o.Since.IsZero() {
		return last + 1, nil
	}
	first, err := l.FirstSince(ctx, messages.KindAnswer, o.Since)
	if errors.Is(err, log.ErrNotFound) {
		first, err = info.State.LastSeq+1, nil
	}
	return max(first, last+1), err
}

// export is one export.
type export struct {
	Options
	log            *log.Log
	folder         *Folder
	answers        *file // nil between two files
	traces         *file
	day            string
	at             time.Time // of the file's first answer
	first, last, n uint64
	done           Done
}

// add writes one answer, in a new file where the one before is to end.
func (e *export) add(ctx context.Context, s *log.Stored) error {
	day := s.Time.UTC().Format(time.DateOnly)
	if e.answers != nil && (day != e.day || e.n >= fileAnswers || e.answers.bytes >= fileBytes || e.traces != nil && e.traces.bytes >= fileBytes) {
		if err := e.place(); err != nil {
			return err
		}
	}
	if e.answers == nil {
		if err := e.begin(s, day); err != nil {
			return err
		}
	}
	if e.traces != nil {
		if err := e.trace(ctx, s); err != nil {
			return err
		}
	}
	e.n, e.last = e.n+1, s.Seq
	return wrapped(e.answers.line(line(s)))
}

func (e *export) begin(s *log.Stored, day string) (err error) {
	e.day, e.at, e.first, e.n = day, s.Time, s.Seq, 0
	if e.answers, err = create(e.folder.path, answers, e.Gzip); err == nil && e.Traces {
		e.traces, err = create(e.folder.path, traces, e.Gzip)
	}
	return wrapped(err)
}

// line is a stored message as one line: as it is, if it is JSON; any client may
// publish something else.
func line(s *log.Stored) []byte {
	var b bytes.Buffer
	if json.Compact(&b, s.Data) == nil {
		return b.Bytes()
	}
	text, _ := json.Marshal(map[string]any{"subject": s.Subject, "data": s.Data}) // text and bytes
	return text
}

// trace writes what is kept of an answer's question, in one line.
func (e *export) trace(ctx context.Context, s *log.Stored) error {
	_, key, err := e.log.Names().Parse(s.Subject)
	if err != nil {
		return nil // no question has such a subject
	}
	all, err := e.log.Trace(ctx, key.ID)
	if errors.Is(err, log.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	type entry struct {
		Subject string          `json:"subject"`
		Time    time.Time       `json:"time"`
		Message json.RawMessage `json:"message"`
	}
	t := struct {
		ID       string  `json:"id"`
		Messages []entry `json:"messages"`
	}{ID: key.ID}
	for _, m := range all {
		if m.Subject != s.Subject { // the answer has a line of its own
			t.Messages = append(t.Messages, entry{m.Subject, m.Time, line(m)})
		}
	}
	text, err := json.Marshal(t)
	if err != nil {
		return wrapped(err)
	}
	return wrapped(e.traces.line(text))
}

// place puts the files in their places, the answers' last: they say what there is.
func (e *export) place() error {
	if e.answers == nil {
		return nil
	}
	if e.traces != nil {
		if err := e.traces.place(e.at, e.first, e.last); err != nil {
			return wrapped(err)
		}
		e.done.Bytes += e.traces.bytes
		e.traces = nil
	}
	if err := e.answers.place(e.at, e.first, e.last); err != nil {
		return wrapped(err)
	}
	e.done.Answers += int(e.n)
	e.done.Files++
	e.done.Bytes += e.answers.bytes
	e.done.Last, e.answers = e.last, nil
	if e.Placed == nil {
		return nil
	}
	return e.Placed(int(e.n), e.last)
}

// discard ends what is not in its place.
func (e *export) discard() {
	for _, f := range []*file{e.answers, e.traces} {
		if f != nil {
			f.discard()
		}
	}
}

func wrapped(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("archive: %w", err)
}
