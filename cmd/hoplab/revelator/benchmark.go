package revelator

import (
	"context"
	"errors"
	"fmt"

	"hopstream/cmd/hoplab/revelator/teacher"
	"hopstream/cmd/internal/cli"
)

// BenchmarkOptions say what benchmark of compound questions to make.
type BenchmarkOptions struct {
	DataOptions
	Limit     int      // questions; 0: as many as there are
	Docs      []string // own documents to have questions written about
	Entities  int      // things that questions are written about, at most
	PerEntity int      // passages of each, at most
}

// check fails as wrong use.
func (f *BenchmarkOptions) check(a *cli.App) error {
	switch {
	case f.Limit < 0:
		return cli.Usagef("--limit %d: give a number of questions, or 0 for all", f.Limit)
	case f.Entities < 1 || f.PerEntity < minJoined || f.PerEntity > 100:
		return cli.Usagef("--entities %d, --per-entity %d: give at least 1, and %d to 100", f.Entities, f.PerEntity, minJoined)
	case len(f.Docs) > 0 && !teacher.Configured(&a.Config):
		return cli.Usagef("--docs: a model writes the questions about your own documents, and the engine is builtin: add --engine ollama and --model NAME")
	}
	return nil
}

// MakeCompounds writes a benchmark of compound questions to a folder. Where a
// model is configured it writes them, about the documents of the data sets that
// args name as [CLASS=]PATH, and about f.Docs; else the simple gold questions of the sets
// are joined. It fails as wrong use where the options do not allow it.
func MakeCompounds(ctx context.Context, a *cli.App, f BenchmarkOptions, args []string) error {
	if err := f.check(a); err != nil {
		return err
	}
	if err := mayWrite(f.Out, f.Force, append(args[:len(args):len(args)], f.Docs...)); err != nil {
		return err
	}
	sets, inputs, err := readSets(ctx, a, args)
	if err != nil {
		return err
	}
	if len(f.Docs) > 0 {
		own, of, err := readOwn(ctx, a, f.Docs)
		if err != nil {
			return err
		}
		sets, inputs = append(sets, own), append(inputs, of...)
	}
	var made *CompoundSet
	journal := ""
	if teacher.Configured(&a.Config) {
		journal = journalOf(f.Out)
		made, err = f.written(ctx, a, sets, journal)
	} else {
		made = Compounds(sets, CompoundOptions{Seed: f.Seed, Limit: f.Limit})
		if len(made.Questions) == 0 {
			err = errors.New("no two simple questions about one thing: give sets of single-step questions with gold passages and their corpus (single=PATH)")
		}
	}
	if err != nil {
		return err
	}
	if err := writeFolder(f.Out, func(dir string) error { return made.Write(dir, f.Seed, inputs) }); err != nil {
		return err
	}
	if err := done(journal); err != nil {
		return err
	}
	if f.JSON {
		return cli.WriteJSON(a.Out, made.manifest(f.Seed, inputs))
	}
	_, err = fmt.Fprintf(a.Out, "%d compound questions about %d things, %d documents, written to %s\n",
		len(made.Questions), made.Entities, len(made.Documents), f.Out)
	return err
}

// written has the model write the benchmark.
func (f *BenchmarkOptions) written(ctx context.Context, a *cli.App, sets []Set, journal string) (made *CompoundSet, err error) {
	t, err := teacher.Open(ctx, a, journal)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	bar := a.Progress(-1, fmt.Sprintf("%s writes about things, of each up to %d passages", t.Name(), f.PerEntity), false)
	made, err = WriteCompounds(ctx, sets, t, WriteOptions{
		CompoundOptions: CompoundOptions{Seed: f.Seed, Limit: f.Limit}, Entities: f.Entities, PerEntity: f.PerEntity,
		Names: len(f.Docs) > 0, AtOnce: 2 * t.AtOnce(),
		Progress: func(done, total int) {
			bar.ChangeMax(total)
			_ = bar.Set(done)
		},
	})
	_ = bar.Finish()
	if err != nil {
		return nil, kept(ctx, err, journal)
	}
	made.Model = t.Name()
	if len(made.Questions) == 0 {
		return nil, fmt.Errorf("%s wrote no compound question: %d passages shown, %d simple questions usable, %d groups not combined",
			t.Name(), made.Tally.Passages, made.Tally.Simple, made.Tally.Refused)
	}
	return made, nil
}
