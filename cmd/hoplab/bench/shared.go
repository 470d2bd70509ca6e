package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/session"
	"hopstream/cmd/internal/synthetic"
	"hopstream/messages"
	"hopstream/stages/client"
)

// SharedResult is what questions about the same things cost in calls of a model.
type SharedResult struct {
	Questions int    `json:"questions"`
	Entities  int    `json:"entities"`
	Preset    string `json:"preset"`
	// Alone are the server's calls where every question is by itself, Shared those
	// where work and replies are shared.
	Alone  int     `json:"calls_alone"`
	Shared int     `json:"calls_shared"`
	Ratio  float64 `json:"ratio"`
	// SubQueries are those of all questions, and Taken those whose work was another
	// question's.
	SubQueries int `json:"sub_queries"`
	Taken      int `json:"sub_queries_taken"`
	// Differ are the questions whose answer is another than alone.
	Differ int `json:"answers_differ"`
}

// measureShared asks questions about a few things twice, each time over a store of
// its own: by themselves, and sharing what they can.
func measureShared(ctx context.Context, a *cli.App, o Options) error {
	dir, err := os.MkdirTemp("", "hopstream-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	corpus := filepath.Join(dir, "corpus.jsonl")
	if _, err := synthetic.Corpus(corpus, max(10, o.Entities)); err != nil {
		return err
	}
	texts := synthetic.Repeated(max(10, o.Entities), o.Questions)
	r := SharedResult{Questions: o.Questions, Entities: max(10, o.Entities), Preset: a.Config.Strategy.Preset}
	alone, err := o.askAbout(ctx, a, corpus, texts, func(c *config.Config) { c.Pipeline.ShareWork, c.Pipeline.KeepReplies = "off", 0 })
	if err != nil {
		return err
	}
	shared, err := o.askAbout(ctx, a, corpus, texts, func(*config.Config) {})
	if err != nil {
		return err
	}
	r.Alone, r.Shared, r.Ratio = alone.calls, shared.calls, float64(shared.calls)/float64(max(1, alone.calls))
	for id, an := range shared.answers {
		if an.Answer != alone.answers[id].Answer {
			r.Differ++
		}
		for _, h := range an.Hops {
			r.SubQueries++
			if h.Shared != "" {
				r.Taken++
			}
		}
	}
	if o.JSON {
		return cli.WriteJSON(a.Out, r)
	}
	return r.print(a)
}

// about is what came of questions.
type about struct {
	calls   int // of the server
	answers map[string]*messages.Answer
}

// askAbout asks the questions over a new store, with a new simulated server.
func (o Options) askAbout(ctx context.Context, a *cli.App, corpus string, texts []string, change func(*config.Config)) (out about, err error) {
	server, err := simulateServer(o)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, server.close()) }()
	b := *a
	change(&b.Config)
	m := b.Config.Models[config.DefaultModel]
	m.URL, m.Concurrency = server.url, o.Parallel
	b.Config.Models = map[string]config.ModelConfig{config.DefaultModel: m}
	s, err := session.Open(ctx, &b, session.Options{Docs: []string{corpus}})
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	out.answers = map[string]*messages.Answer{}
	var bad error
	asked := 0
	err = s.Run(ctx, client.Bulk{Window: o.Window,
		Answer: func(an *messages.Answer) { out.answers[an.ID] = an },
		Reject: func(_ *messages.Question, err error) { bad = err },
	}, func() (*messages.Question, bool) {
		if asked == len(texts) {
			return nil, false
		}
		asked++
		return &messages.Question{ID: fmt.Sprint("q", asked), Question: texts[asked-1], Priority: messages.Bulk}, true
	})
	for _, n := range server.stats(ctx).Prompts {
		out.calls += n
	}
	return out, errors.Join(err, bad)
}

func (r *SharedResult) print(a *cli.App) error {
	w := tabwriter.NewWriter(a.Out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "preset\tquestions\tentities\tcalls alone\tshared\tratio\tsub-queries\ttaken over\tanswers differ\t")
	fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%.1f %%\t%d\t%d\t%d\t\n", r.Preset, r.Questions, r.Entities, r.Alone, r.Shared, 100*r.Ratio, r.SubQueries, r.Taken, r.Differ)
	return w.Flush()
}
