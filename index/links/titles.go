package links

import "slices"

// titles is the dictionary of what passages are called. Nothing is stored of
// who names whom: a text is matched against the titles of the moment, so a
// new title links older passages at once, and a removed one stops.
type titles struct {
	entries []entry
	byKey   map[uint64]int32
	longest map[uint32]uint8 // the longest key that starts with a word, in tokens
}

// entry is one key with the passages it may mean. A full title outranks an
// alias.
type entry struct {
	full, alias []int32
	toks        int
}

// passages returns the passages that e means now.
func (e *entry) passages() []int32 {
	if len(e.full) > 0 {
		return e.full
	}
	return e.alias
}

// maxKey is the longest title that is looked for in texts, in tokens.
const maxKey = 12

const offset = 14695981039346656037 // FNV-1a's

func mix(h uint64, norm uint32) uint64 {
	h = (h ^ uint64(norm)) * 1099511628211
	return h ^ h>>29
}

func keyOf(toks []token) uint64 {
	h := uint64(offset)
	for _, t := range toks {
		h = mix(h, t.norm)
	}
	return h
}

// enter adds the passage num under toks and returns the entry.
func (t *titles) enter(toks []token, num int32, weak bool) int32 {
	k := keyOf(toks)
	at, ok := t.byKey[k]
	if !ok {
		at = int32(len(t.entries))
		t.byKey[k] = at
		t.entries = append(t.entries, entry{toks: len(toks)})
	}
	e := &t.entries[at]
	list := &e.full
	if weak {
		list = &e.alias
	}
	// Numbers only grow, so that a passage twice under a key stands last.
	if n := len(*list); n == 0 || (*list)[n-1] != num {
		*list = append(*list, num)
	}
	f := toks[0].norm
	t.longest[f] = max(t.longest[f], uint8(len(toks)))
	return at
}

// leave removes the passage num from under toks. The key itself stays until
// the corpus is compacted.
func (t *titles) leave(toks []token, num int32, weak bool) {
	at, ok := t.byKey[keyOf(toks)]
	if !ok {
		return
	}
	list := &t.entries[at].full
	if weak {
		list = &t.entries[at].alias
	}
	if i, ok := slices.BinarySearch(*list, num); ok {
		*list = slices.Delete(*list, i, i+1)
	}
}

// mention is where a text names the title of passages.
type mention struct {
	entry    int32
	from, to int32
	sent     uint16
	capital  bool
	alias    bool
}

// match appends to dst the longest titles in toks from there on, left to
// right, at most limit of them.
func (t *titles) match(dst []mention, toks []token, from, limit int) []mention {
	for i := from; i < len(toks) && len(dst) < limit; {
		at, n := t.longestAt(toks[i:])
		if n == 0 {
			i++
			continue
		}
		m := mention{entry: at, from: int32(i), to: int32(i + n), sent: toks[i].sent, alias: len(t.entries[at].full) == 0}
		for _, u := range toks[i : i+n] {
			m.capital = m.capital || u.flags&capital != 0
		}
		dst = append(dst, m)
		i += n
	}
	return dst
}

// longestAt returns the longest title that toks begin with, and its length.
func (t *titles) longestAt(toks []token) (at int32, length int) {
	h := uint64(offset)
	for j := range min(int(t.longest[toks[0].norm]), len(toks)) {
		h = mix(h, toks[j].norm)
		e, ok := t.byKey[h]
		if !ok || t.entries[e].toks != j+1 || len(t.entries[e].passages()) == 0 {
			continue
		}
		if j == 0 && toks[0].stem == structure {
			continue
		}
		at, length = e, j+1
	}
	return at, length
}
