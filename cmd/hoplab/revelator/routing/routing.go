// Package routing measures a router on the held-out questions of HANRAG's training
// data, as the paper measures its own: equal numbers of each class.
//
//	routing.go  Question, File; Measure
package routing

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"text/tabwriter"

	"golang.org/x/sync/errgroup"

	"hopstream/cmd/hoplab/score"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/engines"
	"hopstream/messages"
	"hopstream/stages/engine/builtin"
	"hopstream/stages/engine/chat"
	"hopstream/stages/engine/roles"
)

// File is the name of the file of questions in a folder of training data.
const File = "router_test.jsonl"

// Question is one line of it.
type Question struct {
	Question string         `json:"question"`
	Class    messages.Class `json:"class"` // as which it is to be routed
}

// Result is how well a router found the classes. Shares are in percent.
type Result struct {
	Router    string             `json:"router"`
	Questions int                `json:"questions"`
	Accuracy  float64            `json:"accuracy"`
	Recall    map[string]float64 `json:"recall"`
	Confusion score.Confusion    `json:"confusion"` // gold class, then the router's
}

// Measure asks the router that is configured for the class of each question in
// dir's File, and prints how often it is right, as JSON if asJSON.
func Measure(ctx context.Context, a *cli.App, dir string, asJSON bool) (err error) {
	questions, err := read(filepath.Join(dir, File))
	if err != nil {
		return err
	}
	set, name, atOnce := builtin.New(builtin.Options{}), config.EngineBuiltin, 4
	if a.Config.EngineOf(roles.Router) == config.EngineOllama {
		models, err := engines.NewModels(&a.Config, []roles.Role{roles.Router}, nil, a.Log, nil)
		if err != nil {
			return err
		}
		defer models[roles.Router].Close()
		set = chat.New(&roles.Set{}, models, chat.Options{NoFallback: true})
		name, atOnce = models[roles.Router].Name(), 2*a.Config.Model(roles.Router).Concurrency
	}
	bar := a.Progress(int64(len(questions)), "routing", false)
	confusion, err := confuse(ctx, set.Classify, questions, atOnce, func() { _ = bar.Add(1) })
	_ = bar.Finish()
	if err != nil {
		return err
	}
	r := Result{Router: name, Questions: len(questions), Accuracy: 100 * confusion.Accuracy(), Recall: map[string]float64{}, Confusion: confusion}
	for gold := range confusion {
		r.Recall[gold] = 100 * confusion.Recall(gold)
	}
	if asJSON {
		return cli.WriteJSON(a.Out, r)
	}
	return r.print(a.Out)
}

// confuse counts what each class was routed as, atOnce questions at a time. step is
// called after each.
func confuse(ctx context.Context, classify func(context.Context, string) (messages.Class, error), questions []Question, atOnce int, step func()) (score.Confusion, error) {
	out := score.Confusion{}
	var mu sync.Mutex // guards out and step
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, q := range questions {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			class, err := classify(ctx, q.Question)
			if err != nil {
				return fmt.Errorf("%.80q: %w", q.Question, err)
			}
			mu.Lock()
			defer mu.Unlock()
			out.Add(string(q.Class), string(class))
			step()
			return nil
		})
	}
	return out, group.Wait()
}

// read reads the questions of a file. It fails where there is none.
func read(path string) (out []Question, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such file: it is in a folder that revelator-data made with the role router and a share for --test", path)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := json.NewDecoder(bufio.NewReader(f))
	for {
		var q Question
		if err := in.Decode(&q); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if !q.Class.Valid() {
			return nil, fmt.Errorf("%s: question %d has the class %q: choose from %v", path, len(out)+1, q.Class, messages.Classes())
		}
		out = append(out, q)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s holds no question", path)
	}
	return out, nil
}

// print writes the accuracy, and a row for each gold class: the share that was
// routed as each class.
func (r *Result) print(out io.Writer) error {
	fmt.Fprintf(out, "%s: %.2f %% of %d questions right; rows are right, columns are given, in percent\n", r.Router, r.Accuracy, r.Questions)
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', tabwriter.AlignRight)
	var names []string
	for _, class := range messages.Classes() {
		names = append(names, string(class))
	}
	names = r.Confusion.Labels(names...)
	for _, name := range names {
		fmt.Fprintf(w, "\t%s", name)
	}
	fmt.Fprintln(w, "\t")
	for _, gold := range names {
		total := 0
		for _, n := range r.Confusion[gold] {
			total += n
		}
		if total == 0 {
			continue
		}
		fmt.Fprint(w, gold)
		for _, given := range names {
			fmt.Fprintf(w, "\t%.1f", 100*float64(r.Confusion[gold][given])/float64(total))
		}
		fmt.Fprintln(w, "\t")
	}
	return w.Flush()
}
