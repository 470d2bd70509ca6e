package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"hopstream/cmd/hoplab/papers"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
)

const papersHelp = `Show how faithful the presets are to their papers, and measure them beside the
published figures.

Without arguments it prints, for each paper, its rules, the place that says each,
what hopstream does and by which setting, why it differs where it does, and the
tests that hold it. The settings are compared with the presets as they are.

With a paper and data sets it runs the rows of the paper's tables that can be run
(the system, its ablations, its baselines) with the configured model, and prints
the published figures beside ours. A data set is a folder or file as for hoplab
eval; its name says whose figures it is compared with: musique, hotpotqa,
2wikimultihopqa, nq, squad, popqa, triviaqa, compound, muisqa.

With a paper and no data set it runs the rows over a small sample with a simulated
model, to show that they run and how many calls they take, and says what is
missing for figures.`

func newPapers(a *cli.App) *cobra.Command {
	var o papers.Options
	var markdown bool
	var jsonFile string
	cmd := &cobra.Command{
		Use:   "papers [PAPER [PATH...]]",
		Short: "The papers' rules and figures beside ours",
		Long:  papersHelp,
		Example: `  hoplab papers                                  # the rules of all four
  hoplab papers hanrag                           # its rows on a sample, with a simulated model
  hoplab papers hanrag --engine ollama --model llama3.1:8b ./musique ./hotpotqa
  hoplab papers mga-rag --engine ollama --judge --row reviser --limit 200 ./musique`,
		ValidArgs: papers.Names(),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fidelity(a, papers.All(), markdown)
			}
			p, ok := papers.Lookup(args[0])
			if !ok {
				return cli.Usagef("there is no paper %q: choose from %s", args[0], strings.Join(papers.Names(), ", "))
			}
			if o.Resume && o.Out == "" {
				return cli.Usagef("--resume needs --out DIR, where the questions measured so far are")
			}
			m, err := measurePaper(cmd, a, &p, args[1:], o)
			if m == nil || len(m.Runs) == 0 {
				return err
			}
			return errors.Join(err, writeMeasured(a, m, jsonFile))
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&o.Rows, "row", nil, "only rows whose name holds this (repeatable)")
	f.IntVar(&o.Limit, "limit", 0, "questions of each data set at most (0: all)")
	f.BoolVar(&o.Judge, "judge", false, "also ask the model whether answers mean the same as the gold ones (MGA-RAG's ACC)")
	f.StringVar(&o.Out, "out", "", "folder for the measured questions, a file per data set and row")
	f.BoolVar(&o.Resume, "resume", false, "skip what --out holds already, and append")
	f.BoolVar(&markdown, "markdown", false, "write the rules as Markdown")
	f.StringVar(&jsonFile, "json", "", "write the figures to this file, - for standard output")
	return cmd
}

// fidelity prints the rules, and fails where a preset does not hold them.
func fidelity(a *cli.App, all []papers.Paper, markdown bool) error {
	for _, p := range all {
		// Who answers is not the paper's: an embedding model is needed for some.
		b, err := a.Configured(p.Name, map[string]any{"engines.embedder": config.EngineBuiltin})
		if err != nil {
			return err
		}
		if err := p.Check(&b.Config); err != nil {
			return fmt.Errorf("the preset does not hold the paper's rules, or you have set something else: %w", err)
		}
	}
	return papers.WriteFidelity(a.Out, all, markdown)
}

func measurePaper(cmd *cobra.Command, a *cli.App, p *papers.Paper, paths []string, o papers.Options) (*papers.Measured, error) {
	if len(paths) > 0 {
		return p.Measure(cmd.Context(), a, paths, o)
	}
	m, err := p.Wire(cmd.Context(), a, o)
	if m != nil {
		a.Complain("no data set is given: the rows of %s ran over a sample, with a simulated model", p.Name)
	}
	return m, err
}

func writeMeasured(a *cli.App, m *papers.Measured, jsonFile string) error {
	switch jsonFile {
	case "":
		return m.Write(a.Out)
	case "-":
		return cli.WriteJSON(a.Out, m.JSON())
	}
	f, err := os.Create(jsonFile)
	if err != nil {
		return err
	}
	return errors.Join(cli.WriteJSON(f, m.JSON()), f.Close(), m.Write(a.Out))
}
