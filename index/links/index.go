package links

import (
	"context"
	"runtime"
	"sync"

	"hopstream/index/searcher"
	"hopstream/messages"
)

// Index ranks passages by what they say and by how they link. It lives in
// memory and is safe for concurrent use: searches run beside each other, and
// wait only while a change is put in.
type Index struct {
	scratch sync.Pool // of *scratch
	writer  sync.Mutex

	mu  sync.RWMutex
	now *corpus
}

var _ searcher.Searcher = (*Index)(nil)

// New returns an empty index.
func New() *Index { return &Index{now: newCorpus()} }

// Apply removes the passages whose IDs are in removed and adds those in
// added, which replace older ones of the same ID, in one step. What a search
// finds does not depend on the order in which passages came. Searches wait
// while words are entered (some 40 µs a passage), so batches of about a
// thousand are good; where most of the index is removed passages, it is copied
// without them, for which searches do not wait.
func (x *Index) Apply(added []messages.Passage, removed []string) {
	read := readAll(added)
	x.writer.Lock()
	defer x.writer.Unlock()
	x.mu.Lock()
	for _, id := range removed {
		x.now.remove(id)
	}
	for i := range read {
		x.now.add(read[i])
		read[i] = reading{} // a batch of words is large
	}
	x.mu.Unlock()
	if x.now.crowded() { // only a writer changes it
		next := x.now.compacted()
		x.mu.Lock()
		x.now = next
		x.mu.Unlock()
	}
}

// readAll cuts passages into words, on all cores.
func readAll(ps []messages.Passage) []reading {
	out := make([]reading, len(ps))
	var wg sync.WaitGroup
	workers := min(runtime.GOMAXPROCS(0), (len(ps)+31)/32)
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(ps); i += workers {
				out[i] = read(ps[i])
			}
		})
	}
	wg.Wait()
	return out
}

// Search returns the k best passages for question, best first, with ranks
// from 1 and, of equal scores, by ID. Scores are logits of the last stage. A
// question that names no title and shares no word with any passage finds
// nothing; the only error is that of ctx.
func (x *Index) Search(ctx context.Context, question string, k int) ([]messages.Passage, error) {
	if err := ctx.Err(); err != nil || k <= 0 {
		return nil, err
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := takeScratch(&x.scratch, len(x.now.passages))
	defer s.release(&x.scratch)
	q := newQuery(x.now, s, question)
	q.search(k)
	if err := q.rank(ctx, fitted, len(fitted), nil); err != nil {
		return nil, err
	}
	return q.results(k), nil
}

// Len returns how many passages there are.
func (x *Index) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.now.live()
}

// Passage returns the passage called id, and whether there is one.
func (x *Index) Passage(id string) (messages.Passage, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.now.get(id)
}
