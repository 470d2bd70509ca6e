package markup

import (
	"golang.org/x/net/html/atom"

	"hopstream/index/document/draft"
)

// htmlList is a list that is open.
type htmlList struct {
	numbered bool
	next     int
	item     bool // one is open
	lone     bool // no element opened it: items without a list
}

// maxLists is how deep lists nest; what is deeper counts as of the last level.
const maxLists = 30

func (p *page) openList(a atom.Atom, t attributes) {
	p.flush()
	p.rows.layout(p)
	p.level = 0
	if len(p.lists) == 0 {
		p.w.Block()
	}
	if len(p.lists) < maxLists {
		p.lists = append(p.lists, htmlList{numbered: a == atom.Ol, next: max(t.first, 1)})
	}
}

// openItem begins an item, and ends the one before, whose end tag may be left
// out.
func (p *page) openItem() {
	p.flush()
	p.rows.layout(p)
	if len(p.lists) == 0 {
		p.lists = append(p.lists, htmlList{lone: true})
	}
	l := &p.lists[len(p.lists)-1]
	p.endItem(l)
	mark := "-"
	if l.numbered {
		mark = draft.Number(l.next)
		l.next++
	}
	p.w.BeginItem(mark)
	l.item = true
}

// openTerm begins an item with a term; what it means follows in the same item.
func (p *page) openTerm() { p.openItem() }

func (p *page) endItem(l *htmlList) {
	if l.item {
		p.w.EndItem()
	}
	l.item = false
}

func (p *page) closeList() {
	p.flush()
	if n := len(p.lists); n > 0 {
		p.endItem(&p.lists[n-1])
		p.lists = p.lists[:n-1]
	}
}
