package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"time"
)

//go:embed page.html
var pageText string

// page is what page.html shows.
type page struct {
	Title                                 string
	When                                  string
	Runs                                  []pageRun
	Cols                                  []string
	Hues                                  []string // the classes of the runs' colours
	Means, Latency, Steps, Recall, Funnel template.HTML
}

// pageRun is a run on the page.
type pageRun struct {
	Name, Hue, Foot string
	Cells           []string
	Groups          []pageGroup
	Router          *Router
	Confusion       template.HTML
	Wrong           []Record
	WrongTotal      int
}

// pageGroup are the figures of one type or gold class.
type pageGroup struct {
	Name  string
	Cells []string
}

// maxWrong is how many wrong answers of a run the page lists.
const maxWrong = 100

// HTML writes runs as one page with plots, which needs nothing but itself. at
// is when it was made.
func HTML(w io.Writer, runs []Run, at time.Time) error {
	t, err := template.New("page").Parse(pageText)
	if err != nil {
		return err
	}
	cols := columns(runs, TableOptions{Funnel: true, Intervals: true})
	p := page{
		Title: "hoplab eval", When: at.UTC().Format("2006-01-02 15:04 UTC"),
		Means: plotMeans(runs), Latency: plotLatency(runs), Steps: plotSteps(runs), Recall: plotRecall(runs), Funnel: plotFunnel(runs),
	}
	for i := range colours {
		p.Hues = append(p.Hues, hue(i))
	}
	for _, c := range cols {
		p.Cols = append(p.Cols, c.name)
	}
	cells := func(f *Figures) []string {
		out := make([]string, len(cols))
		for i, c := range cols {
			out[i] = c.cell(f)
		}
		return out
	}
	for i := range runs {
		r := &runs[i]
		one := pageRun{Name: r.Name(), Hue: hue(i), Foot: footnote(r, false), Cells: cells(r.Total), Router: r.Total.Router}
		for _, by := range []map[string]*Figures{r.Types, r.Classes} {
			if len(by) < 2 {
				continue
			}
			for _, name := range slices.Sorted(maps.Keys(by)) {
				one.Groups = append(one.Groups, pageGroup{orNone(name), cells(by[name])})
			}
		}
		if one.Router != nil {
			one.Confusion = plotConfusion(one.Router)
		}
		for _, rec := range r.Records {
			if rec.Acc < 1 && rec.Measured() {
				if one.WrongTotal++; len(one.Wrong) < maxWrong {
					one.Wrong = append(one.Wrong, rec)
				}
			}
		}
		p.Runs = append(p.Runs, one)
	}
	if len(runs) == 1 {
		p.Title = fmt.Sprintf("%s: %s", p.Title, runs[0].Name())
	}
	return t.Execute(w, p)
}
