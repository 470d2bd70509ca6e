package revelator

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/hoplab/revelator/teacher"
	"hopstream/cmd/internal/cli"
	"hopstream/messages"
)

// DataOptions say what data to make.
type DataOptions struct {
	Out       string   // the folder to write
	Force     bool     // over one that was made before
	Seed      uint64   // of what is drawn
	Shares    Shares   // held out
	Roles     []string // to make data for; empty: all
	Negatives int      // passages that do not help, for each that does
	JSON      bool     // what was made as JSON
	Labelled  int      // questions whose passages a model labels, at most; 0: all
}

// check returns the roles to make data for; it fails as wrong use.
func (f *DataOptions) check() (roles []Role, err error) {
	if f.Shares.Dev < 0 || f.Shares.Test < 0 || !(f.Shares.Dev+f.Shares.Test < 1) {
		return nil, cli.Usagef("--dev %v and --test %v: give shares from 0 to 1 that leave something to train with", f.Shares.Dev, f.Shares.Test)
	}
	if f.Labelled < 0 {
		return nil, cli.Usagef("--labelled %d: give a number of questions, or 0 for all", f.Labelled)
	}
	if f.Negatives < 1 || f.Negatives > 50 {
		return nil, cli.Usagef("--negatives %d: give 1 to 50", f.Negatives)
	}
	for _, r := range Roles() { // in their own order, each once
		if len(f.Roles) == 0 || slices.Contains(f.Roles, string(r)) {
			roles = append(roles, r)
		}
	}
	for _, name := range f.Roles {
		if !slices.Contains(roles, Role(name)) {
			return nil, cli.Usagef("there is no role %q to train: choose from %v", name, Roles())
		}
	}
	return roles, nil
}

// MakeData reads the data sets that args name as [CLASS=]PATH, writes the
// training data of the chosen roles to a folder and prints how much there is. It
// fails as wrong use where the options or the sets do not allow it.
func MakeData(ctx context.Context, a *cli.App, f DataOptions, args []string) error {
	roles, err := f.check()
	if err != nil {
		return err
	}
	if err := mayWrite(f.Out, f.Force, args); err != nil {
		return err
	}
	sets, inputs, err := readSets(ctx, a, args)
	if err != nil {
		return err
	}
	o := Options{Seed: f.Seed, Shares: f.Shares, Roles: roles, Negatives: f.Negatives, Labelled: f.Labelled}
	made, journal, err := f.build(ctx, a, sets, o)
	if _, missing := errors.AsType[Missing](err); missing {
		return cli.Usage(err)
	}
	if err != nil {
		return err
	}
	if err := writeFolder(f.Out, func(dir string) error { return made.Write(dir, inputs) }); err != nil {
		return err
	}
	if err := done(journal); err != nil {
		return err
	}
	if f.JSON {
		return cli.WriteJSON(a.Out, made.manifest(inputs))
	}
	return tellMade(a, f.Out, made)
}

// build makes the examples, with the labels of the model that is configured, if
// one is: its replies are in the journal.
func (f *DataOptions) build(ctx context.Context, a *cli.App, sets []Set, o Options) (made *Made, journal string, err error) {
	bar := a.Progress(-1, "searching", false)
	defer func() { _ = bar.Finish() }()
	o.Progress = func(done, total int) {
		bar.ChangeMax(total)
		_ = bar.Set(done)
	}
	if !teacher.Configured(&a.Config) || !slices.Contains(o.Roles, Relevance) && !slices.Contains(o.Roles, RelevanceAll) {
		made, err = Build(ctx, sets, o)
		return made, "", err
	}
	journal = journalOf(f.Out)
	t, err := teacher.Open(ctx, a, journal)
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	o.Labels, o.AtOnce = t, 2*t.AtOnce()
	if made, err = Build(ctx, sets, o); err != nil {
		if _, missing := errors.AsType[Missing](err); missing {
			return nil, journal, err
		}
		return nil, journal, kept(ctx, err, journal)
	}
	made.Labels = t.Name()
	return made, journal, nil
}

// tellMade prints how many examples of each role and split there are.
func tellMade(a *cli.App, out string, made *Made) error {
	w := tabwriter.NewWriter(a.Out, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "role\ttrain\tdev\ttest\t")
	for _, role := range made.Options.Roles {
		by := made.Examples[role]
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t\n", role, len(by[Train]), len(by[Dev]), len(by[Test]))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, s := range made.Sets {
		if n := s.Questions[""]; n > 0 {
			fmt.Fprintf(a.Err, "%s: %d questions of no known class were left out: give it as CLASS=PATH\n", s.Name, n)
		}
	}
	_, err := fmt.Fprintf(a.Out, "written to %s\n", out)
	return err
}

// readSets reads the data sets that args name, and what identifies them.
func readSets(ctx context.Context, a *cli.App, args []string) ([]Set, []Input, error) {
	bar := a.Progress(int64(len(args)), "reading", false)
	defer func() { _ = bar.Finish() }()
	var sets []Set
	var inputs []Input
	names := map[string]bool{}
	for _, arg := range args {
		path, class, err := classAndPath(arg)
		if err != nil {
			return nil, nil, err
		}
		set, err := readSet(ctx, path, class)
		if err != nil {
			return nil, nil, err
		}
		if names[set.Name] {
			set.Name = path
		}
		names[set.Name] = true
		files, err := hashInputs(path)
		if err != nil {
			return nil, nil, err
		}
		sets, inputs = append(sets, set), append(inputs, files...)
		_ = bar.Add(1)
	}
	return sets, inputs, nil
}

// classAndPath takes CLASS=PATH apart; a path may hold an equals sign itself.
func classAndPath(arg string) (path string, class messages.Class, err error) {
	name, rest, ok := strings.Cut(arg, "=")
	switch {
	case ok && messages.Class(name).Valid() && rest != "":
		return rest, messages.Class(name), nil
	case !ok:
		return arg, "", nil
	}
	if _, err := os.Stat(arg); err != nil {
		return "", "", cli.Usagef("%s: there is no class %q: write CLASS=PATH with one of %v, or a PATH alone", arg, name, messages.Classes())
	}
	return arg, "", nil
}

func readSet(ctx context.Context, path string, class messages.Class) (Set, error) {
	from, err := dataset.Open(path, 0)
	if err != nil {
		return Set{}, err
	}
	set := Set{Name: from.Name, Class: class, Questions: from.Questions}
	for d, err := range from.Documents() {
		if errors.Is(err, fs.ErrNotExist) { // questions alone: enough for some roles
			break
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return Set{}, err
		}
		set.Documents = append(set.Documents, d)
	}
	return set, nil
}
