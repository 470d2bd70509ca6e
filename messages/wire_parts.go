package messages

// The fast forms of what messages consist of.

func (b *Budget) write(w *writer) {
	w.open()
	w.intOpt(`"rounds":`, b.Rounds)
	w.intOpt(`"branches":`, b.Branches)
	w.intOpt(`"model_calls":`, b.ModelCalls)
	w.intOpt(`"tokens":`, b.Tokens)
	w.close()
}

func (b *Budget) read(r *reader) {
	r.open()
	r.int(`"rounds":`, &b.Rounds)
	r.int(`"branches":`, &b.Branches)
	r.int(`"model_calls":`, &b.ModelCalls)
	r.int(`"tokens":`, &b.Tokens)
	r.close()
}

func (u *Usage) write(w *writer) {
	w.open()
	w.int(`"model_calls":`, u.ModelCalls)
	w.int(`"prompt_tokens":`, u.PromptTokens)
	w.int(`"completion_tokens":`, u.CompletionTokens)
	listOpt(w, `"roles":`, u.Roles, func(w *writer, r *RoleUsage) { r.write(w) })
	w.close()
}

func (u *Usage) read(r *reader) {
	r.open()
	r.int(`"model_calls":`, &u.ModelCalls)
	r.int(`"prompt_tokens":`, &u.PromptTokens)
	r.int(`"completion_tokens":`, &u.CompletionTokens)
	items(r, `"roles":`, &u.Roles, func(r *reader, v *RoleUsage) { v.read(r) })
	r.close()
}

func (u *RoleUsage) write(w *writer) {
	w.open()
	w.str(`"role":`, u.Role)
	w.int(`"calls":`, u.Calls)
	w.int(`"prompt_tokens":`, u.PromptTokens)
	w.int(`"completion_tokens":`, u.CompletionTokens)
	w.int64(`"queue_ms":`, u.QueueMS)
	w.int64(`"model_ms":`, u.ModelMS)
	w.close()
}

func (u *RoleUsage) read(r *reader) {
	r.open()
	r.str(`"role":`, &u.Role)
	r.int(`"calls":`, &u.Calls)
	r.int(`"prompt_tokens":`, &u.PromptTokens)
	r.int(`"completion_tokens":`, &u.CompletionTokens)
	r.int64(`"queue_ms":`, &u.QueueMS)
	r.int64(`"model_ms":`, &u.ModelMS)
	r.close()
}

func (s *Source) write(w *writer) {
	w.open()
	w.str(`"id":`, s.ID)
	w.strOpt(`"title":`, s.Title)
	w.strOpt(`"url":`, s.URL)
	w.close()
}

func (s *Source) read(r *reader) {
	r.open()
	r.str(`"id":`, &s.ID)
	r.str(`"title":`, &s.Title)
	r.str(`"url":`, &s.URL)
	r.close()
}

func (f *Find) write(w *writer) {
	w.open()
	w.str(`"id":`, f.ID)
	w.strOpt(`"title":`, f.Title)
	w.strOpt(`"url":`, f.URL)
	w.namesOpt(`"by":`, f.By)
	w.close()
}

func (f *Find) read(r *reader) {
	r.open()
	r.str(`"id":`, &f.ID)
	r.str(`"title":`, &f.Title)
	r.str(`"url":`, &f.URL)
	r.namesOf(`"by":`, &f.By)
	r.close()
}

// writeSearch writes how a search went: the tail of whatever tells of it.
func writeSearch(w *writer, found []Find, degraded []string) {
	listOpt(w, `"found":`, found, func(w *writer, f *Find) { f.write(w) })
	w.namesOpt(`"degraded":`, degraded)
}

func readSearch(r *reader, found *[]Find, degraded *[]string) {
	items(r, `"found":`, found, func(r *reader, f *Find) { f.read(r) })
	r.namesOf(`"degraded":`, degraded)
}

func (p *Pair) write(w *writer) {
	w.open()
	w.int(`"round":`, p.Round)
	w.int(`"branch":`, p.Branch)
	w.str(`"question":`, p.Question)
	w.strOpt(`"answer":`, p.Answer)
	w.floatOpt(`"confidence":`, p.Confidence)
	listOpt(w, `"sources":`, p.Sources, func(w *writer, s *Source) { s.write(w) })
	w.boolOpt(`"failed":`, p.Failed)
	w.strOpt(`"error":`, p.Error)
	writeSearch(w, p.Found, p.Degraded)
	w.intOpt(`"part":`, p.Part)
	writeClaims(w, p.Claims)
	w.close()
}

