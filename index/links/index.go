package links

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"hopstream/index"
	"hopstream/index/searcher"
	"hopstream/messages"
)

// Index ranks passages by their words and by the links between them. What every
// search needs is in memory; a passage's own words and text are in memory or in
// a file. It is safe for concurrent use: as many searches run at once as there
// are cores, and they wait only while a change is made.
type Index struct {
	scratches chan *scratch
	writer    sync.Mutex
	buf       []int32 // the writer's

	mu    sync.RWMutex
	now   *corpus
	file  *file  // nil in memory
	cache *cache // of passages read from file
}

var _ searcher.Searcher = (*Index)(nil)

// New returns an empty index in memory.
func New() *Index { return newIndex(newCorpus(), nil) }

func newIndex(c *corpus, f *file) *Index {
	x := &Index{scratches: make(chan *scratch, runtime.GOMAXPROCS(0)), now: c, file: f}
	if f != nil {
		x.cache = newCache()
	}
	for range cap(x.scratches) {
		x.scratches <- new(scratch)
	}
	return x
}

// Apply removes the passages whose IDs are in removed and adds those in
// added, which replace older ones of the same ID, in one step. What a search
// finds does not depend on the order in which passages came. Searches wait
// while words are entered (some 10 µs a passage), so batches of about a
// thousand are good. When most passages of the index are removed ones, it is
// copied without them, and searches do not wait for that. An index in memory
// returns errors for a full index only.
func (x *Index) Apply(added []messages.Passage, removed []string) error {
	return x.apply(added, func(c *corpus) (nums []int32) {
		for _, id := range removed {
			if num, ok := c.where[id]; ok {
				nums = append(nums, num)
			}
		}
		return nums
	}, nil)
}

// apply is Apply with the removed passages given by number. position is stored
// with the change.
func (x *Index) apply(added []messages.Passage, removed func(*corpus) []int32, position *index.Position) error {
	read := readAll(latest(added))
	x.writer.Lock()
	defer x.writer.Unlock()
	c := x.now // only a writer changes it
	if len(c.ids)+len(read) > maxPassages || len(c.norms)+len(read)*maxTokens > maxWords {
		return errFull
	}
	u := update{first: int32(len(c.ids)), position: position}
	u.removed = append(u.removed, removed(c)...)
	for i := range read {
		if num, ok := c.where[read[i].p.ID]; ok {
			u.removed = append(u.removed, num)
		}
	}
	slices.Sort(u.removed)
	u.removed = slices.Compact(u.removed)
	gone, err := x.passages(u.removed)
	if err != nil {
		return err
	}
	x.mu.Lock()
	for i := range read {
		u.passages = append(u.passages, c.passage(read[i]))
		read[i] = reading{} // a batch of words is large
	}
	c.grow()
	x.mu.Unlock()
	for _, p := range u.passages {
		u.digests = append(u.digests, p.digest(&x.buf))
	}
	if x.file != nil {
		if err := x.file.write(&c.vocabulary, &u); err != nil {
			return err
		}
	}
	x.mu.Lock()
	for i, num := range u.removed {
		c.remove(num, gone[i])
	}
	x.add(c, &u)
	x.mu.Unlock()
	if c.crowded() {
		return x.compact(position)
	}
	return nil
}

// add adds the passages of u to c.
func (x *Index) add(c *corpus, u *update) {
	for i := range u.digests {
		c.insert(&u.digests[i])
	}
	if x.file == nil {
		c.held = append(c.held, u.passages...)
	}
}

// latest returns the passages, of several with one ID only the last.
func latest(ps []messages.Passage) []messages.Passage {
	at := make(map[string]int, len(ps))
	for i := range ps {
		at[ps[i].ID] = i
	}
	if len(at) == len(ps) {
		return ps
	}
	var last []messages.Passage
	for i := range ps {
		if at[ps[i].ID] == i {
			last = append(last, ps[i])
		}
	}
	return last
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

// passages returns the passages with the given numbers. The caller holds writer
// or mu.
func (x *Index) passages(nums []int32) ([]*passage, error) {
	r := x.reader()
	defer r.close()
	ps := make([]*passage, len(nums))
	for i, num := range nums {
		var err error
		if ps[i], err = r.get(num); err != nil {
			return nil, err
		}
	}
	return ps, nil
}

// Search returns the k best passages for question, best first, with ranks
// from 1 and, of equal scores, by ID. Scores are logits of the last stage. A
// question that names no title and shares no word with any passage finds
// nothing. Errors are those of ctx, and of the file.
func (x *Index) Search(ctx context.Context, question string, k int) ([]messages.Passage, error) {
	if err := ctx.Err(); err != nil || k <= 0 {
		return nil, err
	}
	var found []messages.Passage
	err := x.ask(ctx, question, func(q *query) error {
		q.search(k)
		if err := q.rank(ctx, ranked, len(ranked), nil); err != nil {
			return err
		}
		found = q.results(k)
		if q.err != nil {
			return fmt.Errorf("search links: %w", q.err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

// ask waits for a free scratch, reads the question and calls fn with it.
func (x *Index) ask(ctx context.Context, question string, fn func(*query) error) error {
	var d *scratch
	select {
	case d = <-x.scratches:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { x.scratches <- d }()
	x.mu.RLock()
	defer x.mu.RUnlock()
	d.open(len(x.now.ids))
	defer d.clear()
	r := x.reader()
	defer r.close()
	return fn(newQuery(x.now, d, r, question))
}

// Len returns how many passages there are.
func (x *Index) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.now.live()
}

// documents returns how many documents the passages come from.
func (x *Index) documents() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.now.docs
}

// Passage returns the passage called id, and whether there is one. In memory
// it does not fail.
func (x *Index) Passage(id string) (messages.Passage, bool, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	num, ok := x.now.where[id]
	if !ok {
		return messages.Passage{}, false, nil
	}
	ps, err := x.passages([]int32{num})
	if err != nil {
		return messages.Passage{}, false, err
	}
	return ps[0].message(), true, nil
}

// close closes the file. No search may be running.
func (x *Index) close() error {
	if x.file == nil {
		return nil
	}
	return x.file.close()
}

// errGone says that a passage that must be there is not.
var errGone = errors.New("a stored passage is missing")
