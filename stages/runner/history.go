package runner

import (
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"hopstream/messages"
)

// maxRemembered bounds the messages a worker remembers; beyond it the least
// recently used ones are forgotten.
const maxRemembered = 8192

// history is what a worker remembers of messages that it handed back, by subject,
// until they are settled. Nothing depends on it: another process, and this one
// after a restart, begins without it.
type history struct {
	mu   sync.Mutex
	seen *simplelru.LRU[string, attempts]
}

type attempts struct {
	// used is what failed attempts in this process have used of models. It counts
	// for the next attempt here; other processes do not know it.
	used messages.Usage
	// discounted is the last delivery that did not count as an attempt, and shared
	// the last one that was recorded for other processes (attempts.go).
	discounted, shared int
	// waited is the last delivery that was handed back because another question
	// works on the same sub-query (share.go).
	waited int
}

func newHistory() *history {
	seen, err := simplelru.NewLRU[string, attempts](maxRemembered, nil)
	if err != nil {
		panic(err) // the size is not positive
	}
	return &history{seen: seen}
}

func (m *history) get(subject string) attempts {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, _ := m.seen.Get(subject)
	return v
}

// change changes what is known of a message, and returns it.
func (m *history) change(subject string, f func(*attempts)) attempts {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, _ := m.seen.Get(subject)
	f(&v)
	m.seen.Add(subject, v)
	return v
}

// forget drops a message that was settled.
func (m *history) forget(subject string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen.Remove(subject)
}
