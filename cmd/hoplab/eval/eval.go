package eval

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/report"
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
	"hopstream/messages"
)

// Options say what to measure, and where to write the figures.
type Options struct {
	Presets []string // empty: the system as configured
	Without []string // parts to leave out, each in a run of its own
	// Variants are measured in place of presets: the configuration, changed.
	Variants []Variant
	// Settings take the place of the user's, by key.
	Settings map[string]any
	Limit    int    // questions of each data set; 0: all
	Only     string // file with the IDs of the questions to ask, one a line; empty: all
	Class    string // gold class of the questions that have none
	Judge    bool   // ask whether answers mean the same
	Oracle   bool   // plan and read by the gold
	// GoldRelevance has the filter keep what the gold says is relevant.
	GoldRelevance bool
	// Withhold takes the gold passages out of the index, so that no question can be
	// answered.
	Withhold bool
	Misspell bool // spoil a word of every question
	// Paraphrases is a folder with questions in other words (dataset.OtherWords): those
	// are asked, and besides as the set has them.
	Paraphrases string
	Table       report.TableOptions // how the table looks
	JSON        string              // file for the figures; - is standard output
	HTML        string              // file for a page; - is standard output
	Out         string              // folder for the measured questions
	Resume      bool                // skip what Out holds already
}

// Variant is the configuration with something changed.
type Variant struct {
	Name   string
	Change func(*config.Config) // nil: nothing
}

// Validate fails as wrong use where the options contradict each other.
func (o *Options) Validate() error {
	switch {
	case slices.ContainsFunc(o.Without, func(s string) bool { return !slices.Contains(Ablations(), s) }):
		return cli.Usagef("--without %v: choose from %v", o.Without, Ablations())
	case o.Limit < 0:
		return cli.Usagef("--limit %d: at least 0", o.Limit)
	case o.Class != "" && !messages.Class(o.Class).Valid():
		return cli.Usagef("--class %q: choose from %v", o.Class, messages.Classes())
	case o.Withhold && o.Oracle:
		return cli.Usagef("--withhold-gold takes the gold away that --oracle answers by: choose one")
	case o.GoldRelevance && o.Oracle:
		return cli.Usagef("--oracle judges no passage: choose it or --gold-relevance")
	case o.Resume && o.Out == "":
		return cli.Usagef("--resume needs --out DIR, where the questions measured so far are")
	case o.JSON == "-" && o.HTML == "-":
		return cli.Usagef("--json - and --html - both write to standard output: name a file for one of them")
	}
	for i, p := range o.Presets {
		if slices.Contains(o.Presets[:i], p) {
			return cli.Usagef("--preset %s is there twice", p)
		}
	}
	return nil
}

// Run measures every data set with every preset, and writes the figures. Runs
// that are complete are shown even if a later one fails.
func Run(ctx context.Context, a *cli.App, paths []string, o Options) error {
	runs, err := Measure(ctx, a, paths, o)
	if len(runs) == 0 {
		return err
	}
	return errors.Join(err, writeFigures(a, runs, o))
}

// Measure measures every data set with every preset or variant. If one fails, it
// returns those that are complete with the error.
func Measure(ctx context.Context, a *cli.App, paths []string, o Options) ([]report.Run, error) {
	sets, err := openSets(paths, o)
	if err != nil {
		return nil, err
	}
	if err := o.goldAnswers(sets); err != nil {
		return nil, err
	}
	systems, err := o.systems(a)
	if err != nil {
		return nil, err
	}
	for _, b := range systems {
		if err := oracleHasGold(b, sets); err != nil {
			return nil, err
		}
	}
	var runs []report.Run
	for _, set := range sets {
		for _, b := range systems {
			run, err := b.measureSet(ctx, set, o)
			if err != nil {
				return runs, err
			}
			runs = append(runs, run)
		}
	}
	return runs, nil
}

