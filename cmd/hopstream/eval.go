package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"text/tabwriter"

	"github.com/spf13/cobra"

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

// evalWindow is how many questions are open at once: enough to keep the stages
// busy, few enough that a latency is not mostly waiting.
const evalWindow = 32

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
		Window: evalWindow,
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
