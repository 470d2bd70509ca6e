package main

import (
	"strings"

	"github.com/spf13/cobra"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/library"
	"hopstream/cmd/internal/node"
)

func newSearch(a *cli.App) *cobra.Command {
	var asJSON bool
	var r node.SearchRequest
	cmd := &cobra.Command{
		Use:   "search TEXT...",
		Short: "Find passages, without answering anything",
		Long: `Find the passages that a question would be answered from. Running workers are
asked; where there are none, the indexes are opened in this process, and
searched once they hold every stored document.`,
		Example: `  hopstream search approval of the safety chapter
  hopstream search -k 3 --searcher bm25 --json "safety chapter"`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return cli.Usagef("search wants a TEXT (see: hopstream search --help)")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("k") && r.K < 1 {
				return cli.Usagef("-k %d: at least 1", r.K)
			}
			r.Query = strings.Join(args, " ")
			found, err := library.Search(cmd.Context(), a, r)
			if err != nil {
				return err
			}
			if asJSON {
				return cli.WriteJSON(a.Out, found)
			}
			return library.PrintFound(a.Out, found)
		},
	}
	f := cmd.Flags()
	f.IntVarP(&r.K, "k", "k", 0, "passages at most (default: retriever.top_k)")
	f.StringVar(&r.Searcher, "searcher", "", "one searcher: a configured one, links or bm25 (default: those configured, fused)")
	f.BoolVar(&asJSON, "json", false, "print as one line of JSON")
	return cmd
}
