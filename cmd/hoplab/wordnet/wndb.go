package wordnet

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// pos is a part of speech, as WordNet's files are named.
type pos byte

const adjective pos = 'a'

var files = map[pos]string{'n': "noun", 'v': "verb", adjective: "adj", 'r': "adv"}

// place names a synset: its part of speech and its offset in that file.
type place struct {
	pos    pos
	offset int
}

// pointer leads from a synset, or from a word of it, to another.
type pointer struct {
	symbol   string
	to       place
	from, at int // numbers of the words it holds for, from 1; 0: the whole synset
}

// derived is the symbol of a pointer between words of which one is derived from the
// other.
const derived = "+"

// synset is a meaning: the words that have it, and where it leads.
type synset struct {
	words    []string // lower case, words of a phrase joined by "_"
	pointers []pointer
}

// database is WordNet as its files have it (wndb(5WN)).
type database struct {
	synsets map[place]*synset
	senses  map[pos]map[string][]place // of a word, the most frequent first
}

// open reads the data and index files of a folder.
func open(dir string) (*database, error) {
	d := &database{synsets: map[place]*synset{}, senses: map[pos]map[string][]place{}}
	for p, name := range files {
		if err := lines(filepath.Join(dir, "data."+name), func(f []string) error { return d.data(p, f) }); err != nil {
			return nil, err
		}
		d.senses[p] = map[string][]place{}
		if err := lines(filepath.Join(dir, "index."+name), func(f []string) error { return d.index(p, f) }); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// lines calls f with the fields of every line, without the licence in front and the
// glosses.
func lines(path string, f func(fields []string) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	in := bufio.NewScanner(file)
	in.Buffer(nil, 1<<20)
	for n := 1; in.Scan(); n++ {
		if strings.HasPrefix(in.Text(), "  ") {
			continue
		}
		line, _, _ := strings.Cut(in.Text(), " | ")
		if err := f(strings.Fields(line)); err != nil {
			return fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
	return in.Err()
}

// reader takes fields one after another; a number that is missing is an error in the end.
type reader struct {
	fields []string
	err    error
}

func (r *reader) next() string {
	if len(r.fields) == 0 {
		r.err = fmt.Errorf("line is too short")
		return ""
	}
	f := r.fields[0]
	r.fields = r.fields[1:]
	return f
}

func (r *reader) number(base int) int {
	n, err := strconv.ParseUint(r.next(), base, 31)
	if err != nil && r.err == nil {
		r.err = err
	}
	return int(n)
}

// data reads: offset file type words(hex) {word id}… pointers {symbol offset pos source/target}…
func (d *database) data(p pos, fields []string) error {
	r := &reader{fields: fields}
	at := place{p, r.number(10)}
	r.next()
	r.next()
	s := &synset{}
	for n := r.number(16); n > 0 && r.err == nil; n-- {
		word, _, _ := strings.Cut(r.next(), "(") // (p): where an adjective stands
		s.words = append(s.words, strings.ToLower(word))
		r.next()
	}
	for n := r.number(10); n > 0 && r.err == nil; n-- {
		x := pointer{symbol: r.next()}
		x.to.offset = r.number(10)
		if to := r.next(); to == "s" { // an adjective near another
			x.to.pos = adjective
		} else if to != "" {
			x.to.pos = pos(to[0])
		}
		ends := r.number(16)
		x.from, x.at = ends>>8, ends&0xff
		s.pointers = append(s.pointers, x)
	}
	d.synsets[at] = s
	return r.err
}

// index reads: word pos senses pointers {symbol}… senses tagged {offset}…
func (d *database) index(p pos, fields []string) error {
	r := &reader{fields: fields}
	word := r.next()
	r.next()
	n := r.number(10)
	for k := r.number(10); k > 0; k-- {
		r.next()
	}
	r.next()
	r.next()
	for ; n > 0 && r.err == nil; n-- {
		d.senses[p][word] = append(d.senses[p][word], place{p, r.number(10)})
	}
	return r.err
}

// word returns the word of a synset with a number, which counts from 1, or "".
func (d *database) word(of place, number int) string {
	if s := d.synsets[of]; s != nil && number > 0 && number <= len(s.words) {
		return s.words[number-1]
	}
	return ""
}
