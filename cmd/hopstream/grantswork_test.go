package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"hopstream/cmd/internal/archive"
	"hopstream/cmd/internal/broker"
	"hopstream/cmd/internal/cmdtest"
	"hopstream/cmd/internal/config"
	"hopstream/index/docstream"
	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/bucket"
	"hopstream/stages/client"
	"hopstream/stages/grants"
	"hopstream/stages/log"
	"hopstream/stages/storage"
	"hopstream/stages/work"
)

// everyUserWorks runs what each user is there for.
func everyUserWorks(t *testing.T, s *cmdtest.Secured) {
	t.Helper()
	run := func(user string, args ...string) cmdtest.Outcome {
		t.Helper()
		return hopstream(t, "", append(args, s.As(user, securedSettings)...)...)
	}
	archives := fmt.Sprintf("%s\narchive: {dir: %q}", securedSettings, t.TempDir())
	hopstream(t, "", append([]string{"setup"}, s.As(grants.Setup, archives)...)...).Exits(0)
	run(grants.Setup, "setup").Exits(0)
	leases(t, s, grants.Setup)
	writeDocuments(t, run)
	admin := connectAs(t, s, cmdtest.Admin)
	j := log.New(admin.JS, admin.Names)
	defer j.Close()
	held := spoil(t, admin, j)
	workers := startStages(t, s, securedSettings, "retriever")
	ended(t, j, held) // by the sentinel, while nothing searches
	workers = append(workers, startStage(t, s, "retriever", securedSettings))
	run(grants.Indexer, "index", cmdtest.Corpus(t)).Exits(0) // which waits for the indexes
	questions, _ := cmdtest.SampleLines(t)
	for i, q := range []string{
		`"class":"straightforward"`, `"class":"single"`, `"class":"complex","strategy":"refine"`, `"class":"complex","strategy":"supplement"`, `"class":"complex"`, `"class":"compound"`,
	} {
		questions += fmt.Sprintf("{\"id\":\"forced%d\",\"question\":\"Who founded the harbour museum of Arlen and where was the founder born?\",%s}\n", i, q)
		questions += fmt.Sprintf("{\"id\":\"lane%d\",\"question\":\"Where was Marie Curie born?\",\"tenant\":\"acme\",\"priority\":\"bulk\",%s}\n", i, q)
		questions += fmt.Sprintf("{\"id\":\"again%d\",\"question\":\"Where was Marie Curie born?\",%s}\n", i, q)
	}
	in, out := cmdtest.TempFile(t, "questions.jsonl", questions), filepath.Join(t.TempDir(), "answers.jsonl")
	hopstream(t, "", append([]string{"stream", "--in", in, "--out", out}, s.As(grants.Client, securedSettings)...)...)
	run(grants.Client, "stream", "--in", in, "--out", out, "--resume")
	run(grants.Client, "ask", "--id", "asked", "Where was Marie Curie born?").Exits(0)
	run(grants.Client, "search", "Marie Curie").Exits(0)
	request(t, s)
	operate(t, run, j)
	for _, w := range workers {
		cmdtest.Metrics(t, w.HTTP)
	}
	run(grants.Operator, "drain").Exits(0)
	for _, w := range workers {
		w.End()
	}
	withoutWorkers(t, s, run, j)
	gap(t, admin)
	for i, off := range []string{"filter: {off: true}", "aligner: {off: true}"} {
		settings := securedSettings + "\n" + off
		again := startStages(t, s, settings, "")
		run(grants.Client, "ask", "--id", fmt.Sprintf("off%d", i), fmt.Sprintf("Where was Marie Curie born %s?", strings.Repeat("then", i+1)))
		for _, w := range again {
			w.End()
		}
	}
	looks := connectAs(t, s, grants.Metrics)
	lags := log.New(looks.JS, looks.Names)
	defer lags.Close()
	for _, row := range stages.Pipeline() {
		buckets(t, s, &row)
		if _, err := lags.Lag(t.Context(), row); err != nil {
			t.Error(err)
		}
	}
}

