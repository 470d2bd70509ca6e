package aggregator

import (
	"sync"

	"hopstream/messages"
)

// maxRecent bounds the rounds kept at once.
const maxRecent = 1024

// recent keeps the sub-answers of rounds that this process has seen and not
// joined yet, so that a round all of whose branches came by here is joined
// without reading it back. It is a shortcut and no state: what is not here is
// read from the log.
type recent struct {
	mu     sync.Mutex // guards the below
	rounds map[roundKey][]*messages.Subanswer
	order  []roundKey // of arrival, for dropping the oldest
}

type roundKey struct {
	id    string
	round int
}

// add keeps in and returns its round if that is now whole, and forgets it.
func (r *recent) add(in *messages.Subanswer) []*messages.Subanswer {
	key := roundKey{in.ID, in.Round}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.rounds == nil {
		r.rounds = map[roundKey][]*messages.Subanswer{}
	}
	seen, known := r.rounds[key]
	for _, s := range seen {
		if s.Branch == in.Branch || s.Branches != in.Branches {
			return nil // a redelivery: the log knows best
		}
	}
	own := *in // the runner goes on writing to its own
	seen = append(seen, &own)
	if len(seen) == in.Branches {
		delete(r.rounds, key)
		return seen
	}
	r.rounds[key] = seen
	if !known {
		r.order = append(r.order, key)
		for len(r.order) > maxRecent {
			delete(r.rounds, r.order[0])
			r.order = r.order[1:]
		}
	}
	return nil
}
