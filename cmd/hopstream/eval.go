package main

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"hopstream/cmd/hopstream/dataset"
	"hopstream/cmd/hopstream/report"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
	"hopstream/messages"
)

func newEval(a *cli.App) *cobra.Command {
	var o evalOptions
	cmd := &cobra.Command{
		Use:   "eval PATH...",
		Short: "Measure the pipeline on data sets, presets side by side",
		Long: `Measure the pipeline on data sets. The whole pipeline runs in this process, on
a temporary store, once for each PATH and --preset. A PATH is

  a folder with corpus.jsonl {"id","title","text"} and questions.jsonl
    {"id","question","answers","type","supporting","class","list","entities",
    "decomposition"}, all but id and question optional;
  a folder of BEIR: corpus.jsonl, queries.jsonl and qrels/test.tsv (or dev,
    train, or qrels.tsv beside them);
  a file of HotpotQA, 2WikiMultihopQA or MuSiQue as published: the passages of
    all its questions are the corpus.

EM, F1 and Acc compare answers with the gold ones (SQuAD's normalisation; Acc:
a gold answer is contained; of entities and lists, the share of them that is).
Steps are rounds per question. Recall@k is the share of gold passages among the
first k retrieved, sub-queries interleaved by rank; Succ is the share of
questions whose retrieved text holds a gold answer. Of lists, AA is the share
of the given answers that are right and AC the share of the gold ones that were
given. Where the gold class is known, from the file or --class, the router is
measured too. --json and --html have all of it, with 95 % confidence intervals
(percentile bootstrap with a fixed seed).

--funnel adds what is left of the gold: passages retrieved in any round, kept
by the filter, answers inside an aligned window (of the gold steps, where there
are any), in the answer; also IRR, the share of gold facts retrieved, and Hmix,
the entropy of a question's sub-queries.

--oracle has the gold decomposition in place of whoever routes, plans, reads and
judges: an answer is found if it stands in one of the aligned windows. What is
then missing was lost by retrieval, filter, alignment, join or binding.

--without leaves a part out, to see what it is worth: in its place come the
best-ranked passages (filter), all rounds (judge), the question itself (refiner),
the plan as it is (reviser), whole passages (alignment), the most confident
scale's answer (fusion), BM25 (links), no second try (escalation), the gold
class (router).

With --out, every measured question is written to DIR at once, and --resume
goes on where a run stopped.`,
		Example: `  hopstream eval --limit 200 ./musique
  hopstream eval --preset hopstream --preset hanrag --html report.html ./musique ./hotpotqa
  hopstream eval --funnel --intervals --markdown hotpot_dev_distractor_v1.json
  hopstream eval --out runs ./musique; hopstream eval --out runs --resume ./musique
  hopstream eval --without all --without router --class complex ./musique
  HOPSTREAM_STRATEGY__COMPLEX=plan hopstream eval --oracle --funnel ./musique`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("%[1]s wants one DIR or file of a data set, or several (see: %[1]s --help)", cmd.CommandPath())
			}
			return o.validate()
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runEval(cmd.Context(), a, args, o) },
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.presets, "preset", nil, "strategy to measure: "+strings.Join(config.Presets(), ", ")+" (repeatable)")
	f.StringArrayVar(&o.without, "without", nil, "measure each preset also without this part: "+strings.Join(ablationNames(), ", ")+" (repeatable)")
	f.IntVar(&o.limit, "limit", 0, "questions of each data set at most (0: all)")
	f.StringVar(&o.class, "class", "", "gold class of the questions whose file says none")
	f.BoolVar(&o.oracle, "oracle", false, "plan and read by the gold, so that only what lies between is measured")
	f.BoolVar(&o.judge, "judge", false, "also ask an engine whether answers mean the same as the gold ones")
	f.BoolVar(&o.table.Funnel, "funnel", false, "show what each stage leaves of the gold")
	f.BoolVar(&o.table.Intervals, "intervals", false, "show confidence intervals")
	f.BoolVar(&o.table.Markdown, "markdown", false, "write the table as Markdown")
	f.BoolVar(&o.table.Totals, "totals", false, "leave the types of the questions out of the table")
	f.StringVar(&o.json, "json", "", "write the figures to this file, - for standard output")
	f.StringVar(&o.html, "html", "", "write a page with plots to this file, - for standard output")
	f.StringVar(&o.out, "out", "", "folder for the measured questions, a file per data set and preset")
	f.BoolVar(&o.resume, "resume", false, "skip what --out holds already, and append")
	return cmd
}

