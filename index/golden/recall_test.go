package golden_test

import (
	"flag"
	"testing"

	"hopstream/index/testkit/publictest"
)

var (
	update = flag.Bool("update", false, "write testdata/recall.md")
	full   = flag.Bool("full", false, "compare all sets with testdata/recall.md, not only two")
)

// TestRecall compares what searchers find with the file of figures.
func TestRecall(t *testing.T) {
	if testing.Short() {
		t.Skip("indexes corpora of thousands of documents")
	}
	var want map[[2]string]string
	if !*update {
		want = recorded(t)
	}
	var all []figures
	for _, s := range sets {
		if !s.always && !*full && !*update {
			continue
		}
		questions, st := publictest.HeldOut(t, s.name), openStores(t, s)
		for _, m := range st.searchers() {
			answers := make([]answer, len(questions))
			for i, q := range questions {
				answers[i] = ask(t, m, q)
			}
			all = append(all, figuresOf(s.name, m.Name, answers))
		}
		st.close(t)
	}
	if *update {
		write(t, all)
		return
	}
	for _, f := range all {
		if is, was := f.String(), want[f.key()]; is != was {
			t.Errorf("%v: questions, recall@2, 5 and 10 are %s, recorded are %q; if that is as it should be: go test ./index/golden -update", f.key(), is, was)
		}
	}
}
