package papers

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"hopstream/cmd/hoplab/eval"
	"hopstream/cmd/hoplab/report"
	"hopstream/cmd/internal/cli"
)

// Options say what is measured of a paper.
type Options struct {
	Limit  int      // questions of each data set; 0: all
	Rows   []string // parts of the names of the rows; none: all
	Judge  bool     // also ask whether answers mean the same
	Out    string   // folder for the measured questions
	Resume bool     // skip what Out holds already

	settings map[string]any // in place of the user's
}

// Measured is what the rows came to.
type Measured struct {
	Paper *Paper
	Runs  []report.Run // each is called as its row
	// Missing are the data sets of the paper's figures that were not given.
	Missing []string
	// Wire is set if a simulated model answered, on samples: the figures say
	// nothing of the paper.
	Wire bool
}

// Measure runs the paper's rows on the data sets at paths, whose names are those
// of the published figures (musique, hotpotqa, …), with the model that a is
// configured with. Rows without a figure of a data set are not run on it.
func (p *Paper) Measure(ctx context.Context, a *cli.App, paths []string, o Options) (*Measured, error) {
	rows, err := p.rows(o.Rows)
	if err != nil {
		return nil, err
	}
	m := &Measured{Paper: p}
	m.Missing = slices.DeleteFunc(p.Sets(), func(s string) bool {
		return slices.ContainsFunc(paths, func(path string) bool { return setName(path) == s })
	})
	for _, path := range paths {
		var variants []eval.Variant
		for _, r := range rows {
			if slices.ContainsFunc(r.Figures, func(f Figure) bool { return f.Data == setName(path) }) {
				variants = append(variants, eval.Variant{Name: r.Name, Change: r.Change})
			}
		}
		if len(variants) == 0 {
			return m, cli.Usagef("%s: %s has no figure of a data set called %s: choose from %s", path, p.Name, setName(path), strings.Join(p.Sets(), ", "))
		}
		runs, err := p.run(ctx, a, path, variants, o)
		m.Runs = append(m.Runs, runs...)
		if err != nil {
			return m, err
		}
	}
	return m, nil
}

// run runs variants of the paper's preset on one data set.
func (p *Paper) run(ctx context.Context, a *cli.App, path string, variants []eval.Variant, o Options) ([]report.Run, error) {
	eo := eval.Options{Presets: []string{p.Name}, Variants: variants, Limit: o.Limit, Judge: o.Judge, Out: o.Out, Resume: o.Resume, Settings: o.settings}
	if err := eo.Validate(); err != nil {
		return nil, err
	}
	return eval.Measure(ctx, a, []string{path}, eo)
}

// rows returns the rows whose names hold one of the parts.
func (p *Paper) rows(parts []string) ([]Row, error) {
	if len(parts) == 0 {
		return p.Rows, nil
	}
	var out []Row
	var names []string
	for _, r := range p.Rows {
		names = append(names, r.Name)
		if slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(r.Name, part) }) {
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		return nil, cli.Usage(errors.New("--row: no row of " + p.Name + " is called so: choose from " + strings.Join(names, ", ")))
	}
	return out, nil
}

// setName is the name of the data set at a path.
func setName(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		abs = path
	}
	return strings.TrimSuffix(filepath.Base(abs), filepath.Ext(abs))
}