// writeDocuments stores, changes and removes documents.
func writeDocuments(t *testing.T, run func(string, ...string) cmdtest.Outcome) {
	t.Helper()
	dir := folder(t, map[string]string{"a.md": "Arlen is a small town.", "b.md": "Bergen is a city."})
	run(grants.Indexer, "index", dir).Exits(0)
	run(grants.Indexer, "index", "--sync", "--yes", dir).Exits(0)
	run(grants.Indexer, "index", "--delete", "a.md").Exits(0)
}

// operate looks at everything, stops a question and takes care of dead letters.
func operate(t *testing.T, run func(string, ...string) cmdtest.Outcome, j *log.Log) {
	t.Helper()
	run(grants.Operator, "status").Exits(0)
	run(grants.Operator, "ls").Exits(0)
	run(grants.Operator, "trace", "asked").Exits(0)
	run(grants.Operator, "docs", "ls").Exits(0)
	run(grants.Operator, "search", "Marie Curie").Exits(0)
	run(grants.Operator, "dead", "ls").Exits(0)
	run(grants.Operator, "docs", "show", "b.md").Exits(0)
	run(grants.Operator, "dead", "purge", "1").Exits(0)
	run(grants.Operator, "tenants", "set", "acme", "--weight", "2").Exits(0)
	run(grants.Operator, "tenants", "ls").Exits(0).Prints("acme")
	run(grants.Operator, "drain", "--list").Exits(0).Prints("running") // all under one name, being in one process
	run(grants.Operator, "drain", "--questions").Exits(0)
	run(grants.Operator, "drain", "--resume").Exits(0)
}

// withoutWorkers does what needs a question that stays open: asking it twice, stopping
// it; and replays dead letters, and what a generator and who follows it do with text.
func withoutWorkers(t *testing.T, s *cmdtest.Secured, run func(string, ...string) cmdtest.Outcome, j *log.Log) {
	t.Helper()
	asker := connectAs(t, s, grants.Client)
	l := log.New(asker.JS, asker.Names)
	defer l.Close()
	for range 2 {
		if _, err := client.New(l).Submit(t.Context(), &messages.Question{ID: "stop", Question: "Who is stopped?"}); err != nil {
			t.Error(err)
		}
	}
	run(grants.Operator, "cancel", "stop").Exits(0)
	for _, d := range []messages.Dead{
		{Stage: "index", ID: "c.md", Seq: 1, Subject: j.Names().Subject(messages.KindDocument, messages.Key{ID: "c.md"}), Data: []byte(`{"v":1,"id":"c.md","text":"Cork is a city."}`)},
		{Stage: "router", ID: "d", Seq: 2, Subject: j.Names().Subject(messages.KindQuestion, messages.Key{ID: "d"}), Data: []byte(`{"question":"Who is asked anew?"}`)},
	} {
		d.Error, d.At = "a test", time.Now()
		if err := j.Put(t.Context(), &d); err != nil {
			t.Fatal(err)
		}
		stored, err := j.Get(t.Context(), messages.KindDead, d.Key())
		if err != nil {
			t.Fatal(err)
		}
		run(grants.Operator, "dead", "replay", fmt.Sprint(stored.Seq)).Exits(0)
	}
	text, writer := j.Names().Text("one"), connectAs(t, s, "generator")
	heard, err := asker.NC.SubscribeSync(j.Names().Text("*"))
	if err = errors.Join(err, asker.NC.Flush(), writer.NC.Publish(text, []byte("words"))); err != nil {
		t.Fatal(err)
	}
	if _, err := heard.NextMsg(10 * time.Second); err != nil {
		t.Errorf("the text of an answer: %v", err)
	}
}

// request asks by a request, as any NATS client may.
func request(t *testing.T, s *cmdtest.Secured) {
	t.Helper()
	l := connectAs(t, s, grants.Client)
	m, err := l.NC.RequestWithContext(t.Context(), l.Names.Ask(), []byte(`{"id":"requested","question":"Where was Marie Curie born?"}`))
	if err != nil || !strings.Contains(string(m.Data), "Warsaw") {
		t.Errorf("the request is answered by %v, %v", m, err)
	}
}

