package runner

import (
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"hopstream/messages"
)

// maxRemembered bounds the messages a station remembers; beyond it the ones
// not thought of for longest are forgotten.
const maxRemembered = 8192

// memory is what a station knows of messages that it handed back and has not
// settled, by subject. It is an aid and no state: another process, and this
// one after a restart, begins without it.
type memory struct {
	mu   sync.Mutex
	seen *simplelru.LRU[string, memo]
}

type memo struct {
	// used is what the attempts that failed here have used of models. The next
	// attempt here counts it; one in another process does not know of it.
	used messages.Usage
	// excused is the last delivery that was handed back for something that was
	// not the message's fault, and noted the last that other workers were told.
	excused, noted int
}

func newMemory() *memory {
	seen, err := simplelru.NewLRU[string, memo](maxRemembered, nil)
	if err != nil {
		panic(err) // the size is not positive
	}
	return &memory{seen: seen}
}

func (m *memory) get(subject string) memo {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, _ := m.seen.Get(subject)
	return v
}

// change changes what is known of a message, and returns it.
func (m *memory) change(subject string, f func(*memo)) memo {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, _ := m.seen.Get(subject)
	f(&v)
	m.seen.Add(subject, v)
	return v
}

// forget drops a message that was settled.
func (m *memory) forget(subject string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen.Remove(subject)
}
