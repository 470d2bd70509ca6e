package train

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"hopstream/index/lang"
	"hopstream/messages"
	"hopstream/stages/engine/builtin"
	"hopstream/stages/engine/builtin/classify"
	"hopstream/stages/engine/builtin/linear"
)

// sources are what the classes' questions are drawn from, in the order of
// classify.Classes. The router is measured on the sets; on extra ones it is
// fitted only, so that it does not take a set's manner for its class.
var sources = [4]struct {
	sets  []string
	extra []drawn
}{
	{sets: []string{"commonsenseqa"}},
	{
		sets:  []string{"squad", "nq", "popqa", "triviaqa"},
		extra: []drawn{{"multispanqa", asked}, {"musique", firstSteps}, {"strategyqa", firstSteps}}, // the first: lists
	},
	{sets: []string{"compoundqa"}, extra: []drawn{{"compoundqa", withoutMarks}, {"squad", inOne}}},
	{
		sets:  []string{"hotpotqa", "musique", "2wikimultihopqa"},
		extra: []drawn{{"break", multiHop}, {"strategyqa", asked}}, // the last: implicit hops
	},
}

// drawn is what is taken from an extra set.
type drawn struct {
	set  string
	draw func([]record) []string
}

// record is a line of a question set.
type record struct {
	ID, Question, Type string
	Supporting         []string
	Decomposition      []struct{ Question string }
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

// Route is a question and the class it has.
type Route struct {
	Text, Set string
	Class     messages.Class
	extra     bool
	share     float64 // of the fit
}

// Routes returns the questions of the sets in the folder root to fit a router on,
// and those held out: halves by the hash of the question's ID, or the set's own.
// No question is in both. What the folder of paraphrases has is fitted on where
// the question is, and so are the questions over documents among docs.
func Routes(root, paraphrases string, docs []*Example) (lessons, held []Route, err error) {
	d := &drawer{root: root, fit: map[string][]record{}}
	out := map[string]bool{}
	for c, class := range classify.Classes() {
		for _, set := range sources[c].sets {
			all, err := d.all(set)
			if err != nil {
				return nil, nil, err
			}
			for _, r := range all {
				if set == "commonsenseqa" || !r.first() {
					out[letters(r.Question)] = true
					held = append(held, Route{Text: r.Question, Class: class, Set: set})
				}
			}
		}
	}
	for c, class := range classify.Classes() {
		add := func(set string, extra bool, texts []string) {
			for _, text := range texts {
				if !out[letters(text)] {
					lessons = append(lessons, Route{Text: text, Class: class, Set: set, extra: extra})
				}
			}
		}
		for _, set := range sources[c].sets {
			fit, err := d.fitted(set)
			if err != nil {
				return nil, nil, err
			}
			add(set, false, asked(fit))
			other, err := paraphrased(paraphrases, set)
			if err != nil {
				return nil, nil, err
			}
			var texts []string
			for _, r := range fit {
				if text := other[r.ID]; text != "" {
					texts = append(texts, text)
				}
			}
			add(set+" in other words", true, texts)
		}
		for _, x := range sources[c].extra {
			fit, err := d.fitted(x.set)
			if err != nil {
				return nil, nil, err
			}
			add(x.set+" for "+string(class), true, x.draw(fit))
		}
	}
	for _, x := range docs {
		if x.Set == docsSet {
			class := cmp.Or(docsClasses[x.Kind], messages.Single)
			lessons = append(lessons, Route{Text: x.Question, Class: class, Set: "documents for " + string(class), extra: true})
		}
	}
	setShares(lessons)
	return lessons, held, nil
}

// docsClasses are the classes of kinds of questions over documents; the others
// are single.
var docsClasses = map[string]messages.Class{"twopart": messages.Compound, "multihop": messages.Complex}

// FitRouter returns the weights of classes.
func FitRouter(lessons []Route) *linear.Model {
	var groups []linear.Group
	for i := range lessons {
		f, ok := builtin.Routed(lessons[i].Text)
		if !ok {
			continue
		}
		g := linear.Group{Members: f[:], Right: make([]float32, len(f)), Weight: float32(lessons[i].share * float64(len(lessons)) / 4)}
		at := classify.Classes()
		g.Right[slices.Index(at[:], lessons[i].Class)] = 1
		groups = append(groups, g)
	}
	return linear.Fit(groups, linear.Options{Epochs: 4, Rate: 0.05, Decay: 1e-3, Seed: 1})
}

// drawer reads question sets.
type drawer struct {
	root string
	fit  map[string][]record
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
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: no such file: the router is fitted on the sets %v", path, setNames())
	}
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

// extraShare is what an extra set counts, beside 1 for a set.
const extraShare = 0.5

// complexShare is what complex questions count, beside 1 for another class: a
// complex question taken for a single one loses its answer, a single one taken
// for complex costs a step.
const complexShare = 2

// straightShare is what straightforward ones count: a question of documents that
// is taken for one is asked in vain at first, or answered without evidence.
const straightShare = 0.4

// setShares lets every set of a class count alike.
func setShares(lessons []Route) {
	count, sets := map[string]float64{}, map[messages.Class]float64{}
	worth := func(l *Route) float64 {
		if l.extra {
			return extraShare
		}
		return 1
	}
	for i := range lessons {
		l := &lessons[i]
		if count[l.Set]++; count[l.Set] == 1 {
			sets[l.Class] += worth(l)
		}
	}
	for i := range lessons {
		l := &lessons[i]
		l.share = worth(l) / count[l.Set] / sets[l.Class]
		switch l.Class {
		case messages.Complex:
			l.share *= complexShare
		case messages.Straightforward:
			l.share *= straightShare
		}
	}
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
