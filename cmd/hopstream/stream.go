package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"hopstream/messages"
	"hopstream/stages/client"
)

func newStream(a *app) *cobra.Command {
	var o streamOptions
	cmd := &cobra.Command{
		Use:   "stream",
		Short: "Answer questions in bulk: JSONL in, JSONL out as the answers come",
		Long: `Read questions as JSON lines, {"id","question","deadline","budget"}, all but the
question optional, and write one answer line per question as the answers come,
in no particular order.

A line that cannot be asked is reported on standard error with its number; if
it names a question at all, it gets an answer line with status "failed". The
rest of the batch goes on, and the exit code is 1. An ID that was answered
before gets the answer that is stored.

With --resume, questions that have a line in --out already are left out, so an
interrupted run goes on where it stopped.`,
		Example: `  hopstream stream --docs corpus.jsonl --in questions.jsonl --out answers.jsonl
  hopstream stream --in questions.jsonl --out answers.jsonl --resume
  cat questions.jsonl | hopstream stream --nats nats://10.0.0.5:4222 > answers.jsonl`,
		Args: exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if o.resume && (o.out == "" || o.out == "-") {
				return usagef("--resume needs --out FILE, where the answers so far are")
			}
			if o.window < 1 {
				return usagef("--window %d: at least 1", o.window)
			}
			return a.stream(cmd.Context(), o)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.docs, "docs", nil, "documents to answer from: a file or folder (repeatable)")
	f.StringVar(&o.in, "in", "-", "file of questions; - is standard input")
	f.StringVar(&o.out, "out", "-", "file for answers; - is standard output")
	f.BoolVar(&o.resume, "resume", false, "skip what --out holds already, and append")
	f.BoolVar(&o.strict, "strict", false, "refuse lines with unknown fields instead of passing over them")
	f.IntVar(&o.window, "window", 500, "questions open at once")
	return cmd
}

type streamOptions struct {
	docs           []string
	in, out        string
	resume, strict bool
	window         int
}

// streamer moves questions in and answers out.
type streamer struct {
	app     *app
	o       streamOptions
	in      *lines
	out     *bufio.Writer
	bar     *progressbar.ProgressBar
	done    *doneBefore
	unknown map[string]bool // unknown fields already reported

	mu       sync.Mutex // guards the below: answers and rejections come from several goroutines
	answered map[messages.Status]int
	rejected int
	skipped  int
	flushed  time.Time
	err      error
}

func (a *app) stream(ctx context.Context, o streamOptions) (err error) {
	in, err := openIn(a.in, o.in)
	if err != nil {
		return err
	}
	defer in.Close()
	st := &streamer{app: a, o: o, in: newLines(in), unknown: map[string]bool{}, answered: map[messages.Status]int{}}
	out, err := st.openOut()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	st.out = bufio.NewWriterSize(out, 64<<10)
	s, err := a.open(ctx, sessionOptions{docs: o.docs})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()

	st.bar = a.progress(countLines(in), "answering", false)
	err = s.Run(ctx, client.Bulk{Window: o.window, Answer: st.answer, Reject: st.reject}, st.next)
	_ = st.bar.Finish()
	err = errors.Join(err, st.err, st.out.Flush())
	fmt.Fprintln(a.err, st.summary())
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted: what was accepted goes on in the pipeline; run again with --resume for the rest")
	}
	if err == nil && st.rejected > 0 {
		return errSilent
	}
	return err
}

// next returns the next question to ask.
func (st *streamer) next() (*messages.Question, bool) {
	for {
		line, n, err := st.in.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil, false
		case errors.Is(err, errLongLine):
			st.refuse(n, nil, err)
			continue
		case err != nil:
			st.mu.Lock()
			st.err = fmt.Errorf("read %s: %w", st.o.in, err)
			st.mu.Unlock()
			return nil, false
		case len(strings.TrimSpace(string(line))) == 0:
			continue
		}
		q, unknown, err := parseQuestion(line)
		if err == nil && len(unknown) > 0 {
			err = st.unknownFields(n, unknown)
		}
		if err == nil {
			err = q.Validate()
		}
		if err != nil {
			st.refuse(n, q, err)
			continue
		}
		if st.done.has(q) {
			st.mu.Lock()
			st.skipped++
			_ = st.bar.Add(1)
			st.mu.Unlock()
			continue
		}
		return q, true
	}
}

// unknownFields refuses them if that was asked for, and otherwise names each
// once.
func (st *streamer) unknownFields(n int, names []string) error {
	slices.Sort(names)
	if st.o.strict {
		return fmt.Errorf("unknown fields %s: leave them out, or run without --strict", strings.Join(names, ", "))
	}
	var fresh []string
	for _, name := range names {
		if !st.unknown[name] && len(st.unknown) < 100 {
			st.unknown[name] = true
			fresh = append(fresh, name)
		}
	}
	if len(fresh) > 0 {
		fmt.Fprintf(st.app.err, "hopstream: line %d: passing over unknown fields: %s\n", n, strings.Join(fresh, ", "))
	}
	return nil
}

