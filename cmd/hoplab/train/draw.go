package train

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hopstream/cmd/hoplab/dataset"
	"hopstream/cmd/internal/cli"
	"hopstream/index/lang"
	"hopstream/messages"
)

// drawer reads question sets.
type drawer struct {
	root string
	fit  map[string][]record
	out  map[string]bool // letters of the questions held out
}

func newDrawer(root string) *drawer {
	return &drawer{root: root, fit: map[string][]record{}, out: map[string]bool{}}
}

// held returns the questions of a set that are held out.
func (d *drawer) held(set string, class messages.Class) (out []Route, err error) {
	all, err := d.all(set)
	for _, r := range all {
		if set == "commonsenseqa" || !r.first() {
			d.out[letters(r.Question)] = true
			out = append(out, Route{Text: r.Question, Class: class, Set: set})
		}
	}
	return out, err
}

// lessons returns the questions of a set that are fitted on, as they are and in
// other words.
func (d *drawer) lessons(set string, class messages.Class, paraphrases string) ([]Route, error) {
	fit, err := d.fitted(set)
	if err != nil {
		return nil, err
	}
	other, err := dataset.OtherWords(paraphrases, set)
	var texts []string
	for _, r := range fit {
		if text := other[r.ID]; text != "" {
			texts = append(texts, text)
		}
	}
	return append(d.routes(set, class, false, asked(fit)), d.routes(set+" in other words", class, true, texts)...), err
}

// routes are the texts that are not held out.
func (d *drawer) routes(set string, class messages.Class, extra bool, texts []string) (out []Route) {
	for _, text := range texts {
		if !d.out[letters(text)] {
			out = append(out, Route{Text: text, Class: class, Set: set, extra: extra})
		}
	}
	return out
}

// fitted returns the records of a set that are fitted on.
func (d *drawer) fitted(set string) ([]record, error) {
	if fit, ok := d.fit[set]; ok {
		return fit, nil
	}
	var fit []record
	var err error
	if set == "commonsenseqa" {
		fit, err = d.read(set, "train.jsonl")
	} else if fit, err = d.all(set); err == nil && set != "break" { // which is fitted on only
		fit = slices.DeleteFunc(fit, func(r record) bool { return !r.first() })
	}
	d.fit[set] = fit
	return fit, err
}

func (d *drawer) all(set string) ([]record, error) { return d.read(set, "questions.jsonl") }

func (d *drawer) read(set, file string) (rs []record, err error) {
	path := filepath.Join(d.root, set, file)
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 4<<20)
	for s.Scan() {
		var r record
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		rs = append(rs, r)
	}
	return rs, s.Err()
}

// routable fails as wrong use where a folder lacks one of the sets that the router
// is fitted on; an empty name says that it is not to be.
func routable(root string) error {
	for _, name := range setNames() {
		path := filepath.Join(root, name, "questions.jsonl")
		if _, err := os.Stat(path); root != "" && err != nil {
			return cli.Usagef("--routing: there is no %s: the router is fitted on the sets %v", path, setNames())
		}
	}
	return nil
}

func setNames() (names []string) {
	for _, s := range sources {
		names = append(names, s.sets...)
		for _, x := range s.extra {
			names = append(names, x.set)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// record is a line of a question set.
type record struct {
	ID, Question, Type string
	Supporting         []string
	Operators          []string // what each step does
	Decomposition      []struct{ Question, Answer string }
}

// first reports whether the record is in the half that is fitted on.
func (r *record) first() bool {
	h := lang.Hash(r.ID)
	return (h^h>>29^h>>47)*0x9E3779B97F4A7C15>>63 == 0
}

func asked(rs []record) (qs []string) {
	for _, r := range rs {
		qs = append(qs, r.Question)
	}
	return qs
}

// firstSteps are the steps of a multi-hop question that need no other's
// answer: each is a single-hop question.
func firstSteps(rs []record) (qs []string) {
	for _, r := range rs {
		for _, s := range r.Decomposition {
			if !strings.Contains(s.Question, "#") && !strings.Contains(s.Question, ">>") {
				qs = append(qs, s.Question)
			}
		}
	}
	return qs
}

// multiHop leaves out what asks for arithmetic over one given text.
func multiHop(rs []record) (qs []string) {
	for _, r := range rs {
		if r.Type != "DROP" {
			qs = append(qs, r.Question)
		}
	}
	return qs
}

// inOne are two single-hop questions about one passage in one.
func inOne(rs []record) (qs []string) {
	opens := func(r *record) bool {
		first, _, _ := strings.Cut(strings.ToLower(r.Question), " ")
		switch first {
		case "who", "whom", "whose", "what", "which", "when", "where", "why", "how":
			return true
		}
		return false
	}
	for i := 0; i+1 < len(rs); i++ {
		a, b := &rs[i], &rs[i+1]
		if !opens(a) || !opens(b) || len(a.Supporting) != 1 || len(b.Supporting) != 1 || a.Supporting[0] != b.Supporting[0] {
			continue
		}
		link := [...]string{" and ", ", and ", "? "}[len(qs)%3]
		qs = append(qs, strings.TrimRight(a.Question, " ?")+link+strings.ToLower(b.Question[:1])+b.Question[1:])
		i++
	}
	return qs
}

// withoutMarks are questions as those type them who leave out question marks.
func withoutMarks(rs []record) (qs []string) {
	for _, r := range rs {
		qs = append(qs, unmarked(r.Question))
	}
	return qs
}

func unmarked(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "?", " ")), " ")
}

// letters is what is left of a question without marks, blanks and capitals.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 127 {
			return r
		}
		return -1
	}, strings.ToLower(text))
}
