package runner

import (
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"hopstream/messages"
)

// maxRemembered bounds the messages a worker remembers; beyond it the ones
// not thought of for longest are forgotten.
const maxRemembered = 8192

// history is what a worker knows of messages that it handed back and has not
// settled, by subject. It is an aid and no state: another process, and this
// one after a restart, begins without it.
type history struct {
	mu   sync.Mutex
	seen *simplelru.LRU[string, attempts]
}

type attempts struct {
	// used is what the attempts that failed here have used of models. The next
	// attempt here counts it; one in another process does not know of it.
	used messages.Usage
	// discounted is the last delivery that was handed back for something that was
	// not the message's fault, and shared the last that other workers were told.
	discounted, shared int
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
