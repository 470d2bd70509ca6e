package session

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"hopstream/cmd/internal/cli"
	"hopstream/index/document"
)

// maxPassed is how many names of what was passed over are kept.
const maxPassed = 1000

// Passed is a file or folder that was not read.
type Passed struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// PassedOver is what was not read: how many, and the first of them by name.
type PassedOver struct {
	Count int
	First []Passed

	app     *cli.App
	verbose bool
	mu      sync.Mutex
	hidden  int
	groups  map[string]int
}

// add notes one.
func (p *PassedOver) add(path, reason string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Count++
	if len(p.First) < maxPassed {
		p.First = append(p.First, Passed{strings.ToValidUTF8(path, "\uFFFD"), reason})
	}
	if p.verbose {
		p.app.Complain("%s: passed over: %s", cli.Clean(path), reason)
	}
	switch reason {
	case document.Hidden:
		p.hidden++
		return
	case document.UnknownEnding:
		if reason = document.Ending(path); reason == "" {
			reason = "without ending"
		}
	}
	if p.groups == nil {
		p.groups = map[string]int{}
	}
	if _, ok := p.groups[reason]; !ok && len(p.groups) >= maxPassed {
		reason = others
	}
	p.groups[reason]++
}

// others stands for the kinds that are not named one by one.
const others = "others"

// summarize says in one line what was not read, where there is more than hidden
// files.
func (p *PassedOver) summarize() {
	if len(p.groups) == 0 {
		return
	}
	const most = 12
	kinds := slices.SortedFunc(maps.Keys(p.groups), func(a, b string) int {
		return cmp.Or(cmp.Compare(p.groups[b], p.groups[a]), strings.Compare(a, b))
	})
	rest := 0
	var parts []string
	for i, kind := range kinds {
		if i >= most || kind == others {
			rest += p.groups[kind]
			continue
		}
		parts = append(parts, fmt.Sprintf("%d %s", p.groups[kind], cli.Clean(kind)))
	}
	if rest > 0 {
		parts = append(parts, fmt.Sprintf("%d %s", rest, others))
	}
	line := strings.Join(parts, ", ")
	if p.hidden > 0 {
		line += fmt.Sprintf(" and %d hidden", p.hidden)
	}
	if !p.verbose {
		line += " (hopstream index --verbose names them)"
	}
	p.app.Complain("passed over %s", line)
}
