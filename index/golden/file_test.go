package golden_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// path is the file of figures.
const path = "testdata/recall.md"

const header = `# Recall of the searchers

Written by

    go test ./index/golden -update

and compared by every run of the tests: the rows of %s, with -full
those of all sets.

R@2, R@5 and R@10 are the shares of a question's supporting documents that are
among the first 2, 5 and 10 passages, in percent. They have to be the same to
0.1. Only questions are asked that the weights of links were not fitted on:
every second one of a set, and of squad one in fourteen. The other searchers
are asked the same ones, with the roles of the builtin engine, whose few weights
did see some of them, and with the bounds that hopstream has by default.

A fusion is by reciprocal rank, of 20 passages each, which all count alike: what
links alone finds comes behind what BM25 finds as well.
%s
Times are of one question after the other on %d cores, right after the index was
made. They are for the reader and compared with nothing: they vary with the
machine and with what else it does.

`

// write writes the file.
func write(t *testing.T, all []figures) {
	t.Helper()
	var always []string
	for _, s := range sets {
		if s.always {
			always = append(always, s.name)
		}
	}
	mean := means(all)
	text := fmt.Sprintf(header, strings.Join(always, " and "), verdicts(all, mean), runtime.NumCPU()) + table(append(all, mean...))
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// table renders figures.
func table(all []figures) string {
	var b strings.Builder
	line := func(cells ...any) {
		fmt.Fprintf(&b, "| %-15v | %-17v | %9v | %5v | %5v | %5v | %9v | %6v |\n", cells...)
	}
	bar := func(n int) string { return strings.Repeat("-", n) }
	line("set", "searcher", "questions", "R@2", "R@5", "R@10", "median ms", "p95 ms")
	line(bar(15), bar(17), bar(8)+":", bar(4)+":", bar(4)+":", bar(4)+":", bar(8)+":", bar(5)+":")
	for _, f := range all {
		line(f.set, f.searcher, f.questions, percent(f.recall[0]), percent(f.recall[1]), percent(f.recall[2]), millis(f.median), millis(f.p95))
	}
	return b.String()
}

func percent(v float64) string { return fmt.Sprintf("%.1f", v) }

func millis(d time.Duration) string {
	if d == 0 {
		return "" // of a mean
	}
	return fmt.Sprintf("%.2f", d.Seconds()*1000)
}

// verdicts says of every fusion with links whether it beats links alone.
func verdicts(all, mean []figures) string {
	alone := map[string]float64{} // recall@5 of links, by set
	for _, f := range append(all[:len(all):len(all)], mean...) {
		if f.searcher == "links" {
			alone[f.set] = f.recall[1]
		}
	}
	var b strings.Builder
	for _, m := range mean {
		if !strings.Contains(m.searcher, "+links") {
			continue
		}
		better := 0
		for _, f := range all {
			if f.searcher == m.searcher && f.recall[1] > alone[f.set] {
				better++
			}
		}
		fmt.Fprintf(&b, "By R@5, %s (mean %.1f) beats links alone (%.1f) on %d of %d sets.\n", m.searcher, m.recall[1], alone[m.set], better, len(sets))
	}
	return b.String()
}

// recorded reads the file: what String was of whose figures.
func recorded(t *testing.T) map[[2]string]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: go test ./index/golden -update writes it", err)
	}
	out := map[[2]string]string{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) < 8 {
			continue // of no table
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		out[[2]string{cells[1], cells[2]}] = strings.Join(cells[3:7], " ")
	}
	return out
}
