package report

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
)

// colours is how many the page's style has for runs.
const colours = 8

// hue is the class of run i's marks.
func hue(i int) string { return fmt.Sprintf("s%d", i%colours) }

// percents are the ticks of shares.
func percents() []float64 { return []float64{0, 25, 50, 75, 100} }

// plotMeans shows each share of each run with its confidence interval.
func plotMeans(runs []Run) template.HTML {
	var shown []Metric
	for _, m := range Metrics() {
		if m.Scale == 100 && slices.ContainsFunc(runs, func(r Run) bool { return r.Total.Means[m.Key].N > 0 }) {
			shown = append(shown, m)
		}
	}
	const row, gap, left, width = 13.0, 10.0, 70.0, 720.0
	block := row*float64(len(runs)) + gap
	s := newSVG(width, block*float64(len(shown))+50, "means with 95 % confidence intervals")
	x := axis{0, 100, left, width - 20, false}
	bottom := block*float64(len(shown)) + 5
	for _, v := range percents() {
		s.line(x.at(v), 5, x.at(v), bottom, "grid")
		s.text(x.at(v), bottom+17, "middle", num(v)+" %")
	}
	for i, m := range shown {
		top := 5 + block*float64(i)
		if i > 0 {
			s.line(0, top, x.end, top, "grid")
		}
		s.text(left-10, top+block/2, "end", m.Name)
		for j := range runs {
			v := runs[j].Total.Means[m.Key]
			if v.N == 0 {
				continue
			}
			y := top + gap/2 + row*(float64(j)+.5)
			s.line(x.at(v.Low), y, x.at(v.High), y, "whisker "+hue(j))
			s.dot(x.at(v.Value), y, 4, "mark "+hue(j), fmt.Sprintf("%s, %s: %.1f (%.1f–%.1f), %d questions", runs[j].Name(), m.Title, v.Value, v.Low, v.High, v.N))
		}
	}
	return s.done()
}

// plotLatency shows the share of questions answered within a time.
func plotLatency(runs []Run) template.HTML {
	lo, hi := math.Inf(1), 0.0
	sorted := make([][]float64, len(runs))
	for i := range runs {
		for j := range runs[i].Records {
			v := max(0.1, runs[i].Records[j].LatencyMS)
			sorted[i] = append(sorted[i], v)
			lo, hi = min(lo, v), max(hi, v)
		}
		slices.Sort(sorted[i])
	}
	if hi == 0 {
		return ""
	}
	s := newSVG(720, 300, "latency: share of questions answered within a time")
	x := axis{math.Pow(10, math.Floor(math.Log10(lo))), math.Pow(10, math.Ceil(math.Log10(hi*1.0001))), 50, 700, true}
	y := axis{0, 100, 255, 10, false}
	var ticks []float64
	for v := x.from; v <= x.to*1.001; v *= 10 {
		ticks = append(ticks, v)
	}
	s.frame(x, y, ticks, percents(), duration, "answered within (logarithmic); % of questions")
	for i, values := range sorted {
		var points [][2]float64
		for _, k := range sample(len(values), 300) {
			points = append(points, [2]float64{x.at(values[k]), y.at(100 * float64(k+1) / float64(len(values)))})
		}
		s.polyline(points, "curve "+hue(i), fmt.Sprintf("%s: half within %s, 95 %% within %s", runs[i].Name(), duration(runs[i].Total.P50MS), duration(runs[i].Total.P95MS)))
	}
	return s.done()
}

// sample are up to about n of the numbers below size, its ends included.
func sample(size, n int) []int {
	var out []int
	step := max(1, size/n)
	for k := 0; k < size; k += step {
		out = append(out, k)
	}
	if size > 0 && out[len(out)-1] != size-1 {
		out = append(out, size-1)
	}
	return out
}

// duration writes milliseconds.
func duration(ms float64) string {
	switch {
	case ms >= 60_000:
		return num(ms/60_000) + " min"
	case ms >= 1000:
		return num(ms/1000) + " s"
	}
	return num(ms) + " ms"
}

// plotSteps shows how many rounds questions took.
func plotSteps(runs []Run) template.HTML {
	most := 1
	counts := make([]map[int]int, len(runs))
	for i := range runs {
		counts[i] = map[int]int{}
		for j := range runs[i].Records {
			n := runs[i].Records[j].Steps
			counts[i][n]++
			most = max(most, n)
		}
	}
	labels := make([]string, most+1)
	for n := range labels {
		labels[n] = fmt.Sprint(n)
	}
	return bars(runs, "rounds of retrieval; % of questions", labels, func(run, n int) (float64, string) {
		return 100 * float64(counts[run][n]) / float64(max(1, len(runs[run].Records))), fmt.Sprintf("%d questions", counts[run][n])
	})
}

