package papers

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"hopstream/cmd/hoplab/eval"
	"hopstream/cmd/hoplab/sim"
	"hopstream/cmd/internal/cli"
	"hopstream/index/sample"
	"hopstream/stages/engine/builtin"
)

// Wire runs every row of the paper over the shipped sample with a simulated model,
// which is a real server that the builtin engine speaks through: it shows that
// the row runs, what it asks, and nothing of how well a model answers.
func (p *Paper) Wire(ctx context.Context, a *cli.App, o Options) (_ *Measured, err error) {
	rows, err := p.rows(o.Rows)
	if err != nil {
		return nil, err
	}
	url, stop, err := sim.Start(sim.Options{Engine: builtin.New(builtin.Options{}), Latency: sim.Latency{Mean: -1}}) // replies come at once: what is shown is which are asked for
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, stop()) }()
	dir, err := os.MkdirTemp("", "hopstream-papers-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	set := filepath.Join(dir, "sample")
	if err := sample.Write(set); err != nil {
		return nil, err
	}
	var variants []eval.Variant
	for _, r := range rows {
		variants = append(variants, eval.Variant{Name: r.Name, Change: r.Change})
	}
	o.settings = map[string]any{
		"engine": "ollama", "models.default.url": url, "models.default.name": "simulated", "models.default.api": "ollama",
		"models.embedder.name": "simulated",
	}
	m := &Measured{Paper: p, Missing: p.Sets(), Wire: true}
	m.Runs, err = p.run(ctx, a, set, variants, o)
	return m, err
}
