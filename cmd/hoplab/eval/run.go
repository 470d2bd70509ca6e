package eval

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/sync/errgroup"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/report"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/session"
	"hopstream/messages"
	"hopstream/stages/client"
)

// window is how many questions are open at once: enough to keep the stages
// busy, few enough that a latency is not mostly waiting.
const window = 32

// scorers is how many answers are measured at once.
const scorers = 4

// run is one preset on one data set.
//
//	questions ─▶ pipeline ─▶ answers ─▶ scorers ─▶ records, and their file
type run struct {
	*session.Session
	o      Options
	byID   map[string]*dataset.Question
	left   []*dataset.Question // not measured yet
	file   *report.File        // nil without --out
	scorer scorer
	bar    *progressbar.ProgressBar

	mu       sync.Mutex // guards the below and the file
	records  []report.Record
	rejected []error
}

// measureSet asks the questions of a data set and measures the answers.
func (a *system) measureSet(ctx context.Context, set *dataset.Set, o Options) (_ report.Run, err error) {
	a.Config.NATS.URL = ""
	r := &run{o: o, byID: make(map[string]*dataset.Question, len(set.Questions))}
	for i := range set.Questions {
		r.byID[set.Questions[i].ID] = &set.Questions[i]
	}
	if o.Out != "" {
		if err := r.openFile(a, set); err != nil {
			return report.Run{}, err
		}
		defer func() { err = errors.Join(err, r.file.Close()) }()
	}
	r.skipDone(set)
	if len(r.left) > 0 {
		if err := r.work(ctx, a, set); err != nil {
			return report.Run{}, err
		}
	}
	out := report.NewRun(set.Name, a.name(), o.engine(a.App), string(set.Format), r.records)
	out.Withheld, out.LeftOut = o.Withhold, set.LeftOut
	return out, nil
}

// openFile opens the file of the run's records.
func (r *run) openFile(a *system, set *dataset.Set) error {
	content, err := set.Fingerprint()
	if err != nil {
		return err
	}
	settings, err := fingerprint(a.Config, r.o)
	if err != nil {
		return err
	}
	head := report.Head{Data: set.Name, Preset: a.name(), Engine: r.o.engine(a.App), Content: content, Settings: settings}
	path := filepath.Join(r.o.Out, strings.ReplaceAll(set.Name+"."+head.Preset, string(filepath.Separator), "-")+".jsonl")
	if err := os.MkdirAll(r.o.Out, 0o755); err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	open := report.Create
	if r.o.Resume {
		open = report.Resume
	}
	r.file, err = open(path, head)
	switch {
	case errors.Is(err, os.ErrExist):
		return cli.Usagef("%s is there already: add --resume to go on, or name another folder", path)
	case errors.Is(err, report.ErrOther):
		return cli.Usage(err)
	}
	return err
}

// fingerprint identifies the settings that answers may depend on.
func fingerprint(c config.Config, o Options) (string, error) {
	c = c.Redacted()
	c.Data, c.NATS, c.Log = "", config.NATSConfig{}, config.LogConfig{}
	b, err := json.Marshal(struct {
		Config   config.Config
		Class    string
		Judge    bool
		Oracle   bool `json:",omitempty"`
		Withhold bool `json:",omitempty"`
		Relevant bool `json:",omitempty"`
	}{c, o.Class, o.Judge, o.Oracle, o.Withhold, o.GoldRelevance})
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8]), err
}

// skipDone takes over the records of an earlier run and leaves out their
// questions.
func (r *run) skipDone(set *dataset.Set) {
	done := map[string]bool{}
	if r.file != nil {
		for _, rec := range r.file.Done {
			if r.byID[rec.ID] != nil {
				done[rec.ID] = true
				r.records = append(r.records, rec)
			}
		}
	}
	for i := range set.Questions {
		if q := &set.Questions[i]; !done[q.ID] {
			r.left = append(r.left, q)
		}
	}
}

// work runs the pipeline over what is left.
func (r *run) work(ctx context.Context, a *system, set *dataset.Set) (err error) {
	l, err := open(ctx, a.App, set, r.o.parts(set))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	r.Session = l.session
	r.scorer = newScorer(&a.Config, r.Node.Engines)
	if r.o.Judge {
		judge, err := openJudge(ctx, a.App)
		if err != nil {
			return err
		}
		defer judge.close()
		r.scorer.judge = judge
	}
	r.scorer.routes = r.scorer.routes && !r.o.Oracle
	r.bar = a.Progress(int64(len(r.byID)), "evaluating "+set.Name+" "+a.name(), false)
	_ = r.bar.Add(len(r.records))
	err = r.ask(ctx)
	_ = r.bar.Finish()
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		if r.file == nil {
			return errors.New("interrupted: with --out DIR, --resume goes on where a run stopped")
		}
		return fmt.Errorf("interrupted after %d of %d questions: run again with --resume for the rest", len(r.records), len(r.byID))
	}
	return errors.Join(append(r.rejected, err)...)
}

// ask asks what is left and measures answers as they come.
func (r *run) ask(ctx context.Context) error {
	group, work := errgroup.WithContext(ctx)
	answers := make(chan *messages.Answer, len(r.left)) // never blocks the pipeline
	for range scorers {
		group.Go(func() error {
			for an := range answers {
				if err := r.take(work, an); err != nil {
					return err
				}
			}
			return nil
		})
	}
	group.Go(func() error {
		defer close(answers)
		i := 0
		return r.Run(work, client.Bulk{
			Window: window,
			Answer: func(an *messages.Answer) { answers <- an },
			Reject: func(_ *messages.Question, err error) { r.rejected = append(r.rejected, err) },
		}, func() (*messages.Question, bool) {
			if i == len(r.left) {
				return nil, false
			}
			i++
			return r.question(r.left[i-1]), true
		})
	})
	return group.Wait()
}

// question returns the question as it is asked. For an oracle it comes with
// its gold class.
func (r *run) question(q *dataset.Question) *messages.Question {
	out := &messages.Question{ID: q.ID, Question: q.Question, Priority: messages.Bulk}
	if r.App.Config.Router.Oracle {
		out.Class = q.Class
	}
	return out
}

// take measures one answer and keeps the record.
func (r *run) take(ctx context.Context, an *messages.Answer) error {
	q := r.byID[an.ID]
	t, err := readTrail(ctx, r.Session, an.ID)
	if err != nil {
		return err
	}
	rec, err := r.scorer.score(ctx, q, an, t)
	if err != nil {
		return fmt.Errorf("question %s: %w", an.ID, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file != nil {
		if err := r.file.Add(rec); err != nil {
			return err
		}
	}
	r.records = append(r.records, rec)
	_ = r.bar.Add(1)
	return nil
}
