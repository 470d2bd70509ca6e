package bulk

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/render"
	"hopstream/messages"
	"hopstream/stages/client"
)

// streamer moves questions in and answers out.
type streamer struct {
	app     *cli.App
	o       Options
	in      *Lines
	out     *bufio.Writer
	bar     *progressbar.ProgressBar
	done    *doneBefore
	unknown map[string]bool // unknown fields already reported

	mu       sync.Mutex // guards the below: answers and rejections come from several goroutines
	answered map[messages.Status]int
	rejected int
	skipped  int
	flushing bool // a flush is due
	ended    bool
	err      error
}

// next returns the next question to ask.
func (st *streamer) next() (*messages.Question, bool) {
	for !st.failed() {
		line, n, err := st.in.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil, false
		case errors.Is(err, errLongLine):
			st.refuse(n, nil, err)
			continue
		case err != nil:
			st.mu.Lock()
			st.err = fmt.Errorf("questions: %w", err)
			st.mu.Unlock()
			return nil, false
		case len(strings.TrimSpace(string(line))) == 0:
			continue
		}
		q, unknown, err := ParseQuestion(line)
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
		q.Priority = cmp.Or(q.Priority, st.o.Priority, messages.Bulk)
		q.Tenant = cmp.Or(q.Tenant, st.o.Tenant)
		switch has, err := st.done.has(q); {
		case err != nil:
			st.reject(q, err)
			continue
		case has:
			st.mu.Lock()
			st.skipped++
			_ = st.bar.Add(1)
			st.mu.Unlock()
			continue
		}
		return q, true
	}
	return nil, false
}

// failed reports whether reading or writing has failed. No further question is
// asked then, and the open ones are waited for.
func (st *streamer) failed() bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.err != nil
}

// unknownFields deals with fields of line n that no question has: with
// Options.Strict it returns an error, otherwise it warns once for each name.
func (st *streamer) unknownFields(n int, names []string) error {
	slices.Sort(names)
	if st.o.Strict {
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
		st.app.Complain("line %d: passing over unknown fields: %s", n, strings.Join(fresh, ", "))
	}
	return nil
}

// refuse reports a line that cannot be asked.
func (st *streamer) refuse(n int, q *messages.Question, err error) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.app.Complain("line %d: %s", n, cli.OneLine(err))
	st.rejected++
	if q != nil {
		if q.ID == "" {
			q.ID = fmt.Sprintf("line-%d", n)
		}
		if !st.done.refused(q.ID) {
			st.write(refusal(q, fmt.Errorf("line %d: %w", n, err)))
		}
	}
	_ = st.bar.Add(1)
}

// reject reports a question that the pipeline refused, and writes a failed
// answer for it. If its ID belongs to another question no answer is written:
// the output has one line per ID, which is the other question's.
func (st *streamer) reject(q *messages.Question, err error) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.app.Complain("%s", cli.OneLine(err))
	st.rejected++
	if !errors.Is(err, client.ErrClash) {
		st.write(refusal(q, err))
	}
	_ = st.bar.Add(1)
}

func refusal(q *messages.Question, err error) *messages.Answer {
	return messages.NewAnswer(&messages.Head{ID: q.ID, Question: strings.ToValidUTF8(q.Question, "\uFFFD"), Asked: time.Now()},
		messages.Failed, messages.Finding{}, cli.OneLine(err), time.Now())
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

// write writes one line. After an error nothing more is written.
func (st *streamer) write(a *messages.Answer) {
	if st.err != nil {
		return
	}
	err := render.JSON(st.out, a, false)
	if err == nil && !st.flushing {
		st.flushing = true
		time.AfterFunc(flushEvery, st.flush) // the run's end flushes the last
	}
	st.wrote(err)
}

// flush writes out what is buffered, so that the answers of a slow batch can be
// read while it runs.
func (st *streamer) flush() {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.flushing = false
	if st.err == nil && !st.ended {
		st.wrote(st.out.Flush())
	}
}

func (st *streamer) wrote(err error) {
	if err != nil && st.err == nil {
		st.err = fmt.Errorf("answers: %w: make room and run again with --resume", err)
	}
}

// settled is how many answers there are.
func (st *streamer) settled() int {
	st.mu.Lock()
	defer st.mu.Unlock()
	n := 0
	for _, k := range st.answered {
		n += k
	}
	return n
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
