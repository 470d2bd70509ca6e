package main

import (
	"strings"

	"github.com/spf13/cobra"

	"hopstream/cmd/hoplab/eval"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
	"hopstream/messages"
)

const evalHelp = `Measure the pipeline on data sets. The whole pipeline runs in this process, on
a temporary store, once for each PATH and --preset. A PATH is

  a folder with documents (in the folder docs, or as corpus.jsonl
    {"id","title","text"}) and questions.jsonl
    {"id","question","answers","answerable","type","supporting","class","list","entities",
    "records","decomposition"}, all but id and question optional;
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
given. Of records, such as {"drug":"Lumenol","dose":null,"effects":"nausea; dizziness"},
they are the shares of facts, which are right beside the record they belong to, and
IRR is the share of facts that the retrieved text holds. A question with "answerable": false, or with a list of no answers, is one that the
documents do not answer: unanswered is right, and nothing else is. Cover is the
share of questions that were given an answer, Risk the share of the given answers
that are wrong; Invent and Refuse are the shares of the unanswerable questions that
were given an answer, and that ended as unanswered. AUROC says how well the
confidence of the given answers tells right from wrong: 0.5 is chance, 1 perfect.

--withhold-gold makes every question unanswerable: the gold passages of all the
questions asked are taken out of the set's one index, which is poorer for each of
them than if only its own were missing. Questions whose gold passages are not known
are left out and counted. Another passage may still say what a gold one said: an
answer from it counts as invented though it is not.

--misspell asks every question with a slip of the pen in one of its words, the same
one every time: a letter less, doubled, replaced, or changed with the next.

--paraphrases DIR asks those questions of a set that DIR/SET.jsonl has in other words,
lines {"id","question"}, twice: as the set has them, and in those words. What is lost
is what the wording costs.

Where the gold class is known, from the file or --class, the router is
measured too. --json and --html have all of it, with 95 % confidence intervals
(percentile bootstrap with a fixed seed).

--funnel adds what is left of the gold: passages retrieved in any round, kept
by the filter, answers inside an aligned window (of the gold steps, where there
are any), in the answer; also IRR, the share of gold facts retrieved, and Hmix,
the entropy of what was searched for: the sub-queries, or the hypothetical
statements in their place.

--oracle has the gold decomposition in place of whoever routes, plans, reads and
judges: an answer is found if it stands in one of the aligned windows. What is
then missing was lost by retrieval, filter, alignment, join or binding.

--gold-relevance has the gold in place of whoever judges passages, of questions and
gold steps as they are written: what does a filter do that finds nothing relevant?

--without leaves a part out, to see what it is worth: in its place come the
best-ranked passages (filter), all rounds (judge), the question itself (refiner),
the plan as it is (reviser), one unverified round (supplement), answers in place
of summaries (summary), one retrieval (decomposition), each searcher once
(rewriting), BM25 (links, searchers), the question itself as the only query
(intents), whole passages (alignment), the smallest scale (scales), the most
confident scale's answer (fusion), no second try (escalation), the gold class
(router).

With --out, every measured question is written to DIR at once, and --resume
goes on where a run stopped.`

func newEval(a *cli.App) *cobra.Command {
	var o eval.Options
	cmd := &cobra.Command{
		Use:   "eval PATH...",
		Short: "Measure the pipeline on data sets, presets side by side",
		Long:  evalHelp,
		Example: `  hoplab eval --limit 200 ./musique
  hoplab eval --preset hopstream --preset hanrag --html report.html ./musique ./hotpotqa
  hoplab eval --funnel --intervals --markdown hotpot_dev_distractor_v1.json
  hoplab eval --out runs ./musique; hoplab eval --out runs --resume ./musique
  hoplab eval --without all --without router --class complex ./musique
  hoplab eval --withhold-gold --totals ./musique ./hotpotqa
  hoplab eval --misspell --totals ./nq
  hoplab eval --paraphrases ./mywords --totals ./nq
  HOPSTREAM_STRATEGY__COMPLEX=plan hoplab eval --oracle --funnel ./musique`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("%[1]s wants one DIR or file of a data set, or several (see: %[1]s --help)", cmd.CommandPath())
			}
			return o.Validate()
		},
		RunE: func(cmd *cobra.Command, args []string) error { return eval.Run(cmd.Context(), a, args, o) },
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.Presets, "preset", nil, "strategy to measure: "+strings.Join(config.Presets(), ", ")+" (repeatable)")
	f.StringArrayVar(&o.Without, "without", nil, "measure each preset also without this part: "+strings.Join(eval.Ablations(), ", ")+" (repeatable)")
	f.StringVar(&o.Only, "only", "", "ask those questions only whose IDs stand in this file, one a line")
	f.IntVar(&o.Limit, "limit", 0, "questions of each data set at most (0: all)")
	f.StringVar(&o.Class, "class", "", "gold class of the questions whose file says none")
	f.BoolVar(&o.Oracle, "oracle", false, "plan and read by the gold, so that only what lies between is measured")
	f.BoolVar(&o.GoldRelevance, "gold-relevance", false, "have the filter keep the passages that the gold says are relevant, and no others")
	f.BoolVar(&o.Withhold, "withhold-gold", false, "take the gold passages out of the index, and expect that questions are refused")
	f.StringVar(&o.Paraphrases, "paraphrases", "", "ask the questions that this folder has in other words: as the set has them, and in those words")
	f.BoolVar(&o.Misspell, "misspell", false, "ask every question with a slip of the pen in one of its words")
	f.BoolVar(&o.Judge, "judge", false, "also ask an engine whether answers mean the same as the gold ones")
	f.BoolVar(&o.Table.Funnel, "funnel", false, "show what each stage leaves of the gold")
	f.BoolVar(&o.Table.Intervals, "intervals", false, "show confidence intervals")
	f.BoolVar(&o.Table.Markdown, "markdown", false, "write the table as Markdown")
	f.BoolVar(&o.Table.Totals, "totals", false, "leave the types of the questions out of the table")
	f.StringVar(&o.JSON, "json", "", "write the figures to this file, - for standard output")
	f.StringVar(&o.HTML, "html", "", "write a page with plots to this file, - for standard output")
	f.StringVar(&o.Out, "out", "", "folder for the measured questions, a file per data set and preset")
	f.BoolVar(&o.Resume, "resume", false, "skip what --out holds already, and append")
	cli.Values(cmd, "preset", config.Presets()...)
	cli.Values(cmd, "without", eval.Ablations()...)
	var classes []string
	for _, c := range messages.Classes() {
		classes = append(classes, string(c))
	}
	cli.Values(cmd, "class", classes...)
	return cmd
}
