package eval

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/oracle"
	"hopstream/cmd/hoplab/score"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/node"
	"hopstream/cmd/internal/session"
	"hopstream/index/document"
	"hopstream/index/searcher"
	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/client"
)

// oracleQuestions is how many questions of a set TestOracle asks.
var oracleQuestions = flag.Int("oracle.questions", 60, "questions of each set for TestOracle; 0: all")

// TestOracle answers public multi-hop questions with the gold decomposition
// in place of whoever plans and reads: what is lost, the stages between lost.
func TestOracle(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("indexes two public question sets")
	}
	for _, set := range []string{"musique", "2wikimultihopqa"} {
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			dir := publicSet(t, set)
			r := askOracle(t, dir, *oracleQuestions, func(c *config.Config) {
				c.Retriever.Searchers = []string{searcher.NameLinks}
				c.Strategy.Complex = string(messages.Planned)
				c.Aligner.Windows = true
			})
			t.Log(r)
			if got := r.share(r.retrieved); got < 90 {
				t.Errorf("%.1f %% of gold passages are retrieved, want 90", got)
			}
			if got := r.share(r.answered); got < 85 {
				t.Errorf("%.1f %% of answers are in an aligned window, want 85", got)
			}
			if r.whole == 0 || r.compound == 0 {
				t.Errorf("%d questions were followed to their end, %d are compound", r.whole, r.compound)
			}
			for _, wrong := range r.wrong {
				t.Error(wrong)
			}
		})
	}
}

// publicSet returns the folder of a public question set, or skips the test.
func publicSet(t *testing.T, name string) string {
	t.Helper()
	root := os.Getenv("HOPSTREAM_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "shared", "data")
	}
	dir := filepath.Join(root, name)
	if _, err := os.Stat(filepath.Join(dir, "corpus.jsonl")); err != nil {
		t.Skipf("no question set %s at %s: set HOPSTREAM_DATA to the folder that holds it", name, root)
	}
	return dir
}

// oracleRun counts gold steps by how far what they need came.
type oracleRun struct {
	questions, whole int // whole: with every step answered
	compound         int // questions beside these
	steps            int
	retrieved        int // the gold passage was found in some round
	kept             int // it passed the filter
	held             int // a window of it holds the answer
	answered         int // a window of the step's own sub-query holds the answer
	wrong            []string
}

func (r *oracleRun) share(n int) float64 { return 100 * float64(n) / float64(max(1, r.steps)) }

func (r *oracleRun) String() string {
	return fmt.Sprintf("%d questions, %d whole, and %d compound; %d steps: %.1f %% retrieved, %.1f %% kept, %.1f %% held by a window, %.1f %% answered",
		r.questions, r.whole, r.compound, r.steps, r.share(r.retrieved), r.share(r.kept), r.share(r.held), r.share(r.answered))
}

