package markup

// rows are the rows of a table of HTML. Tables that lay out a page, which hold
// lists, code, other tables or long texts, are read as if they were none.
type rows struct {
	tables int // open, within each other
	begun  bool
	inCell bool
	cells  []string
	line   int
}

// longCell is the most bytes of a cell.
const longCell = 2000

// in reports whether text belongs to a cell.
func (r *rows) in() bool { return r.tables > 0 && r.inCell }

func (r *rows) open(p *page) {
	r.layout(p)
	r.tables++
}

func (r *rows) row(p *page) {
	r.end(p)
	r.begun, r.line = true, p.line
}

func (r *rows) cell(p *page) {
	r.endCell(p)
	if r.tables == 0 {
		return
	}
	if !r.begun {
		r.row(p)
	}
	r.cells = append(r.cells, "")
	r.inCell = true
}

// take adds text to the cell that is open.
func (r *rows) take(text string, line int) bool {
	if !r.in() {
		return false
	}
	if len(r.cells) == 1 && r.cells[0] == "" {
		r.line = line
	}
	last := &r.cells[len(r.cells)-1]
	if *last != "" {
		*last += " "
	}
	*last += text
	return true
}

func (r *rows) endCell(p *page) {
	p.flush()
	if r.in() && len(r.cells[len(r.cells)-1]) > longCell {
		r.layout(p)
	}
	r.inCell = false
}

// end writes the row.
func (r *rows) end(p *page) {
	r.endCell(p)
	if len(r.cells) > 0 {
		p.w.Row(r.cells, r.line)
	}
	r.cells, r.begun = nil, false
}

// layout writes the cells so far as paragraphs, and takes the rest of the row
// for text.
func (r *rows) layout(p *page) {
	if r.tables == 0 {
		return
	}
	p.flush()
	for _, c := range r.cells {
		p.w.Block()
		p.w.Line(c, r.line)
	}
	if len(r.cells) > 0 {
		p.w.Block()
	}
	r.cells, r.inCell = nil, false
}

func (r *rows) close(p *page) {
	if r.tables == 0 {
		return
	}
	r.end(p)
	r.tables--
	p.w.Block()
}
