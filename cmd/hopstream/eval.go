package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"hopstream/cmd/hopstream/score"
	"hopstream/index"
	"hopstream/messages"
	"hopstream/stages/client"
)

func newEval(a *app) *cobra.Command {
	var limit int
	var jsonFile string
	cmd := &cobra.Command{
		Use:   "eval DIR",
		Short: "Measure the pipeline on a data set",
		Long: `Measure the pipeline on a data set: DIR holds corpus.jsonl {"id","title","text"}
and questions.jsonl {"id","question","answers","type","supporting"}. The whole
pipeline runs in this process on a temporary store.

EM, F1 and Acc compare answers with the gold ones (SQuAD's normalisation; Acc:
a gold answer is contained). Steps are rounds per question. Recall@k is the
share of gold passages among the first k retrieved, sub-queries interleaved by
rank; Succ is the share of questions whose retrieved text holds a gold answer.`,
		Example: "  hopstream eval --limit 200 ./musique",
		Args:    exactly(1, "one DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.eval(cmd.Context(), args[0], limit, jsonFile)
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 0, "questions at most (0: all)")
	cmd.Flags().StringVar(&jsonFile, "json", "", "write the figures to this file, - for standard output")
	return cmd
}

// goldQuestion is a line of questions.jsonl.
type goldQuestion struct {
	ID         string   `json:"id"`
	Question   string   `json:"question"`
	Answers    []string `json:"answers"`
	Type       string   `json:"type"`
	Supporting []string `json:"supporting"`
}

// figures are means over questions; percentages but for Steps, calls, tokens
// and milliseconds.
type figures struct {
	Questions  int                     `json:"questions"`
	EM         float64                 `json:"em"`
	F1         float64                 `json:"f1"`
	Acc        float64                 `json:"acc"`
	Steps      float64                 `json:"steps"`
	Recall2    float64                 `json:"recall_at_2"`
	Recall5    float64                 `json:"recall_at_5"`
	Recall10   float64                 `json:"recall_at_10"`
	Succ       float64                 `json:"succ"`
	ModelCalls float64                 `json:"model_calls"`
	Tokens     float64                 `json:"tokens"`
	P50MS      float64                 `json:"latency_p50_ms"`
	P95MS      float64                 `json:"latency_p95_ms"`
	Status     map[messages.Status]int `json:"status"`
	Class      map[messages.Class]int  `json:"class"`

	withGold int
	latency  []float64
}

func (f *figures) add(q goldQuestion, a *messages.Answer, found []messages.Passage) {
	f.Questions++
	f.EM += score.EM(a.Answer, q.Answers)
	f.F1 += score.F1(a.Answer, q.Answers)
	f.Acc += score.Acc(a.Answer, q.Answers)
	f.Steps += float64(a.Steps)
	f.ModelCalls += float64(a.Usage.ModelCalls)
	f.Tokens += float64(a.Usage.PromptTokens + a.Usage.CompletionTokens)
	f.latency = append(f.latency, a.LatencyMS)
	f.Status[a.Status]++
	f.Class[a.Class]++
	ids := make([]string, 0, len(found))
	succ := 0.0
	for _, p := range found {
		if id := index.DocID(p.ID); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
		succ = max(succ, score.Acc(p.Title+" "+p.Text, q.Answers))
	}
	f.Succ += succ
	if len(q.Supporting) > 0 {
		f.withGold++
		f.Recall2 += score.Recall(ids, q.Supporting, 2)
		f.Recall5 += score.Recall(ids, q.Supporting, 5)
		f.Recall10 += score.Recall(ids, q.Supporting, 10)
	}
}

func (f *figures) means() {
	n, g := float64(max(1, f.Questions)), float64(max(1, f.withGold))
	for _, v := range []*float64{&f.EM, &f.F1, &f.Acc, &f.Succ} {
		*v *= 100 / n
	}
	for _, v := range []*float64{&f.Steps, &f.ModelCalls, &f.Tokens} {
		*v /= n
	}
	for _, v := range []*float64{&f.Recall2, &f.Recall5, &f.Recall10} {
		*v *= 100 / g
	}
	slices.Sort(f.latency)
	f.P50MS, f.P95MS = quantile(f.latency, .5), quantile(f.latency, .95)
}

func newFigures() *figures {
	return &figures{Status: map[messages.Status]int{}, Class: map[messages.Class]int{}}
}

func (a *app) eval(ctx context.Context, dir string, limit int, jsonFile string) (err error) {
	gold, err := readGold(filepath.Join(dir, "questions.jsonl"), limit)
	if err != nil {
		return err
	}
	a.cfg.NATS.URL = ""
	s, err := a.open(ctx, sessionOptions{docs: []string{filepath.Join(dir, "corpus.jsonl")}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.close()) }()
	byID := make(map[string]goldQuestion, len(gold))
	for _, q := range gold {
		byID[q.ID] = q
	}
	answers := make([]*messages.Answer, 0, len(gold))
	bar := a.progress(int64(len(gold)), "evaluating", false)
	i := 0
	var rejected []error
	err = s.Run(ctx, client.Bulk{
		Answer: func(an *messages.Answer) { answers = append(answers, an); _ = bar.Add(1) },
		Reject: func(_ *messages.Question, err error) { rejected = append(rejected, err) },
	}, func() (*messages.Question, bool) {
		if i == len(gold) {
			return nil, false
		}
		i++
		return &messages.Question{ID: gold[i-1].ID, Question: gold[i-1].Question}, true
	})
	_ = bar.Finish()
	if err = errors.Join(append(rejected, err)...); err != nil {
		return err
	}
	total, byType := newFigures(), map[string]*figures{}
	for _, an := range answers {
		q := byID[an.ID]
		found, err := s.retrieved(ctx, an.ID)
		if err != nil {
			return err
		}
		if byType[q.Type] == nil {
			byType[q.Type] = newFigures()
		}
		total.add(q, an, found)
		byType[q.Type].add(q, an, found)
	}
	total.means()
	for _, f := range byType {
		f.means()
	}
	return a.renderEval(filepath.Base(filepath.Clean(dir)), total, byType, jsonFile)
}

// retrieved returns the passages found for a question over all its
// sub-queries, interleaved by rank.
func (s *session) retrieved(ctx context.Context, id string) ([]messages.Passage, error) {
	filter := s.link.names.Subject(messages.KindFilter, messages.Key{ID: id}) + ".>"
	stored, err := s.journal.Last(ctx, messages.KindFilter, []string{filter})
	if err != nil {
		return nil, err
	}
	var all []messages.Passage
	for _, st := range stored {
		m, err := st.Decode(s.link.names)
		if err != nil {
			return nil, err
		}
		all = append(all, m.(*messages.Filter).Passages...)
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Rank < all[j].Rank })
	return all, nil
}

