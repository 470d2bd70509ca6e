package builtin

import (
	"bufio"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hopstream/index/lang"
	"hopstream/messages"
)

var train = flag.Bool("train", false, "fit the router's weights on half of the question sets first, and write classify_weights.go")

// sources are what the classes' questions are drawn from, in the order of
// classOrder. The router is measured on the sets; on extra ones it is fitted
// only, so that it does not take a set's manner for its class.
var sources = [4]struct {
	sets  []string
	extra []drawn
}{
	{sets: []string{"commonsenseqa"}},
	{
		sets:  []string{"squad", "nq", "popqa", "triviaqa"},
		extra: []drawn{{"multispanqa", questions}, {"musique", firstSteps}, {"strategyqa", firstSteps}}, // the first: lists
	},
	{sets: []string{"compoundqa"}, extra: []drawn{{"squad", inOne}}},
	{
		sets:  []string{"hotpotqa", "musique", "2wikimultihopqa"},
		extra: []drawn{{"break", multiHop}, {"strategyqa", questions}}, // the last: implicit hops
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

func questions(rs []record) (qs []string) {
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
		return questionWord(first)
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

// withoutMarks are texts as those type who leave out question marks.
func withoutMarks(texts []string) (qs []string) {
	for _, text := range texts {
		qs = append(qs, unmarked(text))
	}
	return qs
}

func unmarked(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "?", " ")), " ")
}

// example is a question of a class.
type example struct {
	text, set string
	class     int
	extra     bool
	share     float64 // of the fit
}

// readExamples returns the questions to fit on and those held out: halves by
// the hash of the question's ID, or the set's own. No question is in both.
func readExamples(tb testing.TB, root string) (lessons, held []example) {
	fit, out := map[string][]record{}, map[string]bool{}
	read := func(set string) []record {
		if _, ok := fit[set]; ok {
			return fit[set]
		}
		if set == "commonsenseqa" {
			fit[set] = readRecords(tb, filepath.Join(root, set, "train.jsonl"))
			return fit[set]
		}
		for _, r := range readRecords(tb, filepath.Join(root, set, "questions.jsonl")) {
			if set == "break" || r.first() { // break is fitted on only
				fit[set] = append(fit[set], r)
			}
		}
		return fit[set]
	}
	for c := range sources {
		for _, set := range sources[c].sets {
			for _, r := range readRecords(tb, filepath.Join(root, set, "questions.jsonl")) {
				if set == "commonsenseqa" || !r.first() {
					out[letters(r.Question)] = true
					held = append(held, example{text: r.Question, class: c, set: set})
				}
			}
		}
	}
	for c := range sources {
		add := func(set string, extra bool, texts []string) {
			for _, text := range texts {
				if !out[letters(text)] {
					lessons = append(lessons, example{text: text, class: c, set: set, extra: extra})
				}
			}
		}
		for _, set := range sources[c].sets {
			add(set, false, questions(read(set)))
		}
		if classOrder[c] == messages.Compound {
			for _, set := range sources[c].sets {
				add(set+" without marks", true, withoutMarks(questions(read(set))))
			}
		}
		for _, x := range sources[c].extra {
			add(x.set+" for "+string(classOrder[c]), true, x.draw(read(x.set)))
		}
	}
	setShares(lessons)
	return lessons, held
}

// extraShare is what an extra set counts, beside 1 for a set.
const extraShare = 0.5

// complexShare is what complex questions count, beside 1 for another class: a
// complex question taken for a single one loses its answer, a single one taken
// for complex costs a step.
const complexShare = 2

// setShares lets every set of a class count alike.
func setShares(examples []example) {
	count, sets := map[string]float64{}, [4]float64{}
	worth := func(e *example) float64 {
		if e.extra {
			return extraShare
		}
		return 1
	}
	for i := range examples {
		e := &examples[i]
		if count[e.set]++; count[e.set] == 1 {
			sets[e.class] += worth(e)
		}
	}
	for i := range examples {
		e := &examples[i]
		e.share = worth(e) / count[e.set] / sets[e.class]
		if classOrder[e.class] == messages.Complex {
			e.share *= complexShare
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

func readRecords(tb testing.TB, path string) (rs []record) {
	f, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 4<<20)
	for s.Scan() {
		var r record
		if err := json.Unmarshal(s.Bytes(), &r); err != nil {
			tb.Fatal(err)
		}
		rs = append(rs, r)
	}
	if s.Err() != nil {
		tb.Fatal(s.Err())
	}
	return rs
}

func dataRoot(tb testing.TB) string {
	root := os.Getenv("HOPSTREAM_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "..", "..", "shared", "data")
	}
	if _, err := os.Stat(filepath.Join(root, "musique", "questions.jsonl")); err != nil {
		tb.Skipf("no question sets at %s: set HOPSTREAM_DATA to the folder that holds musique, nq, …", root)
	}
	return root
}
