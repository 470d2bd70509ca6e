package train

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"hopstream/cmd/internal/cli"
	"hopstream/stages/engine/builtin/plan"
	"hopstream/stages/engine/builtin/weights"
)

// Options of a training.
type Options struct {
	// Paraphrases is a folder with a file SET.jsonl for data sets: lines of
	// {"id","question"}, a question in other words.
	Paraphrases string
	Half        string // folder to write weights into that were fitted on one half, and unseen.txt, the others' IDs
	Routing     string // folder with the data sets that the router is fitted on; empty: it stays as it is
	Out         string // folder to write weights into that are fitted on everything
	JSON        bool
}

// Run reads the questions at paths, fits weights on one half of them, prints
// what they are worth on the other, and writes those fitted on all.
func Run(ctx context.Context, a *cli.App, o Options, paths []string) error {
	for _, dir := range []string{o.Out, o.Half} {
		if info, err := os.Stat(dir); dir != "" && (err != nil || !info.IsDir()) {
			return cli.Usagef("%s is no folder", dir)
		}
	}
	if err := routable(o.Routing); err != nil {
		return err
	}
	all, err := openAll(ctx, a, paths, o.Paraphrases)
	if err != nil {
		return err
	}
	fitted := filter(all, func(i int) bool { return all[i].Part(2, "") == 0 })
	unseen := filter(all, func(i int) bool { return all[i].Part(2, "") != 0 })
	fmt.Fprintf(a.Err, "fitting on %d questions, measuring %d\n", len(fitted), len(unseen))
	w, err := Fit(ctx, fitted)
	if err != nil {
		return err
	}
	routed, err := router(&o, w, true)
	if err != nil {
		return err
	}
	if o.Half != "" {
		if err := writeHalf(o.Half, w, unseen); err != nil {
			return err
		}
	}
	measured, err := Measure(ctx, w, unseen)
	if err != nil {
		return err
	}
	err = o.print(a.Out, measured, routed)
	if err != nil || o.Out == "" {
		return err
	}
	fmt.Fprintf(a.Err, "fitting on all %d questions\n", len(all))
	if w, err = Fit(ctx, all); err != nil {
		return err
	}
	if _, err := router(&o, w, false); err != nil {
		return err
	}
	return w.Write(o.Out)
}

// print writes what weights are worth.
func (o *Options) print(w io.Writer, measured []*Measured, routed *Routed) error {
	if o.JSON {
		return json.NewEncoder(w).Encode(struct {
			Sets   []*Measured `json:"sets"`
			Router *Routed     `json:"router,omitempty"`
		}{measured, routed})
	}
	if err := Print(w, measured); err != nil || routed == nil {
		return err
	}
	return routed.print(w)
}

// router sets the weights of plans and classes, fitted on the one half of the questions
// or as far as the router's are held out, and returns what the classes are worth on
// those; it takes those of this program, if none are to be fitted.
func router(o *Options, w *weights.Set, half bool) (*Routed, error) {
	if o.Routing == "" {
		w.Classes, w.Nests = weights.Shipped().Classes, weights.Shipped().Nests
		return nil, nil
	}
	nests, err := Nests(o.Routing, o.Paraphrases, func(x *Example) bool { return !half || x.Part(2, "") == 0 })
	if err != nil {
		return nil, err
	}
	w.Nests = FitNests(nests)
	lessons, held, err := Routes(o.Routing, o.Paraphrases)
	if err != nil {
		return nil, err
	}
	w.Classes = FitRouter(plan.New(w.Nests), lessons)
	return MeasureRouter(w, held), nil
}

// writeHalf writes weights, and the IDs of the questions that they did not see.
func writeHalf(dir string, w *weights.Set, unseen []*Example) error {
	seen := map[string]bool{}
	var b strings.Builder
	for _, x := range unseen {
		if id := cmp.Or(x.Whole, x.ID); !seen[id] {
			seen[id] = true
			fmt.Fprintln(&b, id)
		}
	}
	if err := w.Write(dir); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "unseen.txt"), []byte(b.String()), 0o644)
}

// openAll returns the examples of all paths.
func openAll(ctx context.Context, a *cli.App, paths []string, paraphrases string) (all []*Example, err error) {
	for _, path := range paths {
		found, err := open(ctx, path, paraphrases)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(a.Err, "%s: %d questions\n", path, len(found))
		all = append(all, found...)
	}
	return all, nil
}

// open returns the examples of a path.
func open(ctx context.Context, path, paraphrases string) ([]*Example, error) {
	if questions, folder, ok := strings.Cut(path, ".jsonl="); ok {
		return Docs(ctx, questions+".jsonl", folder)
	}
	return Public(ctx, path, paraphrases)
}