func readGold(path string, limit int) ([]goldQuestion, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("DIR must hold questions.jsonl and corpus.jsonl: %w", err)
	}
	defer f.Close()
	var gold []goldQuestion
	for in := newLines(f); limit <= 0 || len(gold) < limit; {
		line, n, err := in.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		var q goldQuestion
		if err := json.Unmarshal(line, &q); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		gold = append(gold, q)
	}
	if len(gold) == 0 {
		return nil, fmt.Errorf("%s holds no questions", path)
	}
	return gold, nil
}

func (a *app) renderEval(name string, total *figures, byType map[string]*figures, jsonFile string) error {
	if jsonFile != "" {
		out := a.out
		if jsonFile != "-" {
			f, err := os.Create(jsonFile)
			if err != nil {
				return err
			}
			defer f.Close()
			out = f
		}
		if err := writeJSON(out, map[string]any{"data": name, "engine": a.cfg.Engine, "total": total, "types": byType}); err != nil || jsonFile == "-" {
			return err
		}
	}
	w := tabwriter.NewWriter(a.out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "data\tquestions\tEM\tF1\tAcc\tSteps\tR@2\tR@5\tR@10\tSucc\tcalls\ttokens\tp50 ms\tp95 ms\t")
	row := func(name string, f *figures) {
		fmt.Fprintf(w, "%s\t%d\t%.1f\t%.1f\t%.1f\t%.2f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.0f\t%.0f\t%.0f\t\n", name, f.Questions,
			f.EM, f.F1, f.Acc, f.Steps, f.Recall2, f.Recall5, f.Recall10, f.Succ, f.ModelCalls, f.Tokens, f.P50MS, f.P95MS)
	}
	row(name, total)
	if len(byType) > 1 {
		types := make([]string, 0, len(byType))
		for t := range byType {
			types = append(types, t)
		}
		slices.Sort(types)
		for _, t := range types {
			row("  "+t, byType[t])
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(a.out, "engine %s · classes %v · %v\n", a.cfg.Engine, counts(total.Class), counts(total.Status))
	return nil
}

func counts[K ~string](m map[K]int) string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, string(k))
	}
	slices.Sort(keys)
	out := ""
	for i, k := range keys {
		if i > 0 {
			out += ", "
		}
		out += fmt.Sprintf("%d %s", m[K(k)], k)
	}
	return out
}

// quantile of sorted values, by nearest rank.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}
