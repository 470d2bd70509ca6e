package grants

import (
	"strings"

	"hopstream/messages"
	"hopstream/stages"
)

// The subjects on which the server is asked about streams and consumers.

func info(stream string) string { return "$JS.API.STREAM.INFO." + stream }
func consumerInfo(stream, consumer string) string {
	return "$JS.API.CONSUMER.INFO." + stream + "." + consumer
}
func consumerCreate(stream, consumer string) string {
	return "$JS.API.CONSUMER.CREATE." + stream + "." + consumer
}
func consumerDelete(stream, consumer string) string {
	return "$JS.API.CONSUMER.DELETE." + stream + "." + consumer
}

// consumers is a list of a stream's consumers.
func consumers(stream string) string { return "$JS.API.CONSUMER.LIST." + stream }
func next(stream, consumer string) string {
	return "$JS.API.CONSUMER.MSG.NEXT." + stream + "." + consumer
}
func remove(stream string) string { return "$JS.API.STREAM.MSG.DELETE." + stream }

// readMany is a read of several messages; readOne of the last under one subject.
func readMany(stream string) string         { return "$JS.API.DIRECT.GET." + stream }
func readOne(stream, subject string) string { return "$JS.API.DIRECT.GET." + stream + "." + subject }

// inbox is where a user receives replies.
func inbox(user string) string { return "_INBOX." + user + ".>" }

// bucketStream is the stream that a bucket is kept in.
func bucketStream(bucket string) string { return "KV_" + bucket }

// entries are the subjects of a bucket's entries.
func entries(bucket string) string { return "$KV." + bucket + ".>" }

// useBucket is what the use of a bucket needs, where it was made before.
func useBucket(bucket, why string) []Grant {
	return append(readBucket(bucket, why), Grant{Publish, entries(bucket), why + ": writing"})
}

// readBucket is what reading single entries of a bucket needs.
func readBucket(bucket, why string) []Grant {
	return []Grant{
		{Publish, info(bucketStream(bucket)), why + ": whether the bucket is there"},
		{Publish, readOne(bucketStream(bucket), entries(bucket)), why + ": reading"},
	}
}

// watchBucket is what reading all entries of a bucket needs.
func watchBucket(bucket, why string) []Grant {
	stream := bucketStream(bucket)
	return []Grant{
		{Publish, info(stream), why + ": whether the bucket is there"},
		{Publish, consumerCreate(stream, "*") + "." + entries(bucket), why + ": reading all"},
		{Publish, consumerDelete(stream, "*"), why + ": all are read"},
	}
}

// get is a read of the messages of kind k by subject.
func (o Options) get(k messages.Kind, why string) Grant {
	return Grant{Publish, readOne(o.Names.Stream(k), o.Names.Filter(k)), why}
}

// last is a read of several messages of kind k.
func (o Options) last(k messages.Kind, why string) Grant {
	return Grant{Publish, readMany(o.Names.Stream(k)), why}
}

// put is a message of kind k.
func (o Options) put(k messages.Kind, why string) Grant {
	return Grant{Publish, o.Names.Filter(k), why}
}

// look is a look at the stream of kind k.
func (o Options) look(k messages.Kind, why string) Grant {
	return Grant{Publish, info(o.Names.Stream(k)), why}
}

// lags are looks at all stages' consumers.
func (o Options) lags(why string) (all []Grant) {
	for _, row := range stages.Pipeline() {
		stream := o.Names.Stream(row.Input)
		if row.Input == messages.KindQuestion { // whose lanes have a consumer each
			all = append(all, Grant{Publish, info(stream), why}, Grant{Publish, consumers(stream), why})
			continue
		}
		all = append(all, Grant{Publish, consumerInfo(stream, row.Name), why})
	}
	return all
}

// follow is what reading a stream with a consumer of one's own needs, which the
// server names.
func (o Options) follow(k messages.Kind, why string) []Grant {
	stream := o.Names.Stream(k)
	return []Grant{
		o.look(k, why+": where the stream ends"),
		{Publish, consumerCreate(stream, "*"), why},
		{Publish, next(stream, "*"), why + ": the next ones"},
	}
}

// service is what a micro service on subject needs.
func service(subject, name string) []Grant {
	all := []Grant{{Subscribe, subject, "requests to the service " + name}}
	for _, verb := range []string{"PING", "INFO", "STATS"} {
		why := "nats micro finds the service"
		all = append(all,
			Grant{Subscribe, "$SRV." + verb, why},
			Grant{Subscribe, "$SRV." + verb + "." + name, why},
			Grant{Subscribe, "$SRV." + verb + "." + name + ".*", why})
	}
	return all
}

// letters are the dead letters of a stage.
func (o Options) letters(stage string) string {
	return strings.TrimSuffix(o.Names.Filter(messages.KindDead), ">") + stage + ".>"
}