// plotFunnel shows what is left of the gold behind each stage.
func plotFunnel(runs []Run) template.HTML {
	stages := Funnel()
	labels := make([]string, len(stages))
	for i, m := range stages {
		labels[i] = m.Name
	}
	return bars(runs, "% of the gold that is left", labels, func(run, i int) (float64, string) {
		m := runs[run].Total.Funnel[stages[i].Key]
		return m.Value, fmt.Sprintf("%s, %d questions", stages[i].Title, m.N)
	})
}

// bars draws a group of bars per label, one per run, in percent.
func bars(runs []Run, unit string, labels []string, value func(run, label int) (float64, string)) template.HTML {
	s := newSVG(720, 280, unit)
	y := axis{0, 100, 235, 10, false}
	for _, v := range percents() {
		s.line(50, y.at(v), 700, y.at(v), "grid")
		s.text(44, y.at(v)+4, "end", num(v))
	}
	group := 650 / float64(len(labels))
	width := min(26, group*0.8/float64(max(1, len(runs))))
	for l, label := range labels {
		mid := 50 + group*(float64(l)+.5)
		s.text(mid, 252, "middle", label)
		for r := range runs {
			v, note := value(r, l)
			x := mid + width*(float64(r)-float64(len(runs))/2)
			s.rect(x+1, y.at(v), width-2, y.start-y.at(v), "bar "+hue(r), fmt.Sprintf("%s, %s: %.1f %%, %s", runs[r].Name(), label, v, note))
		}
	}
	s.line(50, y.start, 700, y.start, "axis")
	s.text(375, 272, "middle", unit)
	return s.done()
}

// plotRecall shows recall@k over k.
func plotRecall(runs []Run) template.HTML {
	if !slices.ContainsFunc(runs, func(r Run) bool { return len(r.Total.Recall) > 0 }) {
		return ""
	}
	var ks []float64
	for _, k := range curve() {
		ks = append(ks, float64(k))
	}
	s := newSVG(720, 300, "recall over the number of passages")
	x := axis{ks[0], ks[len(ks)-1], 50, 700, true}
	y := axis{0, 100, 255, 10, false}
	s.frame(x, y, ks, percents(), num, "first k passages of all sub-queries, interleaved by rank; recall in %")
	for i := range runs {
		var points [][2]float64
		for _, p := range runs[i].Total.Recall {
			points = append(points, [2]float64{x.at(float64(p.K)), y.at(p.Recall)})
		}
		if len(points) == 0 {
			continue
		}
		s.polyline(points, "curve "+hue(i), runs[i].Name())
		for j, p := range runs[i].Total.Recall {
			s.dot(points[j][0], points[j][1], 3, "mark "+hue(i), fmt.Sprintf("%s: recall@%d %.1f", runs[i].Name(), p.K, p.Recall))
		}
	}
	return s.done()
}

// plotConfusion shows how the router took the gold classes.
func plotConfusion(r *Router) template.HTML {
	labels := r.Confusion.Labels(classNames()...)
	const size, left, top = 62.0, 130.0, 40.0
	n := float64(len(labels))
	s := newSVG(max(left+size*n+120, 420), top+size*n+12, "gold classes and the router's")
	s.text(left+size*n/2, 14, "middle", "routed as")
	for i, gold := range labels {
		total := 0
		for _, routed := range labels {
			total += r.Confusion[gold][routed]
		}
		y := top + size*float64(i)
		s.text(left-8, y+size/2+4, "end", orNone(gold))
		s.text(left+size*(float64(i)+.5), top-8, "middle", short(orNone(gold)))
		for j, routed := range labels {
			x, k := left+size*float64(j), r.Confusion[gold][routed]
			share := float64(k) / float64(max(1, total))
			s.shade(x+1, y+1, size-2, size-2, 0.06+0.74*share, fmt.Sprintf("%d of %d %s questions routed as %s (%.1f %%)", k, total, orNone(gold), orNone(routed), 100*share))
			s.text(x+size/2, y+size/2+4, "middle", fmt.Sprint(k))
		}
	}
	return s.done()
}

// short is a label that fits a column.
func short(label string) string {
	if len(label) > 9 {
		return strings.TrimSpace(label[:8]) + "."
	}
	return label
}
