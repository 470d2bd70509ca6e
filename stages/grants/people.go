package grants

import (
	"slices"

	"hopstream/messages"
	"hopstream/stages"
)

// client asks questions and reads answers.
func (o Options) client() User {
	return User{Name: Client, About: "asks questions and reads answers", Grants: slices.Concat(
		o.asks(o.put(messages.KindQuestion, "questions")),
		[]Grant{
			{Publish, o.Names.Ask(), "questions as requests"},
			{Publish, o.Names.LaneNotices(), "routers hear that lanes hold questions"},
		},
	)}.complete()
}

// Tenant returns a client that may only publish questions of one tenant. It reads
// all answers of the prefix: who must not read another's has a prefix, and so users,
// of its own.
func (o Options) Tenant(name, tenant string) User {
	lane := o.Names.Prefix() + ".v1.question." + tenant + ".*.*"
	notice := o.Names.LaneNotice(messages.Lane{Tenant: tenant, Priority: "*"})
	return User{Name: name, About: "asks questions as tenant " + tenant + " and reads answers", Grants: append(
		o.asks(Grant{Publish, lane, "the tenant's questions"}),
		Grant{Publish, notice, "routers hear that the tenant's lanes hold questions"},
	)}.complete()
}

// asks is for asking with put, and reading answers.
func (o Options) asks(put Grant) []Grant {
	return slices.Concat(readBucket(o.Names.TenantsBucket(), "how many questions a tenant may have open"), []Grant{
		put,
		o.look(messages.KindQuestion, "whether the stream of questions is there"),
		o.last(messages.KindQuestion, "whether a question is open already, in whichever lane"),
		o.get(messages.KindAnswer, "whether a question is answered already"),
		o.last(messages.KindAnswer, "the answers of many questions, when a run is resumed"),
		o.look(messages.KindDocument, "whether there is any document to answer from"),
		{Publish, o.Names.Search(), "passages"},
		{Subscribe, o.Names.Text("*"), "the text of an answer while it is written"},
	}, o.follow(messages.KindAnswer, "answers"))
}

// indexer writes documents.
func (o Options) indexer() User {
	return User{Name: Indexer, About: "writes documents", Grants: []Grant{
		o.put(messages.KindDocument, "documents"),
		o.look(messages.KindDocument, "what is stored already"),
		o.get(messages.KindDocument, "whether a document has changed"),
		{Publish, o.Names.Positions(), "whether the indexes have taken the documents in"},
	}}.complete()
}

// operator looks at everything that is stored, stops questions, and takes care of
// dead letters.
func (o Options) operator() User {
	u := User{Name: Operator, About: "looks at everything, stops questions, replays dead letters", Grants: slices.Concat(
		o.lags("how far each stage is behind"),
		useBucket(o.Names.PauseBucket(), "whether questions are taken"),
		useBucket(o.Names.TenantsBucket(), "what is set for tenants"),
		watchBucket(o.Names.TenantsBucket(), "what is set for tenants"),
		[]Grant{
			{Publish, o.Names.Positions(), "how far the indexes are"},
			{Publish, o.Names.Bounds(), "how much is kept"},
			{Publish, o.Names.Drain(), "workers finish what they have, and end"},
			{Publish, o.Names.Search(), "passages"},
			o.put(messages.KindQuestion, "a dead letter's question is asked anew"),
			o.put(messages.KindDocument, "a dead letter's document is stored anew"),
			o.put(messages.KindAnswer, "a question that is stopped has its answer"),
			{Publish, o.Names.Cancelled("*"), "workers stop the question"},
			{Publish, remove(o.Names.Stream(messages.KindQuestion)), "a question that is stopped is no longer open"},
			{Publish, remove(o.Names.Stream(messages.KindDead)), "a dead letter that is replayed or dropped"},
			o.get(messages.KindAnswer, "whether it has ended already"),
			o.get(messages.KindDocument, "a document"),
		},
	)}
	for _, k := range messages.Kinds() {
		u.Grants = append(u.Grants, o.look(k, "what is stored"), o.last(k, "what is stored"))
	}
	return u.complete()
}

// metrics reads how far the stages are behind.
func (o Options) metrics() User {
	return User{Name: Metrics, About: "reads how far the stages are behind", Grants: o.lags("how far each stage is behind")}.complete()
}

// setup makes streams, consumers and buckets.
func (o Options) setup() User {
	u := User{Name: Setup, About: "makes the streams, consumers and buckets"}
	streams := []string{bucketStream(o.Names.DeliveriesBucket()), bucketStream(o.Names.PauseBucket()), bucketStream(o.Names.TenantsBucket())}
	for _, k := range messages.Kinds() {
		streams = append(streams, o.Names.Stream(k))
	}
	for _, one := range []struct {
		wanted bool
		bucket string
	}{{o.Replies, o.Names.RepliesBucket()}, {o.Shares, o.Names.WorkBucket()}, {o.Leases, o.Names.Stream("leases")}, {o.Archives, o.Names.ArchiveBucket()}} {
		if one.wanted {
			streams = append(streams, bucketStream(one.bucket))
		}
	}
	for _, stream := range streams {
		u.Grants = append(u.Grants,
			Grant{Publish, info(stream), "whether it is there as configured"},
			Grant{Publish, "$JS.API.STREAM.CREATE." + stream, "it is made"},
			Grant{Publish, "$JS.API.STREAM.UPDATE." + stream, "it is changed into what is configured"})
	}
	for _, row := range stages.Pipeline() {
		u.Grants = append(u.Grants,
			Grant{Publish, consumerInfo(o.Names.Stream(row.Input), row.Name), "whether it is there as configured"},
			Grant{Publish, consumerCreate(o.Names.Stream(row.Input), row.Name), "it is made, or changed into what is configured"})
	}
	return u.complete()
}
