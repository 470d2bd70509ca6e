package eval

import (
	"context"
	"errors"
	"fmt"
	"os"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/report"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/node"
	"hopstream/cmd/internal/session"
	"hopstream/messages"
	"hopstream/stages/client"
)

// Live is a data set over which a pipeline runs, to ask its questions again and
// again.
type Live struct {
	Set     *dataset.Set
	session *session.Session
	dir     string
	asked   int
}

// Open reads a data set, at most limit of its questions, and starts a pipeline over
// its passages.
func Open(ctx context.Context, a *cli.App, path string, limit int) (*Live, error) {
	set, err := dataset.Open(path, limit)
	if err != nil {
		return nil, err
	}
	return open(ctx, a, set, node.Options{})
}

// open starts a pipeline over a set's passages, on a temporary store.
func open(ctx context.Context, a *cli.App, set *dataset.Set, o node.Options) (*Live, error) {
	dir, err := os.MkdirTemp("", "hopstream-eval-")
	if err != nil {
		return nil, err
	}
	l := &Live{Set: set, dir: dir}
	corpus, err := set.CorpusFile(dir)
	if err == nil {
		l.session, err = session.Open(ctx, a, session.Options{Docs: []string{corpus}, Node: o})
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return l, nil
}

// Ask asks questions of the set, as many at once as window says, and measures their
// answers. The records are in the questions' order.
func (l *Live) Ask(ctx context.Context, questions []*dataset.Question, window int) ([]report.Record, error) {
	l.asked++
	place := make(map[string]int, len(questions))
	out := make([]report.Record, len(questions))
	var rejected []error
	i := 0
	err := l.session.Run(ctx, client.Bulk{
		Window: window,
		Answer: func(an *messages.Answer) {
			q := place[an.ID]
			out[q] = report.Record{ID: questions[q].ID, Question: questions[q].Question, Answer: an.Answer, Status: an.Status, Class: an.Class, Confidence: an.Confidence}
			scoreAnswer(&out[q], questions[q], an)
		},
		Reject: func(_ *messages.Question, err error) { rejected = append(rejected, err) },
	}, func() (*messages.Question, bool) {
		if i == len(questions) {
			return nil, false
		}
		id := fmt.Sprintf("%d-%d", l.asked, i)
		place[id] = i
		i++
		return &messages.Question{ID: id, Question: questions[i-1].Question, Priority: messages.Bulk}, true
	})
	return out, errors.Join(append(rejected, err)...)
}

// Close stops the pipeline.
func (l *Live) Close() error { return errors.Join(l.session.Close(), os.RemoveAll(l.dir)) }
