package sim

import (
	"strings"
	"sync"

	"github.com/ollama/ollama/api"
)

// remembered is how many prompts a server's cache of prefixes holds.
const remembered = 64

// prefixes tell how much of a prompt a server that keeps what it has read of the
// latest prompts would not read again: what it begins with in common with the
// one of them that it is most alike. A real server keeps one prompt a slot, or
// blocks of many; that they are the latest is what both have in common.
type prefixes struct {
	mu     sync.Mutex
	latest [remembered]string
	next   int
}

// share returns the part of a prompt, from 0 to 1, that another began with, and
// remembers the prompt.
func (p *prefixes) share(turns []api.Message) float64 {
	var b strings.Builder
	for _, t := range turns {
		b.WriteString(t.Role)
		b.WriteByte(0)
		b.WriteString(t.Content)
		b.WriteByte(0)
	}
	prompt := b.String()
	p.mu.Lock()
	defer p.mu.Unlock()
	best := 0
	for _, other := range p.latest {
		best = max(best, common(prompt, other))
	}
	p.latest[p.next] = prompt
	p.next = (p.next + 1) % remembered
	return float64(best) / float64(max(1, len(prompt)))
}

// common is how many bytes two texts begin with in common.
func common(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// reset forgets all prompts.
func (p *prefixes) reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.latest[:])
}
