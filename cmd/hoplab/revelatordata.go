package main

import (
	"github.com/spf13/cobra"

	"hopstream/cmd/hoplab/revelator"
	"hopstream/cmd/hoplab/revelator/routing"
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
(which question went where), router_test.jsonl (held-out questions with their
classes) and manifest.json (counts, seed, SHA-256).

  router         question → class, in the paper's proportions
  decomposer     compound question → its parts; needs decomposition
  refiner        question and findings → next question; needs answered steps
  relevance      question and passage → true or false, hard negatives by BM25
  relevance_all  the same for all passages of a search in one call
  ending         question and findings → enough or not; needs answered steps; with
                 nothing found yet, only straightforward questions have enough

Which passages are relevant is known of the gold ones. With --engine ollama, the
model of the role equivalence (models.equivalence, or else --model) labels up to
ten passages of each question, as a large model does for the paper; its replies
stand in DIR.replies.jsonl until DIR is made.

The router's train and dev sets have 12,247 straightforward questions for each
50,000 of the other classes, as many as the scarcest class allows, half of the
single ones sub-questions; its test set has up to 1,500 of each. manifest.json
has the numbers.

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
	fl.IntVar(&f.Labelled, "labelled", 5000, "questions whose passages a model labels, at most (0: all)")
	fl.IntVar(&f.Negatives, "negatives", 1, "passages that do not help, for each question whose gold passage is shown, 1 to 50")
	cmd.AddCommand(newCompoundData(a), newRouterTest(a))
	return cmd
}

func newCompoundData(a *cli.App) *cobra.Command {
	var f revelator.BenchmarkOptions
	cmd := &cobra.Command{
		Use:   "compound --out DIR [CLASS=]PATH…",
		Short: "Make a benchmark of compound questions, each about one thing",
		Long: `Make a benchmark of compound questions, as HANRAG's: two to four simple
questions about one thing, combined. The gold: the answers of each part as
entities, the parts as decomposition, all their passages. DIR gets
questions.jsonl and corpus.jsonl, which hoplab eval reads, and manifest.json.

Without a model, gold questions of the data sets are joined in one of several
ways. A thing is a gold passage's title.

With --engine ollama, a model writes them, as in the paper: about a thing, from
each of up to ten passages that tell of it, one simple question whose short
answer stands in the passage; then it combines two to four of them, if they can
be. Things are the titles of the data sets' documents, and with --docs those of
your own files and folders and the names in them. The model is that of the role
equivalence (models.equivalence, or else --model), which no stage asks. Its
replies stand in DIR.replies.jsonl until DIR is made: if the run ends early, the
same command goes on.
` + setsHelp,
		Example: `  hoplab revelator-data compound --out compound --limit 2000 single=squad single=nq
  hoplab revelator-data compound --out mine --engine ollama --model qwen2.5:72b --limit 200 --docs handbook/
  hoplab eval compound mine`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(f.Docs) > 0 {
				return nil
			}
			return somePaths(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return revelator.MakeCompounds(cmd.Context(), a, f, args)
		},
	}
	commonFlags(cmd, &f.DataOptions)
	fl := cmd.Flags()
	fl.IntVar(&f.Limit, "limit", 0, "questions at most (0: as many as there are)")
	fl.StringArrayVar(&f.Docs, "docs", nil, "file or folder of your own to have questions written about (repeatable)")
	fl.IntVar(&f.Entities, "entities", revelator.DefaultEntities, "things that a model writes about, at most")
	fl.IntVar(&f.PerEntity, "per-entity", revelator.DefaultPerEntity, "passages of each, at most")
	return cmd
}

func newRouterTest(a *cli.App) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "router DIR",
		Short: "Measure a router on the held-out questions of a folder of training data",
		Long: `Ask the router that is configured, builtin or a model, for the class of each
question in DIR's router_test.jsonl: up to 1,500 of each class, none of them
trained with, as HANRAG measures its own (83.93 % right).`,
		Example: `  hoplab revelator-data router training
  HOPSTREAM_MODELS__ROUTER__NAME=revelator hoplab revelator-data router --engine ollama training`,
		Args: cli.Exactly(1, "one DIR that revelator-data made"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return routing.Measure(cmd.Context(), a, args[0], asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the figures as JSON")
	return cmd
}

func commonFlags(cmd *cobra.Command, f *revelator.DataOptions) {
	cmd.Flags().StringVar(&f.Out, "out", "", "folder to write (required)")
	cmd.Flags().BoolVar(&f.Force, "force", false, "write over a folder that this command made")
	cmd.Flags().Uint64Var(&f.Seed, "seed", 1, "seed of what is drawn")
	cmd.Flags().BoolVar(&f.JSON, "json", false, "print what was made as JSON, as in manifest.json")
}

func somePaths(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cli.Usagef("%s wants data sets, [CLASS=]PATH… (see: %s --help)", cmd.CommandPath(), cmd.CommandPath())
	}
	return nil
}
