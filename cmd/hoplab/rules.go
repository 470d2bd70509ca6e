package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"hopstream/cmd/hoplab/rules"
	"hopstream/cmd/internal/cli"
)

const rulesHelp = `Find out what each rule and word list of the built-in engine is worth: which
questions of which data sets have another answer without it.

The program is built anew from its source, with a switch at every function of the
engine and at every list, for which the Go toolchain is needed. All questions are
asked once; then, for each rule, those that came by it are asked again without it.
A rule that changes nothing, or only the questions of one set, is one to take out.

The rows are in the order of what the loss of a rule costs: came is how many
questions came by it, changed how many have another answer without it, worse and
better how many have an answer of lower and of higher F1, and the columns of the
data sets how many of each are changed. Lists that others are made of when the
program starts are not switched. With --json a line for each rule.`

func newRules(a *cli.App) *cobra.Command {
	var o rules.Options
	cmd := &cobra.Command{
		Use:   "rules PATH...",
		Short: "Find out which questions each rule of the built-in engine changes",
		Long:  rulesHelp,
		Example: `  hoplab rules --limit 100 ./musique ./hotpotqa ./nq
  hoplab rules --source ../hopstream --json ./handbook > rules.jsonl`,
		Args: somePaths,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Args = []string{"rules"}
			cmd.Flags().Visit(func(f *pflag.Flag) { o.Args = append(o.Args, "--"+f.Name+"="+f.Value.String()) })
			o.Args = append(append(o.Args, "--"), args...)
			return rules.Run(cmd.Context(), a, o, args)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.Source, "source", ".", "folder of the project's source")
	f.IntVar(&o.Limit, "limit", 0, "questions of each data set at most (0: all)")
	f.BoolVar(&o.JSON, "json", false, "print a line of JSON for each rule")
	f.BoolVar(&o.Markdown, "markdown", false, "print a table in Markdown")
	return cmd
}
