package links

import "slices"

// titles is the dictionary of the names that passages are called by. Links are
// not stored: a text is matched against the current titles, so a new title links
// older passages at once, and a removed one no longer does.
type titles struct {
	entries []entry
	byKey   map[uint64]int32
	longest []uint8   // by word: the longest key that starts with it, in tokens
	several [][]int32 // passages of the keys that stand for more than one
	changes uint32    // counts changes, so that remembered matches can be told to be stale
}

// entry is one key with the passages that it may refer to: those with this full
// title, or else those with this alias. Each list is encoded in one number: a
// single passage is its number, -1 is none, and -2-i stands for several[i].
type entry struct {
	full, alias int32
	toks        uint8
}

const nobody = -1

func newTitles(keys int) titles { return titles{byKey: make(map[uint64]int32, keys)} }

// meant returns the list that counts: the full titles', or else the aliases'.
func (e *entry) meant() int32 {
	if e.full != nobody {
		return e.full
	}
	return e.alias
}

// count returns how many passages a key means now.
func (t *titles) count(at int32) int {
	switch l := t.entries[at].meant(); {
	case l == nobody:
		return 0
	case l >= 0:
		return 1
	default:
		return len(t.several[-2-l])
	}
}

// passages appends the passages that a key means now to dst, in ascending order.
func (t *titles) passages(dst []int32, at int32) []int32 {
	switch l := t.entries[at].meant(); {
	case l == nobody:
		return dst
	case l >= 0:
		return append(dst, l)
	default:
		return append(dst, t.several[-2-l]...)
	}
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

// enter adds the passage num under k. Numbers only grow.
func (t *titles) enter(k key, num int32) {
	t.changes++
	at, ok := t.byKey[k.hash]
	if !ok {
		at = int32(len(t.entries))
		t.byKey[k.hash] = at
		t.entries = append(t.entries, entry{nobody, nobody, k.toks})
	}
	list := t.list(at, k.weak)
	switch {
	case *list == nobody:
		*list = num
	case *list == num: // twice under a key
	case *list >= 0:
		t.several = append(t.several, []int32{*list, num})
		*list = -2 - int32(len(t.several)-1)
	default:
		s := &t.several[-2-*list]
		if n := len(*s); n == 0 || (*s)[n-1] != num {
			*s = append(*s, num)
		}
	}
	for uint32(len(t.longest)) <= k.first {
		t.longest = append(t.longest, 0)
	}
	t.longest[k.first] = max(t.longest[k.first], k.toks)
}

func (t *titles) list(at int32, weak bool) *int32 {
	if weak {
		return &t.entries[at].alias
	}
	return &t.entries[at].full
}

// leave removes the passage num from under k. The key itself stays until the
// corpus is compacted.
func (t *titles) leave(k key, num int32) {
	t.changes++
	at, ok := t.byKey[k.hash]
	if !ok {
		return
	}
	list := t.list(at, k.weak)
	if *list == num {
		*list = nobody
		return
	}
	if *list > nobody || *list == nobody {
		return
	}
	s := &t.several[-2-*list]
	if i, ok := slices.BinarySearch(*s, num); ok {
		*s = slices.Delete(*s, i, i+1)
	}
	if len(*s) == 0 {
		*list = nobody
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
		m := mention{entry: at, from: int32(i), to: int32(i + n), sent: toks[i].sent, alias: t.entries[at].full == nobody}
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
	first := toks[0].norm
	if first >= uint32(len(t.longest)) {
		return 0, 0
	}
	h := uint64(offset)
	for j := range min(int(t.longest[first]), len(toks)) {
		h = mix(h, toks[j].norm)
		e, ok := t.byKey[h]
		if !ok || int(t.entries[e].toks) != j+1 || t.entries[e].meant() == nobody {
			continue
		}
		if j == 0 && toks[0].stem == structure {
			continue
		}
		at, length = e, j+1
	}
	return at, length
}