// evalOptions are what the command line says.
type evalOptions struct {
	presets []string
	without []string
	limit   int
	class   string
	judge   bool
	oracle  bool
	table   report.TableOptions
	json    string
	html    string
	out     string
	resume  bool
}

func (o *evalOptions) validate() error {
	switch {
	case slices.ContainsFunc(o.without, func(s string) bool { return !slices.Contains(ablationNames(), s) }):
		return cli.Usagef("--without %v: choose from %v", o.without, ablationNames())
	case o.limit < 0:
		return cli.Usagef("--limit %d: at least 0", o.limit)
	case o.class != "" && !messages.Class(o.class).Valid():
		return cli.Usagef("--class %q: choose from %v", o.class, messages.Classes())
	case o.resume && o.out == "":
		return cli.Usagef("--resume needs --out DIR, where the questions measured so far are")
	case o.json == "-" && o.html == "-":
		return cli.Usagef("--json - and --html - both write to standard output: name a file for one of them")
	}
	for i, p := range o.presets {
		if slices.Contains(o.presets[:i], p) {
			return cli.Usagef("--preset %s is there twice", p)
		}
	}
	return nil
}

// runEval measures every data set with every preset. Runs that are complete are
// shown even if a later one fails.
func runEval(ctx context.Context, a *cli.App, paths []string, o evalOptions) error {
	sets, err := openSets(paths, o)
	if err != nil {
		return err
	}
	if err := o.goldAnswers(sets); err != nil {
		return err
	}
	presets, err := presetSystems(a, o.presets)
	if err != nil {
		return err
	}
	var systems []*system
	for _, b := range presets {
		systems = append(systems, b.without(o.without)...)
	}
	for _, b := range systems {
		if err := oracleHasGold(b, sets); err != nil {
			return err
		}
	}
	var runs []report.Run
	for _, set := range sets {
		for _, b := range systems {
			run, rerr := b.measureSet(ctx, set, o)
			if rerr != nil {
				if len(runs) == 0 {
					return rerr
				}
				return errors.Join(rerr, renderEval(a, runs, o))
			}
			runs = append(runs, run)
		}
	}
	return renderEval(a, runs, o)
}

// openSets reads the questions of all data sets, each with its gold class,
// under names that differ.
func openSets(paths []string, o evalOptions) ([]*dataset.Set, error) {
	var sets []*dataset.Set
	named := map[string]string{}
	for _, path := range paths {
		set, err := dataset.Open(path, o.limit)
		if err != nil {
			return nil, err
		}
		for i := range set.Questions {
			if q := &set.Questions[i]; q.Class == "" {
				q.Class = messages.Class(o.class)
			}
		}
		abs, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		if other, taken := named[set.Name]; taken && other != abs {
			set.Name = filepath.Base(filepath.Dir(abs)) + "-" + set.Name
		}
		if other, taken := named[set.Name]; taken {
			return nil, cli.Usagef("%s and %s have the same name %s: rename one of them", other, abs, set.Name)
		}
		named[set.Name] = abs
		sets = append(sets, set)
	}
	return sets, nil
}

// presetSystems are a with each of the named presets; a itself where none is named.
func presetSystems(a *cli.App, names []string) ([]*system, error) {
	if len(names) == 0 {
		b := *a
		return []*system{{App: &b}}, nil
	}
	var out []*system
	for _, name := range names {
		b, err := a.Preset(name)
		if err != nil {
			return nil, err
		}
		out = append(out, &system{App: b})
	}
	return out, nil
}

// oracleHasGold refuses an oracle that knows nothing.
func oracleHasGold(a *system, sets []*dataset.Set) error {
	if !a.Config.Router.Oracle {
		return nil
	}
	for _, s := range sets {
		for i := range s.Questions {
			if s.Questions[i].Class == "" {
				return cli.Usagef("router.oracle routes questions as their gold class, and question %s of %s has none: give it one, or --class", s.Questions[i].ID, s.Name)
			}
		}
	}
	return nil
}
