package links

import (
	"slices"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"hopstream/messages"
)

// maxReadings is how many passages a Finder keeps cut into words: some 30 MB of
// usual paragraphs.
const maxReadings = 2048

// readings is a cache of passages cut into words. Many questions lead to the same
// passages, and cutting a question's few hundred into words takes longer than
// ranking them.
type readings struct {
	mu   sync.Mutex
	last *simplelru.LRU[string, reading]
}

func newReadings() *readings {
	last, err := simplelru.NewLRU[string, reading](maxReadings, nil)
	if err != nil {
		panic(err) // the size is not positive
	}
	return &readings{last: last}
}

// read returns ps cut into words, in order. The cache is used for passages that
// have not changed.
func (k *readings) read(ps []messages.Passage) []reading {
	out := make([]reading, len(ps))
	var fresh []messages.Passage
	var at []int
	k.mu.Lock()
	for i, p := range ps {
		if r, ok := k.last.Get(p.ID); ok && same(&r.p, &p) {
			out[i] = r
			continue
		}
		fresh, at = append(fresh, p), append(at, i)
	}
	k.mu.Unlock()
	read := readAll(fresh)
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, r := range read {
		out[at[i]] = r
		k.last.Add(r.p.ID, r)
	}
	return out
}

// same reports whether two passages say the same, in the same place.
func same(a, b *messages.Passage) bool {
	return a.Title == b.Title && a.Text == b.Text && a.Heading == b.Heading &&
		slices.Equal(a.Lines, b.Lines) && slices.Equal(a.Pages, b.Pages)
}