// askOracle asks the questions of a set that have a whole decomposition.
func askOracle(t *testing.T, dir string, limit int, set func(*config.Config)) *oracleRun {
	t.Helper()
	data, err := dataset.Open(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	asked := slices.DeleteFunc(data.Questions, func(q dataset.Question) bool {
		return len(q.Decomposition) == 0 || slices.ContainsFunc(q.Decomposition, func(s dataset.Step) bool { return s.Support == "" })
	})
	if n := len(asked); limit > 0 && limit < n { // spread evenly: sets are sorted by type
		for i := range limit {
			asked[i] = asked[i*n/limit]
		}
		asked = asked[:limit]
	}
	asked = append(asked, compounds(asked)...)
	a := &cli.App{Stdio: cli.Stdio{Out: io.Discard, Err: io.Discard}, Config: config.Default(), Log: slog.New(slog.DiscardHandler)}
	a.Config.FillIn()
	set(&a.Config)
	ctx := t.Context()
	var gold *oracle.Engine
	s, err := session.Open(ctx, a, session.Options{
		Docs: []string{filepath.Join(dir, "corpus.jsonl")},
		Node: node.Options{Over: func(base stages.Engine) stages.Engine {
			gold = oracle.New(asked, base)
			return gold
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	answers := map[string]*messages.Answer{}
	var rejected []error
	i := 0
	err = s.Run(ctx, client.Bulk{
		Window: window,
		Answer: func(an *messages.Answer) { answers[an.ID] = an },
		Reject: func(_ *messages.Question, err error) { rejected = append(rejected, err) },
	}, func() (*messages.Question, bool) {
		if i == len(asked) {
			return nil, false
		}
		i++
		return &messages.Question{ID: asked[i-1].ID, Question: asked[i-1].Question}, true
	})
	if err = errors.Join(append(rejected, err)...); err != nil {
		t.Fatal(err)
	}
	r := &oracleRun{}
	for i := range asked {
		r.add(t, s, &asked[i], gold, answers[asked[i].ID])
	}
	return r
}

// compounds are questions made of the first steps of two others each, which
// need nothing of each other.
func compounds(of []dataset.Question) []dataset.Question {
	var out []dataset.Question
	for i := 0; i+1 < len(of); i += 2 {
		a, b := of[i].Decomposition[0], of[i+1].Decomposition[0]
		if score.Normalize(a.Question) == score.Normalize(b.Question) {
			continue
		}
		out = append(out, dataset.Question{
			ID: fmt.Sprintf("compound-%d", i), Question: a.Question + " And also: " + b.Question, Class: messages.Compound,
			Entities: []dataset.Entity{{a.Answer}, {b.Answer}}, Decomposition: []dataset.Step{a, b},
		})
	}
	return out
}

// joined checks a compound question: one round, whose sub-answers are its
// answer.
func (r *oracleRun) joined(q *dataset.Question, an *messages.Answer) {
	r.compound++
	var found []string
	for _, h := range an.Hops {
		if h.Answer != "" {
			found = append(found, h.Answer)
		}
	}
	if an.Class != messages.Compound || an.Steps != 1 || len(an.Hops) != len(q.Decomposition) || an.Answer != strings.Join(found, "; ") {
		r.wrong = append(r.wrong, fmt.Sprintf("%s: %s in %d rounds of %d, found %q, answered %q", q.ID, an.Class, an.Steps, len(an.Hops), found, an.Answer))
	}
}

// add counts a question's steps, and checks that one without a loss took as
// many rounds as its gold, and came to the gold answer.
func (r *oracleRun) add(t *testing.T, s *session.Session, q *dataset.Question, gold *oracle.Engine, an *messages.Answer) {
	t.Helper()
	if q.Class == messages.Compound {
		r.joined(q, an)
		return
	}
	way, err := readTrail(t.Context(), s, q.ID)
	if err != nil {
		t.Fatal(err)
	}
	retrieved, kept := documentsOf(way.retrieved), documentsOf(way.kept)
	r.questions++
	open := 0
	for i, step := range q.Decomposition {
		r.steps++
		if slices.Contains(retrieved, step.Support) {
			r.retrieved++
		}
		if slices.Contains(kept, step.Support) {
			r.kept++
		}
		if slices.ContainsFunc(way.windows, func(w messages.Window) bool {
			return document.DocID(w.Passage) == step.Support && score.Acc(w.Text, []string{step.Answer}) == 1
		}) {
			r.held++
		}
		query := gold.Query(q.Question, i)
		if slices.ContainsFunc(an.Hops, func(h messages.Hop) bool { return h.Question == query && h.Answer != "" }) {
			r.answered++
		} else {
			open++
		}
	}
	if open > 0 {
		return
	}
	r.whole++
	if depth := gold.Depth(q.Question); an.Class != messages.Complex || an.Steps != depth {
		r.wrong = append(r.wrong, fmt.Sprintf("%s: %s in %d rounds, the gold takes %d", q.ID, an.Class, an.Steps, depth))
	}
	if an.Status != messages.Answered || score.EM(an.Answer, q.Answers) != 1 {
		r.wrong = append(r.wrong, fmt.Sprintf("%s: every step is answered, and the answer is %s %q", q.ID, an.Status, an.Answer))
	}
}
