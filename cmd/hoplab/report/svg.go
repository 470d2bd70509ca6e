package report

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"strconv"
	"strings"
)

// The plots are drawn here because the report is one file that opens without
// a network and without scripts (TestHTML). github.com/go-echarts/go-echarts/v2
// v2.6.7 was not taken: its page loads echarts.min.js from another host or from
// a local path; the module does not contain that script and cannot inline it.
// Inlined by us, the script would add 1.0 MB to the program and to every report
// (the report of the tests has 32 kB, its plots included), nothing would be
// drawn where scripts are off, and the plots would no longer follow the page's
// style in light and dark. The confidence intervals would need a custom series,
// which is drawn by JavaScript of one's own.

// svg draws a picture. Colours and fonts are classes of the page's style, so
// that one picture serves light and dark.
type svg struct {
	b    strings.Builder
	w, h float64
}

// newSVG starts a picture of w by h units; label says what it shows to those
// who do not see it.
func newSVG(w, h float64, label string) *svg {
	s := &svg{w: w, h: h}
	s.add(`<svg viewBox="0 0 %s %s" role="img" aria-label="%s">`, num(w), num(h), html.EscapeString(label))
	return s
}

// add writes a tag. Only numbers and escaped text come in.
func (s *svg) add(format string, args ...any) { fmt.Fprintf(&s.b, format, args...) }

func (s *svg) line(x1, y1, x2, y2 float64, class string) {
	s.add(`<line x1="%s" y1="%s" x2="%s" y2="%s" class="%s"/>`, num(x1), num(y1), num(x2), num(y2), class)
}

// rect draws a box; title is shown where the mouse rests on it.
func (s *svg) rect(x, y, w, h float64, class, title string) {
	s.add(`<rect x="%s" y="%s" width="%s" height="%s" class="%s"><title>%s</title></rect>`, num(x), num(y), num(max(0, w)), num(max(0, h)), class, html.EscapeString(title))
}

func (s *svg) shade(x, y, w, h, opacity float64, title string) {
	s.add(`<rect x="%s" y="%s" width="%s" height="%s" class="cell" fill-opacity="%s"><title>%s</title></rect>`, num(x), num(y), num(w), num(h), num(opacity), html.EscapeString(title))
}

func (s *svg) dot(x, y, r float64, class, title string) {
	s.add(`<circle cx="%s" cy="%s" r="%s" class="%s"><title>%s</title></circle>`, num(x), num(y), num(r), class, html.EscapeString(title))
}

// text writes words; anchor is start, middle or end.
func (s *svg) text(x, y float64, anchor, words string) {
	s.add(`<text x="%s" y="%s" text-anchor="%s">%s</text>`, num(x), num(y), anchor, html.EscapeString(words))
}

// polyline joins points.
func (s *svg) polyline(points [][2]float64, class, title string) {
	var b strings.Builder
	for _, p := range points {
		b.WriteString(num(p[0]) + "," + num(p[1]) + " ")
	}
	s.add(`<polyline points="%s" class="%s"><title>%s</title></polyline>`, strings.TrimSpace(b.String()), class, html.EscapeString(title))
}

// done ends the picture.
func (s *svg) done() template.HTML {
	s.b.WriteString("</svg>")
	return template.HTML(s.b.String()) // every text in it was escaped above
}

// num writes a coordinate with at most two decimals; 0 for NaN and infinities.
func num(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		v = 0
	}
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}

// axis maps values to places.
type axis struct {
	from, to   float64 // values
	start, end float64 // places
	log        bool
}

func (a axis) at(v float64) float64 {
	lo, hi := a.from, a.to
	if a.log {
		lo, hi, v = math.Log(lo), math.Log(hi), math.Log(max(v, a.from))
	}
	if hi == lo {
		return a.start
	}
	return a.start + (v-lo)/(hi-lo)*(a.end-a.start)
}

// frame draws a plot's axes with their ticks, and the title of what runs
// along the bottom.
func (s *svg) frame(x, y axis, xs, ys []float64, tick func(float64) string, unit string) {
	for _, v := range ys {
		s.line(x.start, y.at(v), x.end, y.at(v), "grid")
		s.text(x.start-6, y.at(v)+4, "end", num(v))
	}
	for _, v := range xs {
		s.line(x.at(v), y.start, x.at(v), y.start+4, "axis")
		s.text(x.at(v), y.start+17, "middle", tick(v))
	}
	s.line(x.start, y.start, x.end, y.start, "axis")
	s.text((x.start+x.end)/2, y.start+34, "middle", unit)
}
