package dataset

import (
	"errors"
	"slices"
	"strings"
)

// musiqueQuestion is a line of MuSiQue (Trivedi et al., 2022).
type musiqueQuestion struct {
	ID         text   `json:"id"`
	Question   string `json:"question"`
	Answer     many   `json:"answer"`
	Aliases    many   `json:"answer_aliases"`
	Answerable *bool  `json:"answerable"`
	Paragraphs []struct {
		Index      *int   `json:"idx"`
		Title      string `json:"title"`
		Text       string `json:"paragraph_text"`
		Supporting bool   `json:"is_supporting"`
	} `json:"paragraphs"`
	Decomposition []struct {
		Question string `json:"question"`
		Answer   scalar `json:"answer"`
		Support  *int   `json:"paragraph_support_idx"`
	} `json:"question_decomposition"`
}

// musique reads a line. Questions marked as unanswerable are left out: each is
// the twin of one that is answered, without its gold passages, and over a corpus
// of all questions' passages the twin's answer it.
func musique(r *records) (withContext, error) {
	var in musiqueQuestion
	if err := r.decode(&in); err != nil {
		return withContext{}, err
	}
	if len(in.Paragraphs) == 0 {
		return withContext{}, r.wrong(errors.New(`no paragraphs: "paragraphs" is [{"idx","title","paragraph_text","is_supporting"},…]`))
	}
	out := withContext{
		Question: Question{ID: string(in.ID), Question: in.Question, Answers: append(in.Answer, in.Aliases...)},
		skip:     in.Answerable != nil && !*in.Answerable,
	}
	if kind, _, ok := strings.Cut(out.ID, "__"); ok {
		out.Type = kind // 2hop, 3hop1, …: how the question is put together
	}
	byIndex := map[int]string{}
	for i, p := range in.Paragraphs {
		if strings.TrimSpace(p.Text) == "" {
			continue
		}
		d := passage(p.Title, p.Text)
		out.Passages = append(out.Passages, d)
		if p.Index != nil {
			i = *p.Index
		}
		byIndex[i] = d.ID
		if p.Supporting && !slices.Contains(out.Supporting, d.ID) {
			out.Supporting = append(out.Supporting, d.ID)
		}
	}
	for _, s := range in.Decomposition {
		step := Step{Question: s.Question, Answer: string(s.Answer)}
		if s.Support != nil {
			step.Support = byIndex[*s.Support]
		}
		out.Decomposition = append(out.Decomposition, step)
	}
	return out, nil
}