// refuse reports a line that cannot be asked.
func (st *streamer) refuse(n int, q *messages.Question, err error) {
	st.mu.Lock()
	defer st.mu.Unlock()
	fmt.Fprintf(st.app.err, "hopstream: line %d: %s\n", n, oneLine(err))
	st.rejected++
	if q != nil {
		if q.ID == "" {
			q.ID = fmt.Sprintf("line-%d", n)
		}
		st.write(refusal(q, fmt.Errorf("line %d: %w", n, err)))
	}
	_ = st.bar.Add(1)
}

// reject takes a question that the pipeline refused. One whose ID belongs to
// another question gets no line: the ID's line is the other's.
func (st *streamer) reject(q *messages.Question, err error) {
	st.mu.Lock()
	defer st.mu.Unlock()
	fmt.Fprintf(st.app.err, "hopstream: %s\n", oneLine(err))
	st.rejected++
	if !errors.Is(err, client.ErrClash) {
		st.write(refusal(q, err))
	}
	_ = st.bar.Add(1)
}

func refusal(q *messages.Question, err error) *messages.Answer {
	return messages.NewAnswer(&messages.Head{ID: q.ID, Question: strings.ToValidUTF8(q.Question, "\uFFFD"), Asked: time.Now()},
		messages.Failed, messages.Finding{}, oneLine(err), time.Now())
}

func (st *streamer) answer(a *messages.Answer) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.answered[a.Status]++
	st.write(a)
	_ = st.bar.Add(1)
}

// flushEvery is how long an answer may wait in the buffer.
const flushEvery = 100 * time.Millisecond

// write writes one line; the first error ends the run at its end, since the
// answers stay in the log.
func (st *streamer) write(a *messages.Answer) {
	err := writeJSON(st.out, a)
	if err == nil && time.Since(st.flushed) > flushEvery {
		err = st.out.Flush()
		st.flushed = time.Now()
	}
	if err != nil && st.err == nil {
		st.err = fmt.Errorf("write %s: %w: free some space and run again with --resume", st.o.out, err)
	}
}

func (st *streamer) summary() string {
	var parts []string
	for _, s := range messages.Statuses() {
		if n := st.answered[s]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, s))
		}
	}
	if st.skipped > 0 {
		parts = append(parts, fmt.Sprintf("%d skipped", st.skipped))
	}
	if st.rejected > 0 {
		parts = append(parts, fmt.Sprintf("%d rejected", st.rejected))
	}
	if len(parts) == 0 {
		return "no questions"
	}
	return strings.Join(parts, ", ")
}

func (st *streamer) openOut() (io.WriteCloser, error) {
	if st.o.out == "-" || st.o.out == "" {
		return nopCloser{st.app.out}, nil
	}
	if !st.o.resume {
		return os.Create(st.o.out)
	}
	f, err := os.OpenFile(st.o.out, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	if st.done, err = readDone(f); err != nil {
		return nil, errors.Join(fmt.Errorf("--resume from %s: %w", st.o.out, err), f.Close())
	}
	return f, nil
}

type nopCloser struct{ io.Writer }

// Close does nothing: standard output is not ours to close.
func (nopCloser) Close() error { return nil }

func openIn(stdin io.Reader, path string) (io.ReadCloser, error) {
	if path == "-" || path == "" {
		return io.NopCloser(stdin), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("questions: %w", err)
	}
	return f, nil
}

// countLines counts a regular file's lines for the progress bar; -1 means
// that the number is not known.
func countLines(in io.Reader) int64 {
	f, ok := in.(*os.File)
	if !ok {
		return -1
	}
	c, err := os.Open(f.Name())
	if err != nil {
		return -1
	}
	defer c.Close()
	if info, err := c.Stat(); err != nil || !info.Mode().IsRegular() {
		return -1
	}
	n := int64(0)
	buf := make([]byte, 256<<10)
	for {
		k, err := c.Read(buf)
		for _, b := range buf[:k] {
			if b == '\n' {
				n++
			}
		}
		if err != nil {
			return n
		}
	}
}

// doneBefore are the questions that have a line in the output.
type doneBefore struct {
	ids   map[string]bool
	texts map[string]int // lines by text, for questions without IDs
}

func (d *doneBefore) has(q *messages.Question) bool {
	if d == nil {
		return false
	}
	if q.ID != "" {
		return d.ids[q.ID]
	}
	if d.texts[q.Question] > 0 {
		d.texts[q.Question]--
		return true
	}
	return false
}

// readDone reads the answers so far and leaves f behind the last whole line:
// a line that was cut off by a crash is dropped.
func readDone(f *os.File) (*doneBefore, error) {
	d := &doneBefore{ids: map[string]bool{}, texts: map[string]int{}}
	r := bufio.NewReaderSize(f, 256<<10)
	var end int64
	for {
		line, err := r.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if err != nil { // the rest is no whole line
			if terr := f.Truncate(end); terr != nil {
				return nil, terr
			}
			_, err = f.Seek(end, io.SeekStart)
			return d, err
		}
		end += int64(len(line))
		var a struct {
			ID       string `json:"id"`
			Question string `json:"question"`
		}
		if json.Unmarshal(line, &a) != nil || a.ID == "" {
			return nil, errors.New("it holds lines that are no answers: name another file")
		}
		d.ids[a.ID] = true
		d.texts[a.Question]++
	}
}
