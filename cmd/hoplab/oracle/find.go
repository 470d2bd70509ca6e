package oracle

import (
	"slices"
	"strings"

	"hopstream/cmd/hoplab/score"
	"hopstream/index/document"
	"hopstream/messages"
)

// separator stands between the items of a list.
const separator = "; "

// answer is the step's gold answer; a list has all items.
func (s *step) answer() string {
	all := make([]string, 0, len(s.wanted))
	for _, w := range s.wanted {
		all = append(all, w[0])
	}
	return strings.Join(all, separator)
}

// find returns the wanted items that occur in the windows, as whole words after
// SQuAD's normalisation (as Acc counts), each with the first passage that holds
// it. Yes and no need not occur: a window of the gold passage is enough.
func (s *step) find(windows []messages.Window) messages.Finding {
	var f messages.Finding
	var all []string
	for _, names := range s.wanted {
		for i := range windows {
			w := &windows[i]
			if !s.says(w, names) {
				continue
			}
			source := messages.Source{ID: w.Passage, Title: w.Title}
			all = append(all, names[0])
			f.Claims = append(f.Claims, messages.Claim{Text: names[0], Citations: []messages.Source{source}})
			f.Sources = append(f.Sources, source)
			break
		}
	}
	if len(all) == 0 {
		return messages.Finding{}
	}
	f.Text, f.Confidence = strings.Join(all, separator), 1
	if len(all) == 1 {
		f.Claims = nil
	}
	return f
}

// says reports whether a window holds one of the names.
func (s *step) says(w *messages.Window, names []string) bool {
	if derived(names[0]) {
		return slices.Contains(s.support, document.DocID(w.Passage))
	}
	return score.Acc(w.Text, names) == 1
}

// derived reports whether an answer is yes or no, which no passage states.
func derived(answer string) bool {
	k := key(answer)
	return k == "yes" || k == "no"
}
