package pdf

import (
	"io"
	"math"
	"strings"

	"github.com/ledongthuc/pdf"
)

// piece is a text that is drawn at once.
type piece struct {
	x, y, end float64 // in points; y upwards
	size      float64
	text      string
}

const (
	// maxContent is the most bytes that draw a page.
	maxContent = 32 << 20
	// maxPieces is the most pieces of text on a page.
	maxPieces = 200_000
	// maxForms is how deep drawings within drawings are read.
	maxForms = 8
)

// matrix is a transformation: a b c d e f, as PDF has it.
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

// times returns m followed by n.
func (m matrix) times(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// state is the state of drawing that q saves.
type state struct {
	ctm                                              matrix
	font                                             *font
	size, charSpace, wordSpace, scale, leading, rise float64
}

// painter reads the operators of a page.
type painter struct {
	budget *budget
	fonts  map[string]*font // of the file, by name and subset
	state
	saved      []state
	text, line matrix
	resources  pdf.Value
	forms      int
	out        []piece
}

// paint returns the pieces of text of a page.
func (p *painter) paint(page pdf.Page) {
	p.state = state{ctm: identity, scale: 1}
	p.resources = resources(page)
	p.content(page.V.Key("Contents"))
}

// content reads a stream of operators, or several as one.
func (p *painter) content(v pdf.Value) {
	if v.Kind() == pdf.Null {
		return
	}
	size := int64(0)
	for _, s := range streams(v) {
		var c counter
		deep, err := nested(io.TeeReader(io.LimitReader(s.Reader(), maxContent+1), &c))
		if size += int64(c); deep || err == nil && size > maxContent {
			panic(errDeep)
		}
	}
	pdf.Interpret(v, func(stack *pdf.Stack, op string) {
		p.budget.check()
		args := make([]pdf.Value, stack.Len())
		for i := len(args) - 1; i >= 0; i-- {
			args[i] = stack.Pop()
		}
		p.operator(op, args)
	})
}

type counter int64

func (c *counter) Write(b []byte) (int, error) { *c += counter(len(b)); return len(b), nil }

func streams(v pdf.Value) []pdf.Value {
	if v.Kind() != pdf.Array {
		return []pdf.Value{v}
	}
	var all []pdf.Value
	for i := range v.Len() {
		all = append(all, v.Index(i))
	}
	return all
}

// numbers returns the arguments of an operator, n of them at least.
func numbers(args []pdf.Value, n int) []float64 {
	out := make([]float64, max(n, len(args)))
	for i, a := range args {
		out[i] = a.Float64()
	}
	return out
}

//revive:disable-next-line:cyclomatic one case per operator
func (p *painter) operator(op string, args []pdf.Value) {
	n := numbers(args, 6)
	switch op {
	case "q":
		if len(p.saved) < 1000 {
			p.saved = append(p.saved, p.state)
		}
	case "Q":
		if k := len(p.saved); k > 0 {
			p.state, p.saved = p.saved[k-1], p.saved[:k-1]
		}
	case "cm":
		p.ctm = matrix(n[:6]).times(p.ctm)
	case "BT":
		p.text, p.line = identity, identity
	case "Tm":
		p.text = matrix(n[:6])
		p.line = p.text
	case "TD":
		p.leading = -n[1]
		p.move(n[0], n[1])
	case "Td":
		p.move(n[0], n[1])
	case "T*":
		p.move(0, -p.leading)
	case "Tc":
		p.charSpace = n[0]
	case "Tw":
		p.wordSpace = n[0]
	case "Tz":
		p.scale = n[0] / 100
	case "TL":
		p.leading = n[0]
	case "Ts":
		p.rise = n[0]
	case "Tf":
		p.setFont(args)
	case "Tj":
		p.show(args)
	case "'":
		p.move(0, -p.leading)
		p.show(args)
	case "\"":
		p.wordSpace, p.charSpace = n[0], n[1]
		p.move(0, -p.leading)
		p.show(args[min(2, len(args)):])
	case "TJ":
		p.showAll(args)
	case "Do":
		p.form(args)
	}
}

func (p *painter) move(x, y float64) {
	p.line = matrix{1, 0, 0, 1, x, y}.times(p.line)
	p.text = p.line
}

func (p *painter) setFont(args []pdf.Value) {
	if len(args) < 2 {
		return
	}
	p.size = args[1].Float64()
	name := args[0].Name()
	v := p.resources.Key("Font").Key(name)
	key := v.Key("BaseFont").Name()
	if !strings.Contains(key, "+") { // no subset, whose name is its own
		key = "" // another page may mean another font
	}
	if f := p.fonts[name+"/"+key]; f != nil && key != "" {
		p.font = f
		return
	}
	p.font = newFont(v)
	p.fonts[name+"/"+key] = p.font
}

func (p *painter) show(args []pdf.Value) {
	if len(args) > 0 {
		p.draw(args[0].RawString())
	}
}

// showAll draws texts with gaps between them.
func (p *painter) showAll(args []pdf.Value) {
	if len(args) == 0 {
		return
	}
	list := args[0]
	for i := range list.Len() {
		v := list.Index(i)
		if v.Kind() == pdf.String {
			p.draw(v.RawString())
			continue
		}
		p.text = matrix{1, 0, 0, 1, -v.Float64() / 1000 * p.size * p.scale, 0}.times(p.text)
	}
}

func (p *painter) draw(s string) {
	if p.font == nil || s == "" || len(p.out) >= maxPieces {
		return
	}
	text, width, codes, spaces := p.font.text(s)
	advance := (width/1000*p.size + float64(codes)*p.charSpace + float64(spaces)*p.wordSpace) * p.scale
	at := matrix{1, 0, 0, 1, 0, p.rise}.times(p.text).times(p.ctm)
	p.text = matrix{1, 0, 0, 1, advance, 0}.times(p.text)
	end := p.text.times(p.ctm)
	size := math.Abs(p.size) * math.Hypot(at[2], at[3])
	// Text that runs up the page is a mark on the margin.
	if text == "" || math.Abs(at[1]) > math.Abs(at[0]) {
		return
	}
	p.out = append(p.out, piece{x: at[4], y: at[5], end: end[4], size: size, text: text})
}

// form reads a drawing that the page refers to.
func (p *painter) form(args []pdf.Value) {
	if len(args) == 0 || p.forms >= maxForms {
		return
	}
	v := p.resources.Key("XObject").Key(args[0].Name())
	if v.Kind() != pdf.Stream || v.Key("Subtype").Name() != "Form" {
		return
	}
	was, resources, saved := p.state, p.resources, p.saved
	if r := v.Key("Resources"); r.Kind() == pdf.Dict {
		p.resources = r
	}
	if m := v.Key("Matrix"); m.Len() == 6 {
		p.ctm = matrix(numbers(streams(m), 6)).times(p.ctm)
	}
	p.forms++
	p.content(v)
	p.forms--
	p.state, p.resources, p.saved = was, resources, saved
}
