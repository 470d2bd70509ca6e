package grants

import (
	"slices"

	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/engine/roles"
	"hopstream/stages/storage"
)

// stage returns what a worker of one stage needs.
func (o Options) stage(row *stages.Stage) []Grant {
	all := slices.Concat(o.consumes(row), o.writes(row), o.reads(row), o.lags("how far each stage is behind is a metric of every process"))
	for _, s := range stages.Pipeline() {
		all = append(all, o.last(s.Input, "how long a stage's oldest message waits is a metric of every process"))
	}
	for _, k := range messages.Kinds() {
		all = append(all, o.look(k, "whether every stream is there as configured, and what it holds"))
	}
	all = append(all, Grant{Subscribe, o.Names.Cancelled("*"), "cancelled questions are stopped"})
	all = append(all, useBucket(o.Names.DeliveriesBucket(), "deliveries that count as no attempt")...)
	if o.Replies && asks(row) {
		all = append(all, useBucket(o.Names.RepliesBucket(), "models' replies that are kept")...)
	}
	all = append(all,
		Grant{Subscribe, o.Names.Drain(), "requests to finish what it has, and end"},
		Grant{Publish, inbox(Operator), "reports to who drains, until it has ended"})
	if o.Traces {
		all = append(all, o.traces()...)
	}
	if row.Input == messages.KindQuestion {
		all = append(all, o.routes()...)
		all = append(all, o.trims()...)
		if o.Fair {
			all = append(all, o.admits()...)
		}
	}
	if row.Searches {
		all = append(all, o.searches()...)
	}
	if row.Input == messages.KindGenerate {
		all = append(all, Grant{Publish, o.Names.Text("*"), "the text of an answer while it is written"})
	}
	return all
}

// consumes is for taking messages from the stage's stream; those of lanes are
// admitted.
func (o Options) consumes(row *stages.Stage) []Grant {
	if o.Fair && row.Input == messages.KindQuestion {
		return nil
	}
	stream := o.Names.Stream(row.Input)
	return []Grant{
		{Publish, next(stream, row.Name), "the stage's messages"},
		{Publish, "$JS.ACK." + stream + "." + row.Name + ".>", "that they are done, under way, or handed back"},
	}
}

// writes is for the stage's outputs, for what follows from those that are decisions,
// and for what ends a question or a branch.
func (o Options) writes(row *stages.Stage) (all []Grant) {
	for _, out := range row.Outputs {
		all = append(all, o.put(out.Kind, "an output of the stage"))
		for _, k := range following(out.Kind) {
			all = append(all, o.put(k, "what follows from a "+string(out.Kind)))
		}
	}
	if ofSubQuery(row.Input) {
		all = append(all, o.put(messages.KindSubanswer, "a sub-query that is given up is a failed sub-answer"))
	}
	return append(all,
		o.put(messages.KindAnswer, "a question that is given up or too late has its answer"),
		Grant{Publish, remove(o.Names.Stream(messages.KindQuestion)), "a question that has its answer is no longer open"},
		Grant{Publish, o.letters(row.Name), "what cannot be processed is put aside"},
	)
}

// reads is for what a repeated delivery finds done, and for endings.
func (o Options) reads(row *stages.Stage) (all []Grant) {
	for _, out := range row.Outputs {
		all = append(all, o.get(out.Kind, "whether an earlier delivery wrote this output"))
	}
	if ofSubQuery(row.Input) {
		all = append(all, o.get(messages.KindPlan, "which sub-query an unreadable message was"))
	}
	return append(all,
		o.last(messages.KindQuestion, "which question an unreadable message belongs to, and whether it is open"),
		o.last(messages.KindSubanswer, "the sub-answers of a round, or of a question that ends early"),
	)
}

// routes is for the stage that takes questions in: it also ends those that are too
// late, and answers requests.
func (o Options) routes() []Grant {
	search := stages.Searching(stages.Pipeline())
	all := []Grant{
		{Subscribe, o.Names.Bounds(), "requests how much it keeps"},
		o.get(messages.KindQuestion, "whether a question that is to be moved to its lane is there already"),
		o.last(messages.KindQuestion, "the open questions, of which those that are too late are ended"),
		o.get(messages.KindAnswer, "whether a question is answered already"),
		o.look(messages.KindDocument, "which documents a question is to be answered from"),
		o.last(search.Input, "whether a question that is too late waited for an index"),
		{Publish, o.Names.Positions(), "how far the indexes are"},
		o.put(messages.KindQuestion, "questions that come as requests"),
	}
	for _, out := range search.Outputs {
		all = append(all, o.last(out.Kind, "whether a question that is too late waited for an index"))
	}
	return slices.Concat(all, readBucket(o.Names.PauseBucket(), "whether questions are taken"),
		readBucket(o.Names.TenantsBucket(), "how many questions a tenant may have open, who asks by a request"), service(o.Names.Ask(), "hopstream"), o.follow(messages.KindAnswer, "answers to requests"))
}

