package main

import (
	"github.com/spf13/cobra"

	"hopstream/cmd/hoplab/wordnet"
	"hopstream/cmd/internal/cli"
)

const wordnetHelp = `Reduce WordNet 3.0 to the table of related words that the built-in engine reads
with: a line for each stem, with the stems after it in the alphabet that share one
of the four most frequent senses of a word with it, or are derived from it.

DIR is the folder with data.noun and the other files of the database; the package
wordnet-base of Debian and Ubuntu puts them into /usr/share/wordnet. The table goes
to standard output.`

func newWordNet(*cli.App) *cobra.Command {
	return &cobra.Command{
		Use:     "wordnet DIR",
		Short:   "Reduce WordNet to the related words of the engine that needs no model",
		Long:    wordnetHelp,
		Example: "  hoplab wordnet /usr/share/wordnet > index/lang/related.txt",
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return wordnet.Write(cmd.OutOrStdout(), args[0]) },
	}
}
