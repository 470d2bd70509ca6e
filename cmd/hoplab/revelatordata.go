package main

import (
	"github.com/spf13/cobra"

	"hopstream/cmd/hoplab/revelator"
	"hopstream/cmd/internal/cli"
)

const setsHelp = `
A PATH is a folder with questions.jsonl and corpus.jsonl, a folder of BEIR, or
a file of HotpotQA, 2WikiMultihopQA or MuSiQue. CLASS=PATH says what its
questions are (straightforward, single, compound, complex) where they do not
say it themselves.`

func newRevelatorData(a *cli.App) *cobra.Command {
	var f revelator.DataOptions
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
		Example: `  hoplab revelator-data compound --out compound single=squad single=nq
  hoplab revelator-data --out training straightforward=commonsenseqa single=nq \
      compound=compound complex=musique complex=2wikimultihopqa
  cd training && llamafactory-cli train revelator_lora_sft.yaml

  hoplab revelator-data --out judge --roles refiner,ending complex=musique_full_v1.0_train.jsonl`,
		Args: somePaths,
		RunE: func(cmd *cobra.Command, args []string) error { return revelator.MakeData(cmd.Context(), a, f, args) },
	}
	commonFlags(cmd, &f)
	fl := cmd.Flags()
	fl.Float64Var(&f.Shares.Dev, "dev", 0.1, "share of questions held out to watch the training, 0 to 1")
	fl.Float64Var(&f.Shares.Test, "test", 0.1, "share of questions held out to measure, 0 to 1")
	fl.StringSliceVar(&f.Roles, "roles", nil, "roles to make data for (default: all)")
	fl.IntVar(&f.Negatives, "negatives", 1, "passages that do not help, for each question whose gold passage is shown, 1 to 50")
	cmd.AddCommand(newCompoundData(a))
	return cmd
}

func newCompoundData(a *cli.App) *cobra.Command {
	var f revelator.DataOptions
	cmd := &cobra.Command{
		Use:   "compound --out DIR [CLASS=]PATH…",
		Short: "Make a benchmark of compound questions out of simple ones about one thing",
		Long: `Make a benchmark of compound questions, as HANRAG's: two to four simple
questions about one thing, joined in one of several ways. A thing is a gold
passage's title. The gold: the answers of each part as entities, the parts as
decomposition, all their passages. DIR gets questions.jsonl and corpus.jsonl,
which hoplab eval reads, and manifest.json.
` + setsHelp,
		Example: `  hoplab revelator-data compound --out compound --limit 2000 single=squad single=nq
  hoplab eval compound`,
		Args: somePaths,
		RunE: func(cmd *cobra.Command, args []string) error {
			return revelator.MakeCompounds(cmd.Context(), a, f, args)
		},
	}
	commonFlags(cmd, &f)
	cmd.Flags().IntVar(&f.Limit, "limit", 0, "questions at most (0: as many as there are)")
	return cmd
}

func commonFlags(cmd *cobra.Command, f *revelator.DataOptions) {
	cmd.Flags().StringVar(&f.Out, "out", "", "folder to write (required)")
	cmd.Flags().BoolVar(&f.Force, "force", false, "write over a folder that this command made")
	cmd.Flags().Uint64Var(&f.Seed, "seed", 1, "seed of what is drawn")
}

func somePaths(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cli.Usagef("%s wants data sets, [CLASS=]PATH… (see: %s --help)", cmd.CommandPath(), cmd.CommandPath())
	}
	return nil
}
