package dataset

// WithholdGold takes the gold passages of every question out of the corpus. All
// questions are unanswerable then, as far as the gold is complete: other passages
// may say the same. Questions of which no gold passage is known are left out, and
// counted in s.LeftOut.
func (s *Set) WithholdGold() {
	gold := map[string]bool{}
	var kept []Question
	for _, q := range s.Questions {
		for _, id := range q.Supporting {
			gold[id] = true
		}
		for _, step := range q.Decomposition {
			if step.Support != "" {
				gold[step.Support] = true
			}
		}
		if len(q.Supporting) == 0 && !q.Unanswerable {
			s.LeftOut++
			continue
		}
		kept = append(kept, q.unanswerable())
	}
	all := s.documents
	s.Questions, s.corpus = kept, "" // no file holds this corpus
	s.documents = func(yield func(Document, error) bool) {
		all(func(d Document, err error) bool { return err == nil && gold[d.ID] || yield(d, err) })
	}
}

// unanswerable is q as a question that the documents do not answer.
func (q Question) unanswerable() Question {
	return Question{ID: q.ID, Question: q.Question, Type: q.Type, Class: q.Class, Unanswerable: true}
}
