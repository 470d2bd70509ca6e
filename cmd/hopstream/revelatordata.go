package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"hopstream/cmd/hopstream/dataset"
	"hopstream/cmd/hopstream/revelator"
	"hopstream/cmd/internal/cli"
	"hopstream/messages"
)

// revelatorFlags are what the command is told.
type revelatorFlags struct {
	out       string
	force     bool
	seed      uint64
	shares    revelator.Shares
	roles     []string
	negatives int
	limit     int
}

const setsHelp = `
A PATH is a folder with questions.jsonl and corpus.jsonl, a folder of BEIR, or
a file of HotpotQA, 2WikiMultihopQA or MuSiQue. CLASS=PATH says what its
questions are (straightforward, single, compound, complex) where they do not
say it themselves.`

func newRevelatorData(a *cli.App) *cobra.Command {
	var f revelatorFlags
	cmd := &cobra.Command{
		Use:   "revelator-data --out DIR [CLASS=]PATH…",
		Short: "Make the training data that tunes one model for the planning roles (HANRAG)",
		Long: `Make the training data of HANRAG's Revelator out of public data sets: one model
tuned to be router, decomposer, refiner, relevance filter and ending judge.

An example is the prompt that hopstream asks and the reply that it reads, so
the tuned model is set as models.router.name and so on. DIR gets a file per
role and split in Alpaca's and in ShareGPT's format, LLaMA-Factory's
dataset_info.json and a recipe with the paper's hyper-parameters, splits.jsonl
(which question went where) and manifest.json (counts, seed, SHA-256).

  router         question → class, as many of each class
  decomposer     compound question → its parts; needs decomposition
  refiner        question and findings → next question; needs answered steps
  relevance      question and passage → true or false, hard negatives by BM25
  relevance_all  the same for all passages of a search in one call
  ending         question and findings → enough or not; needs answered steps

The splits share no question, no sub-question and no passage: what is connected
stays together, and the largest such groups go to train. The same input and
seed give the same bytes.
` + setsHelp,
		Example: `  hopstream revelator-data compound --out compound single=squad single=nq
  hopstream revelator-data --out training straightforward=commonsenseqa single=nq \
      compound=compound complex=musique complex=2wikimultihopqa
  cd training && llamafactory-cli train revelator_lora_sft.yaml

  hopstream revelator-data --out judge --roles refiner,ending complex=musique_full_v1.0_train.jsonl`,
		Args: somePaths,
		RunE: func(cmd *cobra.Command, args []string) error { return makeRevelatorData(cmd.Context(), a, f, args) },
	}
	f.common(cmd)
	fl := cmd.Flags()
	fl.Float64Var(&f.shares.Dev, "dev", 0.1, "share of questions held out to watch the training, 0 to 1")
	fl.Float64Var(&f.shares.Test, "test", 0.1, "share of questions held out to measure, 0 to 1")
	fl.StringSliceVar(&f.roles, "roles", nil, "roles to make data for (default: all)")
	fl.IntVar(&f.negatives, "negatives", 1, "passages that do not help, for each question whose gold passage is shown, 1 to 50")
	cmd.AddCommand(newCompoundData(a))
	return cmd
}

func newCompoundData(a *cli.App) *cobra.Command {
	var f revelatorFlags
	cmd := &cobra.Command{
		Use:   "compound --out DIR [CLASS=]PATH…",
		Short: "Make a benchmark of compound questions out of simple ones about one thing",
		Long: `Make a benchmark of compound questions, as HANRAG's: two to four simple
questions about one thing, joined in one of several ways. A thing is a gold
passage's title. The gold: the answers of each part as entities, the parts as
decomposition, all their passages. DIR gets questions.jsonl and corpus.jsonl,
which hopstream eval reads, and manifest.json.
` + setsHelp,
		Example: `  hopstream revelator-data compound --out compound --limit 2000 single=squad single=nq
  hopstream eval compound`,
		Args: somePaths,
		RunE: func(cmd *cobra.Command, args []string) error { return makeCompoundData(cmd.Context(), a, f, args) },
	}
	f.common(cmd)
	cmd.Flags().IntVar(&f.limit, "limit", 0, "questions at most (0: as many as there are)")
	return cmd
}

func (f *revelatorFlags) common(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.out, "out", "", "folder to write (required)")
	cmd.Flags().BoolVar(&f.force, "force", false, "write over a folder that this command made")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "seed of what is drawn")
}

func somePaths(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cli.Usagef("%s wants data sets, [CLASS=]PATH… (see: %s --help)", cmd.CommandPath(), cmd.CommandPath())
	}
	return nil
}

func (f *revelatorFlags) check() (roles []revelator.Role, err error) {
	if f.shares.Dev < 0 || f.shares.Test < 0 || !(f.shares.Dev+f.shares.Test < 1) {
		return nil, cli.Usagef("--dev %v and --test %v: give shares from 0 to 1 that leave something to train with", f.shares.Dev, f.shares.Test)
	}
	if f.negatives < 1 || f.negatives > 50 {
		return nil, cli.Usagef("--negatives %d: give 1 to 50", f.negatives)
	}
	for _, r := range revelator.Roles() { // in their own order, each once
		if len(f.roles) == 0 || slices.Contains(f.roles, string(r)) {
			roles = append(roles, r)
		}
	}
	for _, name := range f.roles {
		if !slices.Contains(roles, revelator.Role(name)) {
			return nil, cli.Usagef("there is no role %q to train: choose from %v", name, revelator.Roles())
		}
	}
	return roles, nil
}

