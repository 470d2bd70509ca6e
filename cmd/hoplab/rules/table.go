package rules

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// write reports what the rules do: those first whose loss costs least.
func write(w io.Writer, results []Result, sizes []Effect, o Options) error {
	if o.JSON {
		enc := json.NewEncoder(w)
		for _, r := range results {
			if err := enc.Encode(r); err != nil {
				return err
			}
		}
		return nil
	}
	head := []string{"rule", "place", "lines", "came", "changed", "worse", "better", "sets"}
	for _, s := range sizes {
		head = append(head, fmt.Sprintf("%s (%d)", s.Set, s.Came))
	}
	rows := [][]string{head}
	for _, r := range results {
		rows = append(rows, row(r, sizes))
	}
	if o.Markdown {
		return markdown(w, rows)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		if _, err := fmt.Fprintln(t, strings.Join(r, "\t")); err != nil {
			return err
		}
	}
	return t.Flush()
}

// row is what one rule does, with the changed questions of each set.
func row(r Result, sizes []Effect) []string {
	t := total(r.Effects)
	out := []string{r.Name, r.Place, strconv.Itoa(r.Lines), strconv.Itoa(t.Came), strconv.Itoa(t.Changed), strconv.Itoa(t.Worse), strconv.Itoa(t.Better), strconv.Itoa(sets(r.Effects))}
	if r.Needed {
		out[4] = "all"
	}
	for _, s := range sizes {
		changed := 0
		for _, e := range r.Effects {
			if e.Set == s.Set {
				changed = e.Changed
			}
		}
		out = append(out, strconv.Itoa(changed))
	}
	return out
}

func markdown(w io.Writer, rows [][]string) error {
	for i, r := range rows {
		if _, err := fmt.Fprintf(w, "| %s |\n", strings.Join(r, " | ")); err != nil {
			return err
		}
		if i == 0 {
			if _, err := fmt.Fprintln(w, strings.Repeat("|---", len(r))+"|"); err != nil {
				return err
			}
		}
	}
	return nil
}
