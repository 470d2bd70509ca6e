package main

import (
	"github.com/spf13/cobra"

	"hopstream/cmd/hoplab/train"
	"hopstream/cmd/internal/cli"
)

const trainHelp = `Fit the weights of the built-in engine, which needs no model: which unit of the
passages (a sentence, list item, row, block of code) answers a question, which
span of it, what form the answer has, and how far it can be trusted.

A PATH is a data set, as hoplab eval takes it, or QUESTIONS.jsonl=FOLDER: lines
of {"id","kind","question","answers","all","answerable","evidence":[{"quote"}]}
over a folder of documents. Passages are found by links, ten for each question.

One half of the questions is fitted on, and the other one is measured: those with
the same gold passage are in the same half. With --out, all of them are then
fitted on, and the weights written; built anew, the program has them. The same
questions give the same bytes. With --half, the weights of the one half are
written, and the IDs of the questions of the other: hoplab eval --only asks them,
with those weights where HOPSTREAM_BUILTIN__WEIGHTS names the folder.

Of the half that is measured, for each set: found is the share of questions with
an answer that have a right unit in the passages found, kept in those judged
relevant, unit those whose best unit is right; EM and F1 of the answers given;
right, those that hold a gold answer; prose, those answered in sentences. AUROC
says how well confidence tells right answers from others. Refused is the share of
questions whose gold passages were taken away, or that never had any, that are
refused at the threshold that keeps nine of ten right answers. A second table has
what is given at several thresholds, and how many questions without an answer are
given one (invented).

With --routing, how questions are taken apart is fitted too, on the steps that
musique, 2wikimultihopqa and break give theirs, and on nq's, which take one; and the
router: FOLDER holds the sets that the
four classes are drawn from (commonsenseqa; squad, nq, popqa, triviaqa; compoundqa;
hotpotqa, musique, 2wikimultihopqa; break, multispanqa and strategyqa to fit on
only). A third table has the shares of each set's held-out questions by class.`

func newTrain(a *cli.App) *cobra.Command {
	var o train.Options
	cmd := &cobra.Command{
		Use:   "train PATH...",
		Short: "Fit the weights of the engine that needs no model",
		Long:  trainHelp,
		Example: `  hoplab train squad nq musique 2wikimultihopqa popqa multispanqa
  hoplab train squad nq handbook.jsonl=handbook/ --out stages/engine/builtin/weights
  hoplab train squad --json`,
		Args: somePaths,
		RunE: func(cmd *cobra.Command, args []string) error { return train.Run(cmd.Context(), a, o, args) },
	}
	fl := cmd.Flags()
	fl.StringVar(&o.Paraphrases, "paraphrases", "", "folder of SET.jsonl with {\"id\",\"question\"}: questions of data sets in other words")
	fl.StringVar(&o.Routing, "routing", "", "fit the router and how questions are taken apart as well, on the data sets in this folder")
	fl.StringVar(&o.Out, "out", "", "fit on everything as well, and write the weights into this folder")
	fl.StringVar(&o.Half, "half", "", "write into this folder the weights of the half that was fitted on, and in unseen.txt the questions of the other")
	fl.BoolVar(&o.JSON, "json", false, "print what was measured as JSON")
	return cmd
}
