package revelator

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/index/testkit/publictest"
	"hopstream/messages"
)

// From public data sets everything can be made, and nothing overlaps.
func TestPublicData(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes ten seconds")
	}
	root := publictest.Dir(t)
	open := func(class messages.Class, name string) Set {
		from, err := dataset.Open(filepath.Join(root, name), 0)
		if err != nil {
			t.Fatal(err)
		}
		s := Set{Name: from.Name, Class: class, Questions: from.Questions}
		for d, err := range from.Documents() {
			if errors.Is(err, fs.ErrNotExist) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			s.Documents = append(s.Documents, d)
		}
		return s
	}
	squad, nq := open(messages.Single, "squad"), open(messages.Single, "nq")
	compound := Compounds([]Set{squad, nq}, CompoundOptions{Seed: 1})
	if len(compound.Questions) < 1000 || len(compound.Styles) != len(styles) || compound.Pronouns == 0 {
		t.Errorf("%d compound questions, styles %v, %d with pronouns", len(compound.Questions), compound.Styles, compound.Pronouns)
	}
	musique := open(messages.Complex, "musique")
	all := []Set{open(messages.Straightforward, "commonsenseqa"), squad, nq, musique, open(messages.Complex, "2wikimultihopqa"),
		{Name: "compound", Questions: compound.Questions, Documents: compound.Documents}}
	checkPublic(t, all, Router, Decomposer, Refiner, Ending)
	// The roles that search need no more than two corpora to be checked.
	checkPublic(t, []Set{nq, musique}, Relevance, RelevanceAll)
}

func checkPublic(t *testing.T, sets []Set, roles ...Role) {
	t.Helper()
	made, err := Build(context.Background(), sets, Options{Seed: 1, Shares: Shares{Dev: 0.1, Test: 0.1}, Roles: roles})
	if err != nil {
		t.Fatal(err)
	}
	checkApart(t, made)
	for _, role := range roles {
		by := made.Examples[role]
		t.Logf("%s: %d train, %d dev, %d test", role, len(by[Train]), len(by[Dev]), len(by[Test]))
		for _, split := range SplitNames() {
			if len(by[split]) == 0 {
				t.Errorf("no %s examples for %s", split, role)
			}
			for i, e := range by[split] {
				if i%97 == 0 { // each takes the engine a millisecond
					checkExample(t, string(role), role, e)
				}
			}
		}
	}
}
