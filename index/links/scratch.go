package links

// scratch is the memory of one search, reused by the next one. Between searches
// it is empty, and every cell is zero.
type scratch struct {
	cells   []cell // by passage
	touched []int32
	scores  []float64 // the best of them
	near    []int32   // those that may be among them
	equal   []int32   // those as good as the last of them
	order   []int32

	terms      slots // term by stem
	numbers    slots // candidate by passage
	candidates []candidate
	base       []float32 // the candidates' features
	linked     []float32 // those with links, of one stage
	features   [][]float32
}

// cell is how well a passage matches the question's words.
type cell struct {
	score float64 // BM25
	mask  uint64  // the terms it has
}

// open enlarges the scratch to a corpus of the given size.
func (d *scratch) open(passages int) {
	if len(d.cells) < passages {
		d.cells = make([]cell, passages+passages/4)
	}
	if d.candidates == nil {
		d.candidates = make([]candidate, 0, maxCandidates)
	}
}

// clear empties the scratch.
func (d *scratch) clear() {
	for _, num := range d.touched {
		d.cells[num] = cell{}
	}
	d.touched, d.order = d.touched[:0], d.order[:0]
	d.terms.clear()
	d.numbers.clear()
	clear(d.candidates) // they hold passages
	d.candidates = d.candidates[:0]
	d.base = d.base[:0]
}

// slots is a small hash map from numbers to indexes, with at most maxCandidates
// entries.
type slots struct {
	used int
	keys [1024]int32 // number + 1, 0 where there is none
	at   [1024]int16
}

func (s *slots) get(num int32) (at int, ok bool) {
	for i := uint32(num) * 0x9E3779B1 >> 22; ; i = (i + 1) & 1023 {
		switch s.keys[i] {
		case 0:
			return 0, false
		case num + 1:
			return int(s.at[i]), true
		}
	}
}

// put enters a number that is not there.
func (s *slots) put(num int32, at int) {
	i := uint32(num) * 0x9E3779B1 >> 22
	for s.keys[i] != 0 {
		i = (i + 1) & 1023
	}
	s.keys[i], s.at[i] = num+1, int16(at)
	s.used++
}

func (s *slots) clear() {
	if s.used > 0 {
		s.keys, s.used = [1024]int32{}, 0
	}
}
