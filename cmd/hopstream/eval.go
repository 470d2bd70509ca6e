package main

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/report"
	"hopstream/cmd/internal/cli"
	"hopstream/messages"
)

// evalOptions are what the command line says.
type evalOptions struct {
	presets []string
	without []string
	limit   int
	class   string
	judge   bool
	oracle  bool
	table   report.TableOptions
	json    string
	html    string
	out     string
	resume  bool
}

func (o *evalOptions) validate() error {
	switch {
	case slices.ContainsFunc(o.without, func(s string) bool { return !slices.Contains(ablationNames(), s) }):
		return cli.Usagef("--without %v: choose from %v", o.without, ablationNames())
	case o.limit < 0:
		return cli.Usagef("--limit %d: at least 0", o.limit)
	case o.class != "" && !messages.Class(o.class).Valid():
		return cli.Usagef("--class %q: choose from %v", o.class, messages.Classes())
	case o.resume && o.out == "":
		return cli.Usagef("--resume needs --out DIR, where the questions measured so far are")
	case o.json == "-" && o.html == "-":
		return cli.Usagef("--json - and --html - both write to standard output: name a file for one of them")
	}
	for i, p := range o.presets {
		if slices.Contains(o.presets[:i], p) {
			return cli.Usagef("--preset %s is there twice", p)
		}
	}
	return nil
}

// runEval measures every data set with every preset. Runs that are complete are
// shown even if a later one fails.
func runEval(ctx context.Context, a *cli.App, paths []string, o evalOptions) error {
	sets, err := openSets(paths, o)
	if err != nil {
		return err
	}
	if err := o.goldAnswers(sets); err != nil {
		return err
	}
	presets, err := presetSystems(a, o.presets)
	if err != nil {
		return err
	}
	var systems []*system
	for _, b := range presets {
		systems = append(systems, b.without(o.without)...)
	}
	for _, b := range systems {
		if err := oracleHasGold(b, sets); err != nil {
			return err
		}
	}
	var runs []report.Run
	for _, set := range sets {
		for _, b := range systems {
			run, rerr := b.measureSet(ctx, set, o)
			if rerr != nil {
				if len(runs) == 0 {
					return rerr
				}
				return errors.Join(rerr, renderEval(a, runs, o))
			}
			runs = append(runs, run)
		}
	}
	return renderEval(a, runs, o)
}

// openSets reads the questions of all data sets, each with its gold class,
// under names that differ.
func openSets(paths []string, o evalOptions) ([]*dataset.Set, error) {
	var sets []*dataset.Set
	named := map[string]string{}
	for _, path := range paths {
		set, err := dataset.Open(path, o.limit)
		if err != nil {
			return nil, err
		}
		for i := range set.Questions {
			if q := &set.Questions[i]; q.Class == "" {
				q.Class = messages.Class(o.class)
			}
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
	}
	return sets, nil
}

// presetSystems are a with each of the named presets; a itself where none is named.
func presetSystems(a *cli.App, names []string) ([]*system, error) {
	if len(names) == 0 {
		b := *a
		return []*system{{App: &b}}, nil
	}
	var out []*system
	for _, name := range names {
		b, err := a.Preset(name)
		if err != nil {
			return nil, err
		}
		out = append(out, &system{App: b})
	}
	return out, nil
}

// oracleHasGold refuses an oracle that knows nothing.
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
