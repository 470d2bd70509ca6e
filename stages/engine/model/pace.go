package model

import (
	"sync"
	"time"
)

// pace learns how long a model's replies take, so that no call is begun that can
// hardly end in time.
type pace struct {
	mu   sync.Mutex
	mean time.Duration // of the latest replies, the last counting an eighth; 0: none yet
}

func (p *pace) learn(took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.mean == 0 {
		p.mean = took
		return
	}
	p.mean += (took - p.mean) / 8
}

// atLeast learns from a reply that was not waited for to its end.
func (p *pace) atLeast(took time.Duration) {
	if took > p.usual()*2 {
		p.learn(took)
	}
}

// refused is told of a call that was not begun because too little time was left.
// The next one is a little less unlikely to be: a model that was slow once, such
// as while it was loaded, would never be asked again by questions in a hurry.
func (p *pace) refused() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mean -= p.mean / 8
}

// usual is what a quick reply takes: half of the mean, so that a call which has a
// fair chance is made.
func (p *pace) usual() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.mean / 2
}