// connectAs returns a connection of a user, which ends with the test.
func connectAs(t *testing.T, s *cmdtest.Secured, user string) *broker.Conn {
	t.Helper()
	c := config.Default()
	c.NATS.URL, c.NATS.NKey = s.URL, s.Seed(user)
	l, err := broker.Connect(t.Context(), c, "", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

func startStage(t *testing.T, s *cmdtest.Secured, stage, settings string) *cmdtest.Worker {
	t.Helper()
	return up(t, t.TempDir(), append([]string{"--stages", stage}, s.As(stage, settings)...)...)
}

// startStages starts every stage but one, each as its own user.
func startStages(t *testing.T, s *cmdtest.Secured, settings, but string) (all []*cmdtest.Worker) {
	t.Helper()
	for _, row := range stages.Pipeline() {
		if row.Name != but {
			all = append(all, startStage(t, s, row.Name, settings))
		}
	}
	return all
}

// gap has the document stream end with a document that is there no longer.
func gap(t *testing.T, l *broker.Conn) {
	t.Helper()
	stream, err := l.JS.Stream(t.Context(), l.Names.Stream(messages.KindDocument))
	if err == nil {
		err = stream.DeleteMsg(t.Context(), stream.CachedInfo().State.LastSeq)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// ended waits until a question has its answer.
func ended(t *testing.T, j *log.Log, id string) {
	t.Helper()
	cmdtest.Eventually(t, "the end of "+id, func() bool {
		_, err := j.Answer(t.Context(), id)
		return err == nil
	})
}

// spoil stores, for each stage, messages that cannot be read, that come too late, and
// that were delivered before; and a question that only the sentinel ends, whose ID it
// returns.
func spoil(t *testing.T, l *broker.Conn, j *log.Log) (held string) {
	t.Helper()
	waits := map[messages.Kind]int{} // how many messages of each kind
	put := func(m messages.Message) {
		t.Helper()
		waits[m.Kind()]++
		if err := j.Put(t.Context(), m); err != nil {
			t.Fatalf("%s: %v", m.Kind(), err)
		}
	}
	held = "held"
	put(&messages.Question{ID: held, Question: "Who comes too late?", Deadline: messages.Deadline{After: time.Second}})
	handBack(t, l, stages.Pipeline()[0], 1, time.Hour)
	waits[messages.KindQuestion] = 0
	put(&messages.Retrieve{Head: spoilt(held, messages.Single, time.Hour), Query: "Who comes too late?"})
	for _, row := range stages.Pipeline() {
		for _, class := range []messages.Class{messages.Straightforward, messages.Single, messages.Compound} {
			for _, left := range []time.Duration{-time.Minute, 2 * time.Minute} {
				id := fmt.Sprintf("%s-%s-%d", row.Name, class, left)
				if m := input(row.Input, spoilt(id, class, left)); m != nil {
					put(m)
				}
			}
		}
		handBack(t, l, row, waits[row.Input], 0)
		for _, planned := range []bool{false, true} {
			id := fmt.Sprintf("garbage-%s-%v", row.Name, planned)
			if planned {
				put(&messages.Plan{Head: wholeRound(spoilt(id, messages.Compound, time.Minute)), Queries: []string{"One?", "Two?"}})
			}
			put(&messages.Question{ID: id, Question: "What is garbage?", Deadline: messages.Deadline{After: 20 * time.Second}})
			if row.Input == messages.KindQuestion {
				continue
			}
			key := messages.Key{ID: id, Round: 1, Branch: 1}
			if m := input(row.Input, spoilt(id, messages.Compound, time.Minute)); m != nil {
				key = m.Key()
			}
			if _, err := l.NC.Request(l.Names.Subject(row.Input, key), []byte("garbage"), 10*time.Second); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := l.NC.Request(l.Names.Subject(messages.KindQuestion, messages.Key{ID: "unreadable"}), []byte("garbage"), 10*time.Second); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"moved", "there"} { // one question by a client that knows no lanes, one by two
		q := &messages.Question{ID: id, Question: "Which lane?", Tenant: "acme", Deadline: messages.Deadline{After: 20 * time.Second}}
		data, err := json.Marshal(q)
		if err == nil && id == "there" {
			err = j.Put(t.Context(), q)
		}
		if err == nil {
			_, err = l.NC.Request(l.Names.Subject(messages.KindQuestion, messages.Key{ID: id}), data, 10*time.Second)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range []string{"unreadable", "gone"} {
		if _, err := l.NC.Request(l.Names.Subject(messages.KindDocument, messages.Key{ID: id}), []byte("garbage"), 10*time.Second); err != nil {
			t.Fatal(err)
		}
	}
	return held
}

// spoilt is the head of a message with so much time left.
func spoilt(id string, class messages.Class, left time.Duration) messages.Head {
	h := messages.Head{
		ID: id, Class: class, Question: "What is spoilt?", Asked: time.Now(), Deadline: time.Now().Add(left),
		Round: 1, Branch: 1, Branches: 2, Budget: messages.DefaultBudget(),
	}
	switch class {
	case messages.Single:
		h.Branches = 1
	case messages.Straightforward:
		h.Round, h.Branch, h.Branches = 0, 0, 0
	}
	return h
}

func wholeRound(h messages.Head) messages.Head {
	h.Branch, h.Branches = 0, 0
	return h
}

// input returns a stage's input with the given head; nil where the class has none.
func input(k messages.Kind, h messages.Head) messages.Message {
	const query = "Where was Marie Curie born?"
	passages := []messages.Passage{{ID: "curie", Title: "Marie Curie", Text: "Marie Curie was born in Warsaw.", Rank: 1}}
	if k == messages.KindGenerate {
		return &messages.Generate{Head: h, Query: query, Passages: passages}
	}
	if h.Class == messages.Straightforward {
		return nil
	}
	switch k {
	case messages.KindQuestion:
		return &messages.Question{ID: h.ID, Question: h.Question, Class: h.Class, Deadline: messages.Deadline{After: max(time.Millisecond, time.Until(h.Deadline))}}
	case messages.KindDecompose:
		return &messages.Decompose{Head: wholeRound(h)}
	case messages.KindRetrieve:
		return &messages.Retrieve{Head: h, Query: query}
	case messages.KindFilter:
		return &messages.Filter{Head: h, Query: query, Passages: passages}
	case messages.KindAlign:
		return &messages.Align{Head: h, Query: query, Passages: passages}
	case messages.KindSubanswer:
		return &messages.Subanswer{Head: h, Pair: messages.Pair{Round: 1, Branch: 1, Question: query, Answer: "Warsaw"}}
	case messages.KindJudge:
		return &messages.Judge{Head: wholeRound(h)}
	}
	return nil
}

// handBack takes the n messages that wait for a stage and hands them back: their next
// delivery is a repeated one.
func handBack(t *testing.T, l *broker.Conn, row stages.Stage, n int, after time.Duration) {
	t.Helper()
	c, err := l.JS.Consumer(t.Context(), l.Names.Stream(row.Input), row.Name)
	if err != nil {
		t.Fatal(err)
	}
	batch, err := c.Fetch(n, jetstream.FetchMaxWait(10*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	for m := range batch.Messages() {
		if err := m.NakWithDelay(after); err != nil {
			t.Fatal(err)
		}
	}
	if err := batch.Error(); err != nil {
		t.Fatal(err)
	}
}

// buckets uses those that a stage's worker uses when a model answers, or is away.
func buckets(t *testing.T, s *cmdtest.Secured, row *stages.Stage) {
	t.Helper()
	l := connectAs(t, s, row.Name)
	used := []string{l.Names.DeliveriesBucket()}
	if row.Name != "aggregator" {
		used = append(used, l.Names.RepliesBucket())
	}
	for _, name := range used {
		kv, err := l.JS.KeyValue(t.Context(), name)
		if err != nil {
			t.Fatalf("%s: bucket %s: %v", row.Name, name, err)
		}
		if _, err := kv.PutString(t.Context(), bucket.Key(row.Name), "1"); err != nil {
			t.Errorf("%s: bucket %s: %v", row.Name, name, err)
		}
		if e, err := kv.Get(t.Context(), bucket.Key(row.Name)); err != nil || string(e.Value()) != "1" {
			t.Errorf("%s: bucket %s holds %v, %v", row.Name, name, e, err)
		}
	}
	if err := l.NC.Publish(l.Names.KeepTrace("bad"), nil); err != nil {
		t.Error(err)
	}
	j := log.New(l.JS, l.Names)
	defer j.Close()
	if _, err := j.Trace(t.Context(), "asked"); err != nil {
		t.Errorf("%s: %v", row.Name, err)
	}
	if row.Input == messages.KindQuestion {
		trims(t, j)
	}
	if row.Searches {
		leases(t, s, row.Name)
		claims(t, l)
	}
}

// trims drops what is too old of every stream that has a bound, and looks how far
// answers are archived.
func trims(t *testing.T, j *log.Log) {
	t.Helper()
	for _, g := range (&storage.Bounds{}).Groups() {
		if g.Name == storage.Questions || g.Name == storage.Documents {
			continue
		}
		for _, k := range g.Kinds {
			_, err := j.FirstSince(t.Context(), k, time.Time{})
			if errors.Is(err, log.ErrNotFound) {
				err = nil
			}
			if err = errors.Join(err, j.DropBefore(t.Context(), k, 1)); err != nil {
				t.Errorf("%s: %v", k, err)
			}
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	reg := prometheus.NewRegistry()
	done := make(chan error, 1)
	go func() {
		done <- archive.NewSchedule(j, archive.ScheduleOptions{Dir: t.TempDir(), Every: time.Hour, Metrics: reg, Logger: slog.New(slog.DiscardHandler), Now: time.Now}).Run(ctx)
	}()
	far := archive.Archived(j, log.Config{}, nil)
	cmdtest.Eventually(t, "an archive", func() bool { last, err := far(t.Context()); return err == nil && last > 0 })
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// claims has two questions ask the same sub-query, of a round and as a whole.
func claims(t *testing.T, l *broker.Conn) {
	t.Helper()
	j := log.New(l.JS, l.Names)
	defer j.Close()
	c := work.New(j, log.Config{}, "a test", time.Now)
	for _, class := range []messages.Class{messages.Single, messages.Compound} {
		for _, id := range []string{"first", "second"} {
			in := &messages.Retrieve{Head: spoilt(id+string(class), class, time.Minute), Query: "Who shares " + string(class) + "?"}
			if _, _, err := c.Claim(t.Context(), in); err != nil {
				t.Error(err)
			}
		}
	}
}

// leases makes the bucket of leases, and holds one.
func leases(t *testing.T, s *cmdtest.Secured, user string) {
	t.Helper()
	l := connectAs(t, s, user)
	if err := docstream.EnsureLeases(t.Context(), l.JS, l.Names, docstream.LeaseOptions{}); err != nil {
		t.Fatalf("%s: %v", user, err)
	}
	if user == grants.Setup {
		return
	}
	other, free := connectAs(t, s, cmdtest.Admin), make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	held, done := make(chan struct{}), make(chan error, 1)
	go func() {
		done <- docstream.Lease(ctx, other.JS, other.Names, "one", docstream.LeaseOptions{}, func(context.Context) error {
			close(held)
			<-free
			return nil
		})
	}()
	<-held
	time.AfterFunc(300*time.Millisecond, func() { close(free) }) // while the user waits for it
	if err := docstream.Lease(ctx, l.JS, l.Names, "one", docstream.LeaseOptions{}, func(context.Context) error { return nil }); err != nil {
		t.Errorf("%s: %v", user, err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