func (p *Pair) read(r *reader) {
	r.open()
	r.int(`"round":`, &p.Round)
	r.int(`"branch":`, &p.Branch)
	r.str(`"question":`, &p.Question)
	r.str(`"answer":`, &p.Answer)
	r.float(`"confidence":`, &p.Confidence)
	items(r, `"sources":`, &p.Sources, func(r *reader, s *Source) { s.read(r) })
	r.bool(`"failed":`, &p.Failed)
	r.str(`"error":`, &p.Error)
	readSearch(r, &p.Found, &p.Degraded)
	r.int(`"part":`, &p.Part)
	readClaims(r, &p.Claims)
	r.close()
}

func (c *PlanState) write(w *writer) {
	w.strOpt(`"strategy":`, string(c.Strategy))
	w.strOpt(`"rerouted":`, string(c.Rerouted))
	listOpt(w, `"parts":`, c.Parts, func(w *writer, p *string) { w.text(*p) })
	w.intOpt(`"part":`, c.Part)
	w.boolOpt(`"repaired":`, c.Repaired)
}

func (c *PlanState) read(r *reader) {
	r.str(`"strategy":`, (*string)(&c.Strategy))
	r.str(`"rerouted":`, (*string)(&c.Rerouted))
	items(r, `"parts":`, &c.Parts, func(r *reader, p *string) { *p = r.text() })
	r.int(`"part":`, &c.Part)
	r.bool(`"repaired":`, &c.Repaired)
}

func writeClaims(w *writer, claims []Claim) {
	listOpt(w, `"claims":`, claims, func(w *writer, c *Claim) {
		w.open()
		w.str(`"text":`, c.Text)
		w.strOpt(`"question":`, c.Question)
		listOpt(w, `"citations":`, c.Citations, func(w *writer, s *Source) { s.write(w) })
		w.close()
	})
}

func readClaims(r *reader, claims *[]Claim) {
	items(r, `"claims":`, claims, func(r *reader, c *Claim) {
		r.open()
		r.str(`"text":`, &c.Text)
		r.str(`"question":`, &c.Question)
		items(r, `"citations":`, &c.Citations, func(r *reader, s *Source) { s.read(r) })
		r.close()
	})
}

func (p *Passage) write(w *writer) {
	w.open()
	w.str(`"id":`, p.ID)
	w.strOpt(`"title":`, p.Title)
	w.str(`"text":`, p.Text)
	w.floatOpt(`"score":`, p.Score)
	w.intOpt(`"rank":`, p.Rank)
	w.namesOpt(`"by":`, p.By)
	w.strOpt(`"url":`, p.URL)
	w.close()
}

func (p *Passage) read(r *reader) {
	r.open()
	r.str(`"id":`, &p.ID)
	r.str(`"title":`, &p.Title)
	r.str(`"text":`, &p.Text)
	r.float(`"score":`, &p.Score)
	r.int(`"rank":`, &p.Rank)
	r.namesOf(`"by":`, &p.By)
	r.str(`"url":`, &p.URL)
	r.close()
}

func (v *Window) write(w *writer) {
	w.open()
	w.str(`"passage":`, v.Passage)
	w.strOpt(`"title":`, v.Title)
	w.str(`"text":`, v.Text)
	w.intOpt(`"scale":`, v.Scale)
	w.floatOpt(`"score":`, v.Score)
	w.close()
}

func (v *Window) read(r *reader) {
	r.open()
	r.str(`"passage":`, &v.Passage)
	r.str(`"title":`, &v.Title)
	r.str(`"text":`, &v.Text)
	r.int(`"scale":`, &v.Scale)
	r.float(`"score":`, &v.Score)
	r.close()
}

func (h *Hop) write(w *writer) {
	w.open()
	w.int(`"round":`, h.Round)
	w.int(`"branch":`, h.Branch)
	w.str(`"question":`, h.Question)
	w.str(`"answer":`, h.Answer)
	list(w, `"passages":`, h.Passages, func(w *writer, p *string) { w.text(*p) })
	w.strOpt(`"error":`, h.Error)
	writeSearch(w, h.Found, h.Degraded)
	w.close()
}

func (h *Hop) read(r *reader) {
	r.open()
	r.int(`"round":`, &h.Round)
	r.int(`"branch":`, &h.Branch)
	r.str(`"question":`, &h.Question)
	r.str(`"answer":`, &h.Answer)
	items(r, `"passages":`, &h.Passages, func(r *reader, p *string) { *p = r.text() })
	r.str(`"error":`, &h.Error)
	readSearch(r, &h.Found, &h.Degraded)
	r.close()
}
