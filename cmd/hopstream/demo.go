package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/render"
	"hopstream/cmd/internal/session"
	"hopstream/index/sample"
	"hopstream/messages"
)

func newDemo(a *cli.App) *cobra.Command {
	var all, asJSON bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Ask a question of each class over a small shipped corpus",
		Long: `Run the whole pipeline in this process, with an embedded NATS server and
index, over a small corpus that comes with the program, and ask one question of
each class, and one that the corpus does not answer. Nothing is left behind.`,
		Args: cli.Exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error { return demo(cmd.Context(), a, all, asJSON) },
	}
	cmd.Flags().BoolVar(&all, "all", false, "answer all shipped questions")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print answers as JSON lines")
	return cmd
}

func demo(ctx context.Context, a *cli.App, all, asJSON bool) (err error) {
	corpus, cleanup, err := sampleFile()
	if err != nil {
		return err
	}
	defer cleanup()
	questions, err := sample.Questions()
	if err != nil {
		return err
	}
	a.Config.NATS.URL = "" // the demo never touches anybody's server
	s, err := session.Open(ctx, a, session.Options{Docs: []string{corpus}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if !asJSON {
		fmt.Fprintf(a.Out, "%d passages indexed; %s.\n", s.Node.Stores.Passages(), a.Config.WhoAnswers())
	}
	seen := map[messages.Class]bool{}
	for _, q := range questions {
		if seen[q.Class] && !q.Unanswerable() && !all {
			continue
		}
		seen[q.Class] = true
		answer, err := s.Ask(ctx, &messages.Question{ID: q.ID, Question: q.Question}, 0)
		if err != nil {
			return err
		}
		if asJSON {
			if err := render.JSON(a.Out, answer, true); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(a.Out, "\n❯ %s\n", q.Question)
		if err := render.Answer(a.Out, answer, true); err != nil {
			return err
		}
	}
	return nil
}

// sampleFile writes the shipped corpus to a temporary file, so that the demo
// reads documents the way everybody does.
func sampleFile() (path string, cleanup func(), err error) {
	docs, err := sample.Documents()
	if err != nil {
		return "", nil, err
	}
	dir, err := os.MkdirTemp("", "hopstream-demo-")
	if err != nil {
		return "", nil, err
	}
	cleanup = func() { _ = os.RemoveAll(dir) }
	path = filepath.Join(dir, "corpus.jsonl")
	f, err := os.Create(path)
	if err != nil {
		cleanup()
		return "", nil, err
	}
	enc := json.NewEncoder(f)
	for _, d := range docs {
		err = errors.Join(err, enc.Encode(d))
	}
	if err = errors.Join(err, f.Close()); err != nil {
		cleanup()
		return "", nil, err
	}
	return path, cleanup, nil
}
