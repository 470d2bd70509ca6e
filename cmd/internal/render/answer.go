package render

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"hopstream/cmd/internal/cli"
	"hopstream/messages"
)

// View is how an answer is printed for people.
type View struct {
	Tree   bool // with the hops
	Styled bool // for a terminal: the answer's words in bold, and links
	// Folders are where the files of documents may be, for links to them: the
	// folders, or the files themselves, that documents were read from.
	Folders []string
}

// Answer prints an answer as View does, styled if w is a terminal.
func Answer(w io.Writer, a *messages.Answer, tree bool) error {
	return View{Tree: tree, Styled: cli.Styled(w)}.Answer(w, a)
}

// Answer prints an answer: the text, the reason if it is partial or missing,
// the quotes that it rests on, the citations and, with v.Tree, the hops.
func (v View) Answer(w io.Writer, a *messages.Answer) error {
	b := bufio.NewWriter(w)
	if a.Answer != "" {
		fmt.Fprintln(b, plain(a.Answer))
	}
	if a.Status != messages.Answered {
		fmt.Fprintf(b, "(%s: %s)\n", a.Status, a.Error)
	}
	renderClaims(b, a)
	v.evidence(b, a)
	for i, c := range a.Citations {
		at := c.ID
		if c.URL != "" {
			at = c.URL
		}
		if c.Title != "" && c.Title != at {
			fmt.Fprintf(b, "  [%d] %s (%s)\n", i+1, c.Title, at)
		} else {
			fmt.Fprintf(b, "  [%d] %s\n", i+1, at)
		}
	}
	if v.Tree {
		v.tree(b, a)
	}
	return b.Flush()
}

// renderClaims prints the parts of an answer, each with the numbers of its
// citations and, where it is a record, a line for each of its fields:
//
//   - Donepezil  [1, 2]
//     active molecule: donepezil hydrochloride
//     approved: not known
func renderClaims(w io.Writer, a *messages.Answer) {
	for _, c := range a.Claims {
		var at []string
		for i, s := range a.Citations {
			if slices.ContainsFunc(c.Citations, func(o messages.Source) bool { return o.ID == s.ID }) {
				at = append(at, strconv.Itoa(i+1))
			}
		}
		fmt.Fprintf(w, "  - %s", plain(c.Text))
		if len(at) > 0 {
			fmt.Fprintf(w, "  [%s]", strings.Join(at, ", "))
		}
		fmt.Fprintln(w)
		for _, f := range c.Fields {
			fmt.Fprintf(w, "    %s: %s\n", oneLine(f.Name), cmp.Or(oneLine(f.Value), "not known"))
		}
	}
}

// pursuit names the strategy of a complex question, and says whether the
// question was rerouted or its plan repaired.
func pursuit(a *messages.Answer) string {
	out := ""
	if a.Class == messages.Complex && a.Strategy != "" {
		out += " · by " + string(a.Strategy)
	}
	switch a.Rerouted {
	case messages.Escalated:
		out += " · was single"
	case messages.Reduced:
		out += " · was complex"
	case messages.Retrieved:
		out += " · was straightforward"
	}
	if a.Repaired {
		out += " · plan repaired"
	}
	return out
}

// tree prints the hops, round by round. A hop's quotes are printed where the
// answer does not have them.
func (v View) tree(w io.Writer, a *messages.Answer) {
	class := a.Class
	if class == "" {
		class = "unrouted"
	}
	fmt.Fprintf(w, "%s · %s · %s · %.1f ms%s\n", class, cli.Plural(a.Steps, "step"), cli.Plural(len(a.Hops), "hop"), a.LatencyMS, pursuit(a))
	for i, h := range a.Hops {
		last := i == len(a.Hops)-1
		branch, stem := "├─", "│ "
		if last {
			branch, stem = "└─", "  "
		}
		fmt.Fprintf(w, "%s %d.%d %s\n", branch, h.Round, h.Branch, h.Question)
		answer := h.Answer
		if answer == "" {
			answer = "(" + orWhy(h.Error) + ")"
		}
		fmt.Fprintf(w, "%s     → %s", stem, answer)
		used, others := hopPassages(&h)
		if len(used) > 0 {
			fmt.Fprintf(w, "  [%s]", strings.Join(used, ", "))
		}
		fmt.Fprintln(w)
		for _, q := range h.Queries {
			fmt.Fprintf(w, "%s     searched for  %s\n", stem, oneLine(q))
		}
		if len(others) > 0 {
			fmt.Fprintf(w, "%s     also read  [%s]\n", stem, strings.Join(others, ", "))
		}
		for k := range h.Evidence {
			if e := &h.Evidence[k]; len(messages.AddEvidence(a.Evidence[:len(a.Evidence):len(a.Evidence)], *e)) > len(a.Evidence) {
				v.quote(w, stem+"     ", e, h.Answer, nil)
			}
		}
		if h.Shared != "" {
			fmt.Fprintf(w, "%s     found by %s\n", stem, h.Shared)
		}
		for _, reason := range h.Degraded {
			fmt.Fprintf(w, "%s     ! %s\n", stem, reason)
		}
	}
	for _, reason := range a.GaveUp {
		fmt.Fprintf(w, "! %s\n", reason)
	}
	if a.Usage.ModelCalls > 0 {
		renderUsage(w, &a.Usage)
	}
}

// hopPassages returns the passages that a hop's answer came from, and the others
// that were searched for it, each with its searchers: "marie-curie (bm25, links)".
func hopPassages(h *messages.Hop) (used, others []string) {
	by := make(map[string]string, len(h.Found))
	for _, f := range h.Found {
		if len(f.By) > 0 {
			by[f.ID] = " (" + strings.Join(f.By, ", ") + ")"
		}
		if !slices.Contains(h.Passages, f.ID) {
			others = append(others, f.ID+by[f.ID])
		}
	}
	for _, id := range h.Passages {
		used = append(used, id+by[id])
	}
	return used, others
}

// renderUsage prints model calls and tokens in one line:
//
//	7 model calls · 2,310 + 118 tokens · answerer 3, relevance 3, router 1
func renderUsage(w io.Writer, u *messages.Usage) {
	calls := "model calls"
	if u.ModelCalls == 1 {
		calls = "model call"
	}
	fmt.Fprintf(w, "%s %s · %s + %s tokens", thousands(u.ModelCalls), calls, thousands(u.PromptTokens), thousands(u.CompletionTokens))
	for i, r := range u.Roles {
		sep := ", "
		if i == 0 {
			sep = " · "
		}
		fmt.Fprintf(w, "%s%s %s", sep, r.Role, thousands(r.Calls))
	}
	fmt.Fprintln(w)
}

// thousands writes n with a comma between its thousands.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func orWhy(reason string) string {
	if reason == "" {
		return "no answer"
	}
	return reason
}
