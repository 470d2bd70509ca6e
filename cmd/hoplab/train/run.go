package train

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"hopstream/cmd/internal/cli"
)

// Options of a training.
type Options struct {
	// Paraphrases is a folder with a file SET.jsonl for data sets: lines of
	// {"id","question"}, a question in other words.
	Paraphrases string
	Out         string // folder to write weights into that are fitted on everything
	JSON        bool
}

// Run reads the questions at paths, fits weights on one half of them, prints
// what they are worth on the other, and writes those fitted on all.
func Run(ctx context.Context, a *cli.App, o Options, paths []string) error {
	if o.Out != "" {
		if info, err := os.Stat(o.Out); err != nil || !info.IsDir() {
			return cli.Usagef("--out %s is no folder", o.Out)
		}
	}
	var all []*Example
	for _, path := range paths {
		found, err := open(ctx, path, o.Paraphrases)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.Err, "%s: %d questions\n", path, len(found))
		all = append(all, found...)
	}
	var fitted, unseen []*Example
	for _, x := range all {
		if x.Part(2, "") == 0 {
			fitted = append(fitted, x)
		} else {
			unseen = append(unseen, x)
		}
	}
	fmt.Fprintf(a.Err, "fitting on %d questions, measuring %d\n", len(fitted), len(unseen))
	w, err := Fit(ctx, fitted)
	if err != nil {
		return err
	}
	measured, err := Measure(ctx, w, unseen)
	if err != nil {
		return err
	}
	if o.JSON {
		err = json.NewEncoder(a.Out).Encode(measured)
	} else {
		err = Print(a.Out, measured)
	}
	if err != nil || o.Out == "" {
		return err
	}
	fmt.Fprintf(a.Err, "fitting on all %d questions\n", len(all))
	if w, err = Fit(ctx, all); err != nil {
		return err
	}
	return w.Write(o.Out)
}

// open returns the examples of a path.
func open(ctx context.Context, path, paraphrases string) ([]*Example, error) {
	if questions, folder, ok := strings.Cut(path, ".jsonl="); ok {
		return Docs(ctx, questions+".jsonl", folder)
	}
	return Public(ctx, path, paraphrases)
}