func makeRevelatorData(ctx context.Context, a *cli.App, f revelatorFlags, args []string) error {
	roles, err := f.check()
	if err != nil {
		return err
	}
	if err := mayWrite(f.out, f.force, args); err != nil {
		return err
	}
	sets, inputs, err := readSets(ctx, a, args)
	if err != nil {
		return err
	}
	bar := a.Progress(-1, "searching", false)
	made, err := revelator.Build(ctx, sets, revelator.Options{Seed: f.seed, Shares: f.shares, Roles: roles, Negatives: f.negatives,
		Progress: func(done, total int) {
			bar.ChangeMax(total)
			_ = bar.Set(done)
		}})
	_ = bar.Finish()
	if _, missing := errors.AsType[revelator.Missing](err); missing {
		return cli.Usage(err)
	}
	if err != nil {
		return err
	}
	if err := writeFolder(f.out, func(dir string) error { return made.Write(dir, inputs) }); err != nil {
		return err
	}
	return tellMade(a, f.out, made)
}

func tellMade(a *cli.App, out string, made *revelator.Made) error {
	w := tabwriter.NewWriter(a.Out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "role\ttrain\tdev\ttest\t")
	for _, role := range made.Options.Roles {
		by := made.Examples[role]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t\n", role, len(by[revelator.Train]), len(by[revelator.Dev]), len(by[revelator.Test]))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, s := range made.Sets {
		if n := s.Questions[""]; n > 0 {
			fmt.Fprintf(a.Err, "%s: %d questions of no known class were left out: give it as CLASS=PATH\n", s.Name, n)
		}
	}
	_, err := fmt.Fprintf(a.Out, "written to %s\n", out)
	return err
}

func makeCompoundData(ctx context.Context, a *cli.App, f revelatorFlags, args []string) error {
	if f.limit < 0 {
		return cli.Usagef("--limit %d: give a number of questions, or 0 for all", f.limit)
	}
	if err := mayWrite(f.out, f.force, args); err != nil {
		return err
	}
	sets, inputs, err := readSets(ctx, a, args)
	if err != nil {
		return err
	}
	made := revelator.Compounds(sets, revelator.CompoundOptions{Seed: f.seed, Limit: f.limit})
	if len(made.Questions) == 0 {
		return fmt.Errorf("no two simple questions about one thing: give sets of single-step questions with gold passages and their corpus (single=PATH)")
	}
	if err := writeFolder(f.out, func(dir string) error { return made.Write(dir, f.seed, inputs) }); err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.Out, "%d compound questions about %d things, %d documents, written to %s\n",
		len(made.Questions), made.Entities, len(made.Documents), f.out)
	return err
}

// readSets reads the data sets that args name, and what identifies them.
func readSets(ctx context.Context, a *cli.App, args []string) ([]revelator.Set, []revelator.Input, error) {
	bar := a.Progress(int64(len(args)), "reading", false)
	defer func() { _ = bar.Finish() }()
	var sets []revelator.Set
	var inputs []revelator.Input
	names := map[string]bool{}
	for _, arg := range args {
		path, class, err := classAndPath(arg)
		if err != nil {
			return nil, nil, err
		}
		set, err := readSet(ctx, path, class)
		if err != nil {
			return nil, nil, err
		}
		if names[set.Name] {
			set.Name = path
		}
		names[set.Name] = true
		files, err := hashInputs(path)
		if err != nil {
			return nil, nil, err
		}
		sets, inputs = append(sets, set), append(inputs, files...)
		_ = bar.Add(1)
	}
	return sets, inputs, nil
}

// classAndPath takes CLASS=PATH apart; a path may hold an equals sign itself.
func classAndPath(arg string) (path string, class messages.Class, err error) {
	name, rest, ok := strings.Cut(arg, "=")
	switch {
	case ok && messages.Class(name).Valid() && rest != "":
		return rest, messages.Class(name), nil
	case !ok:
		return arg, "", nil
	}
	if _, err := os.Stat(arg); err != nil {
		return "", "", cli.Usagef("%s: there is no class %q: write CLASS=PATH with one of %v, or a PATH alone", arg, name, messages.Classes())
	}
	return arg, "", nil
}

func readSet(ctx context.Context, path string, class messages.Class) (revelator.Set, error) {
	from, err := dataset.Open(path, 0)
	if err != nil {
		return revelator.Set{}, err
	}
	set := revelator.Set{Name: from.Name, Class: class, Questions: from.Questions}
	for d, err := range from.Documents() {
		if errors.Is(err, fs.ErrNotExist) { // questions alone: enough for some roles
			break
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return revelator.Set{}, err
		}
		set.Documents = append(set.Documents, d)
	}
	return set, nil
}