// admits is for the stage that takes questions in, where it does so lane by lane: of
// the question stream alone it makes consumers, one for each lane.
func (o Options) admits() []Grant {
	stream := o.Names.Stream(messages.KindQuestion)
	why := "the questions of a lane"
	return append(watchBucket(o.Names.TenantsBucket(), "what is set for tenants"), []Grant{
		{Publish, consumerInfo(stream, "*"), why + ": whether it has a consumer"},
		{Publish, consumerCreate(stream, "*") + "." + o.Names.AllLanes(), why + ": its consumer"},
		{Publish, next(stream, "*"), why},
		{Publish, "$JS.ACK." + stream + ".*.>", why + " that are done, under way, or handed back"},
		{Subscribe, o.Names.Ended("*"), "questions that have their answer make room for others"},
		{Subscribe, o.Names.LaneNotices(), "lanes that hold questions"},
		{Publish, o.Names.LaneNotices(), "lanes of questions that come as requests"},
		{Publish, o.Names.Routers(), "routers share the window, and tell each other that they run"},
		{Subscribe, o.Names.Routers(), "routers share the window, and tell each other that they run"},
	}...)
}

// trims is for dropping the oldest of what is kept, and for archiving answers before.
func (o Options) trims() (all []Grant) {
	for _, g := range (&storage.Bounds{}).Groups() {
		if g.Name == storage.Questions || g.Name == storage.Documents {
			continue
		}
		for _, k := range g.Kinds {
			stream := o.Names.Stream(k)
			all = append(all,
				o.last(k, "which messages are too old or too many"),
				Grant{Publish, "$JS.API.STREAM.PURGE." + stream, "messages that are too old or too many are dropped"})
		}
	}
	if o.Archives {
		all = append(all, useBucket(o.Names.ArchiveBucket(), "who archives answers, and how far")...)
	}
	return all
}

// traces is for exporting the spans of a question that ended badly, which are made
// from all that is stored of it.
func (o Options) traces() []Grant {
	all := []Grant{
		{Publish, o.Names.KeepTrace("*"), "every process exports what it kept of a question that ended badly"},
		{Subscribe, o.Names.KeepTrace("*"), "every process exports what it kept of a question that ended badly"},
	}
	for _, k := range messages.Kinds() {
		if k != messages.KindDocument {
			all = append(all, o.last(k, "spans of a question that ended badly"))
		}
	}
	return all
}

// searches is for the stage that has an index, and fills it.
func (o Options) searches() []Grant {
	docs := o.Names.Stream(messages.KindDocument)
	all := slices.Concat(o.followDocuments(), service(o.Names.Search(), "hopstream-search"), []Grant{
		{Subscribe, o.Names.Positions(), "requests how far its index is"},
		{Publish, o.letters("index"), "a document that cannot be read is put aside"},
		{Publish, consumerInfo(docs, "*"), "whether a quiet stream is still followed"},
	})
	if o.Shares {
		all = append(all, useBucket(o.Names.WorkBucket(), "who works on a sub-query")...)
		all = append(all,
			o.get(messages.KindSubanswer, "what came of a sub-query that another question asked"),
			o.get(messages.KindAnswer, "likewise of a single question"),
			o.get(messages.KindDecompose, "likewise of one that went on"))
	}
	if o.Leases {
		leases := o.Names.Stream("leases")
		stream := bucketStream(leases)
		all = append(all, useBucket(leases, "who fills the shared index")...)
		all = append(all,
			Grant{Publish, consumerCreate(stream, "*") + "." + entries(leases), "when the lease is free"},
			Grant{Publish, consumerDelete(stream, "*"), "the watch of the lease ends"})
	}
	return all
}

// followDocuments is for reading the document stream from where an index stands.
func (o Options) followDocuments() []Grant {
	docs := o.Names.Stream(messages.KindDocument)
	why := "documents for its index"
	return []Grant{
		o.look(messages.KindDocument, why+": where the stream ends"),
		{Publish, consumerCreate(docs, "*") + "." + o.Names.Filter(messages.KindDocument), why},
		{Publish, next(docs, "*"), why + ": the next ones"},
		{Publish, "$JS.API.STREAM.MSG.GET." + docs, why + ": whether a gap at the end holds any"},
	}
}

// answers reports whether the stage answers requests.
func answers(row *stages.Stage) bool { return row.Input == messages.KindQuestion || row.Searches }

// asks reports whether the stage asks a role of an engine, or its searchers do.
func asks(row *stages.Stage) bool {
	for _, r := range roles.Table() {
		for _, by := range r.By {
			if by.Stage == row.Name {
				return true
			}
		}
	}
	return row.Searches
}

// ofSubQuery reports whether messages of kind k concern a sub-query that has no
// sub-answer yet.
func ofSubQuery(k messages.Kind) bool {
	m, err := messages.New(k)
	_, ok := m.(messages.SubQuery)
	return err == nil && ok
}

// following returns the kinds of messages that follow from one of kind k, if that is
// a decision.
func following(k messages.Kind) (kinds []messages.Kind) {
	m, err := messages.New(k)
	if err != nil {
		return nil
	}
	if p, ok := m.(*messages.Plan); ok {
		p.Queries = []string{"?"}
	}
	if d, ok := m.(messages.Decision); ok {
		for _, next := range d.Follow() {
			kinds = append(kinds, next.Kind())
		}
	}
	return kinds
}