// systems returns what is measured.
func (o *Options) systems(a *cli.App) ([]*system, error) {
	presets, err := presetSystems(a, o.Presets, o.Settings)
	if err != nil {
		return nil, err
	}
	var out []*system
	for _, b := range presets {
		if len(o.Variants) == 0 {
			out = append(out, b.without(o.Without)...)
		}
		for _, v := range o.Variants {
			app := *b.App
			if v.Change != nil {
				v.Change(&app.Config)
			}
			out = append(out, &system{App: &app, variant: v.Name})
		}
	}
	return out, nil
}

// openSets reads the questions of all data sets, each with its gold class,
// under names that differ.
func openSets(paths []string, o Options) ([]*dataset.Set, error) {
	var sets []*dataset.Set
	named := map[string]string{}
	only, err := idsIn(o.Only)
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		set, err := dataset.Open(path, o.Limit)
		if err != nil {
			return nil, err
		}
		if only != nil {
			set.Questions = slices.DeleteFunc(set.Questions, func(q dataset.Question) bool { return !only[q.ID] })
			if len(set.Questions) == 0 {
				return nil, cli.Usagef("--only %s names no question of %s", o.Only, path)
			}
		}
		paraphrased, err := o.inOtherWords(set, path)
		if err != nil {
			return nil, err
		}
		if o.change(set); len(set.Questions) == 0 {
			return nil, cli.Usagef("--withhold-gold: of no question of %s are gold passages known", path)
		}
		abs, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		if other, taken := named[set.Name]; taken && other != abs {
			set.Name = filepath.Base(filepath.Dir(abs)) + "-" + set.Name
		}
		if other, taken := named[set.Name]; taken {
			return nil, cli.Usagef("%s and %s have the same name %s: rename one of them", other, abs, set.Name)
		}
		named[set.Name] = abs
		sets = append(sets, set)
		if paraphrased != nil {
			sets = append(sets, paraphrased)
		}
	}
	return sets, nil
}

// inOtherWords leaves the questions of a set that the folder of paraphrases has, and
// returns the set in those words; nil if there is no folder.
func (o *Options) inOtherWords(set *dataset.Set, path string) (*dataset.Set, error) {
	if o.Paraphrases == "" {
		return nil, nil
	}
	words, err := dataset.OtherWords(o.Paraphrases, set.Name)
	if err != nil {
		return nil, cli.Usage(err)
	}
	out := set.Paraphrase(words)
	if len(out.Questions) == 0 {
		return nil, cli.Usagef("--paraphrases %s has no question of %s: it needs the lines {\"id\",\"question\"} in %s.jsonl", o.Paraphrases, path, set.Name)
	}
	o.change(out)
	return out, nil
}

// change makes the questions of a set those that are to be asked.
func (o *Options) change(set *dataset.Set) {
	if o.Withhold {
		set.WithholdGold()
	}
	if o.Misspell {
		set.Misspell()
	}
	for i := range set.Questions {
		if q := &set.Questions[i]; q.Class == "" {
			q.Class = messages.Class(o.Class)
		}
	}
}

// idsIn returns the lines of a file; nil if none is named.
func idsIn(file string) (map[string]bool, error) {
	if file == "" {
		return nil, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, cli.Usage(err)
	}
	out := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		out[strings.TrimSpace(line)] = true
	}
	return out, nil
}

// presetSystems returns a system for each named preset, or for the
// configuration as it is if none is named.
func presetSystems(a *cli.App, names []string, settings map[string]any) ([]*system, error) {
	if len(names) == 0 {
		b := *a
		return []*system{{App: &b}}, nil
	}
	var out []*system
	for _, name := range names {
		b, err := a.Configured(name, settings)
		if err != nil {
			return nil, err
		}
		out = append(out, &system{App: b})
	}
	return out, nil
}

// oracleHasGold fails as wrong use if questions are routed by their gold class
// (router.oracle) and one has none.
func oracleHasGold(a *system, sets []*dataset.Set) error {
	if !a.Config.Router.Oracle {
		return nil
	}
	for _, s := range sets {
		for i := range s.Questions {
			if s.Questions[i].Class == "" {
				return cli.Usagef("router.oracle routes questions as their gold class, and question %s of %s has none: give it one, or --class", s.Questions[i].ID, s.Name)
			}
		}
	}
	return nil
}
