package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/index"
	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/journal"
	"hopstream/stages/natstest"
)

// slow is a store that takes in half of what it is given, and the rest when it
// is let.
type slow struct {
	shelved
	half chan struct{} // closed when the first half is in
	let  chan struct{} // closed: everything
	once sync.Once
}

func newSlow() *slow { return &slow{half: make(chan struct{}), let: make(chan struct{})} }

func (s *slow) under(store shelved) shelved { s.shelved = store; return s }

func (s *slow) Apply(ctx context.Context, docs []messages.Document, p index.Position) error {
	select {
	case <-s.let:
	default:
		n := len(docs) / 2
		if err := s.shelved.Apply(ctx, docs[:n], index.Position{Stream: p.Stream, Sequence: p.Sequence - uint64(len(docs)-n)}); err != nil {
			return err
		}
		s.once.Do(func() { close(s.half) })
		select {
		case <-s.let:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return s.shelved.Apply(ctx, docs, p)
}

// slowUp is up with a store of its own making.
func slowUp(t *testing.T, url, list string, s *slow, change ...func(*Config)) *worker {
	t.Helper()
	w := &worker{t: t, data: t.TempDir(), url: url, done: make(chan int, 1)}
	a := &app{stdio: stdio{strings.NewReader(""), &buffer{}, &w.err}, cfg: defaultConfig()}
	a.cfg.NATS.URL, a.cfg.Data = url, w.data
	for _, c := range change {
		c(&a.cfg)
	}
	a.cfg.fillIn()
	table, err := a.cfg.table(list)
	if err != nil {
		t.Fatal(err)
	}
	if a.log, err = newLogger(&w.err, a.cfg.Log, true); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	w.stop = cancel
	go func() {
		code := 0
		if err := a.up(ctx, upOptions{table: nodeParts{table: table, reg: newRegistry(), serves: true, stores: s.under}, addr: "127.0.0.1:0"}); err != nil {
			fmt.Fprintln(&w.err, err)
			code = 1
		}
		w.done <- code
	}()
	t.Cleanup(func() { w.end() })
	eventually(t, "the workers to be up", func() bool { return saidUp.MatchString(w.err.String()) })
	w.http = saidHTTP.FindStringSubmatch(w.err.String())[1]
	return w
}

const withoutRetriever = "router,decomposer,filter,aligner,generator,aggregator,judge"

// asker is a client beside the program.
type asker struct {
	t  *testing.T
	js jetstream.JetStream
	j  *journal.Journal
}

func newAsker(t *testing.T, url string) *asker {
	t.Helper()
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	j := journal.New(js, messages.DefaultNames())
	t.Cleanup(j.Close)
	return &asker{t, js, j}
}

func (a *asker) ask(id, question string, deadline time.Duration) {
	a.t.Helper()
	if err := a.j.Put(a.t.Context(), &messages.Question{ID: id, Question: question, Deadline: messages.Deadline{After: deadline}}); err != nil {
		a.t.Fatal(err)
	}
}

func (a *asker) answered(id string) bool {
	_, err := a.j.Answer(a.t.Context(), id)
	return err == nil
}

func (a *asker) answer(id string) (got *messages.Answer) {
	a.t.Helper()
	eventually(a.t, "an answer to "+id, func() (ok bool) {
		var err error
		got, err = a.j.Answer(a.t.Context(), id)
		return err == nil
	})
	return got
}

// store publishes a document and returns its sequence.
func (a *asker) store(id, text string) uint64 {
	a.t.Helper()
	st, err := index.Publish(a.t.Context(), a.js, messages.DefaultNames(), func(yield func(messages.Document) bool) {
		yield(messages.Document{ID: id, Text: text})
	}, index.PublishOptions{})
	if err != nil {
		a.t.Fatal(err)
	}
	return st.LastSeq
}

func (a *asker) lag(stage string) journal.Lag {
	a.t.Helper()
	table, err := stages.Select(stage)
	if err != nil {
		a.t.Fatal(err)
	}
	lag, err := a.j.Lag(a.t.Context(), table[0])
	if err != nil {
		a.t.Fatal(err)
	}
	return lag
}

// TestNoAnswerFromHalfAnIndex: questions that were asked before there was an
// index wait until it is whole, and whoever looks is told why.
func TestNoAnswerFromHalfAnIndex(t *testing.T) {
	t.Parallel()
	url := natstest.Server(t).ClientURL()
	up(t, t.TempDir(), "--nats", url, "--stages", withoutRetriever)
	hopstream(t, "", "index", "--nats", url, corpus(t)).exits(0)
	client := newAsker(t, url)
	text, all := sampleLines(t)
	want := hopstream(t, text, "stream", "--docs", corpus(t)).exits(0).answers()
	waiting := 0
	for _, q := range all {
		client.ask(q.ID, q.Question, time.Minute)
		if q.Class != messages.Straightforward {
			waiting++
		}
	}
	cold := newSlow()
	w := slowUp(t, url, "retriever", cold)
	<-cold.half
	eventually(t, "the others to be routed", func() bool { return client.lag("retriever").Pending >= uint64(waiting) })
	if lag := client.lag("retriever"); lag.AckPending > 0 || lag.Redelivers > 0 {
		t.Errorf("a worker that is loading takes questions: %+v", lag)
	}
	for _, q := range all {
		if q.Class != messages.Straightforward && client.answered(q.ID) {
			t.Errorf("%s is answered from half of the documents", q.ID)
		}
	}
	const loading = "the index is loading: documents up to 0 of 64"
	if code, body := get(t, w.http+"/readyz"); code != http.StatusServiceUnavailable || !strings.Contains(body, loading) {
		t.Errorf("/readyz: %d %q", code, body)
	}
	if _, body := get(t, w.http+"/metrics"); !strings.Contains(body, "\nhopstream_index_ready 0\n") || !strings.Contains(body, "\nhopstream_index_lag 64\n") {
		t.Error("the figures do not tell of it")
	}
	hopstream(t, "", "status", "--nats", url, "--over", "10ms").exits(0).prints(": loading, ", "at 0, 64 behind")
	close(cold.let)
	for _, q := range all {
		a := client.answer(q.ID)
		seq := uint64(64)
		if q.Class == messages.Straightforward {
			seq = 0
		}
		if a.Status != want[q.ID].Status || a.Answer != want[q.ID].Answer || a.DocsSeq != seq {
			t.Errorf("%s: %s %q read up to %d, want %s %q up to %d", q.ID, a.Status, a.Answer, a.DocsSeq, want[q.ID].Status, want[q.ID].Answer, seq)
		}
	}
	if code, body := get(t, w.http+"/readyz"); code != http.StatusOK {
		t.Errorf("/readyz: %d %q", code, body)
	}
	if _, body := get(t, w.http+"/metrics"); !strings.Contains(body, "\nhopstream_index_ready 1\n") {
		t.Error("the figures do not tell that it is ready")
	}
	var r statusReport
	if err := json.Unmarshal([]byte(hopstream(t, "", "status", "--json", "--nats", url, "--over", "10ms").exits(0).out), &r); err != nil ||
		len(r.Indexes) != 1 || r.Indexes[0].State != stateReady || r.Indexes[0].Behind != 0 || r.Indexes[0].Sequence != 64 {
		t.Errorf("%v: %+v", err, r.Indexes)
	}
}

// TestNewReplicaAnswersNothing: a second worker, whose index is loading, leaves
// everything to the first.
func TestNewReplicaAnswersNothing(t *testing.T) {
	t.Parallel()
	url := natstest.Server(t).ClientURL()
	up(t, t.TempDir(), "--nats", url)
	hopstream(t, "", "index", "--nats", url, corpus(t)).exits(0)
	cold := newSlow()
	w := slowUp(t, url, "all", cold)
	<-cold.half
	text, all := sampleLines(t)
	want := hopstream(t, text, "stream", "--docs", corpus(t)).exits(0).answers()
	for id, a := range hopstream(t, text, "stream", "--nats", url).exits(0).answers() {
		if a.Answer != want[id].Answer {
			t.Errorf("%s: %q, want %q", id, a.Answer, want[id].Answer)
		}
	}
	_, body := get(t, w.http+"/metrics")
	if done := regexp.MustCompile(`hopstream_stage_messages_total\{outcome="\w+",stage="retriever"\} [^0]`).FindString(body); done != "" {
		t.Errorf("%d questions, and the new replica: %s", len(all), done)
	}
	close(cold.let)
	eventually(t, "the new replica to be ready", func() bool {
		code, _ := get(t, w.http+"/readyz")
		return code == http.StatusOK
	})
}

// TestReadYourDocuments: what is stored before a question is read for it, also
// by an index that is a document behind when it is asked.
func TestReadYourDocuments(t *testing.T) {
	t.Parallel()
	for maxBehind, waits := range map[uint64]bool{0: true, 1: false} {
		t.Run(fmt.Sprint(maxBehind), func(t *testing.T) {
			t.Parallel()
			url := natstest.Server(t).ClientURL()
			s := newSlow()
			w := slowUp(t, url, "all", s, func(c *Config) { c.Retriever.MaxBehind = maxBehind })
			client := newAsker(t, url)
			eventually(t, "an index without documents to be ready", func() bool {
				code, _ := get(t, w.http+"/readyz")
				return code == http.StatusOK
			})
			seq := client.store("quorl", "Quorl Vantree was born in Zemmbry.")
			<-s.half
			client.ask("q", "Where was Quorl Vantree born?", time.Minute)
			if waits {
				eventually(t, "it to be handed back", func() bool { return client.lag("retriever").Redelivers > 0 || client.lag("retriever").AckPending > 0 })
				code, body := get(t, w.http+"/readyz")
				if code != http.StatusServiceUnavailable || !strings.Contains(body, "the index holds documents up to 0 of 1") {
					t.Errorf("/readyz: %d %q", code, body)
				}
				if client.answered("q") {
					t.Error("it is answered without the document")
				}
				close(s.let)
				if a := client.answer("q"); a.Answer != "Zemmbry" || a.DocsSeq != seq {
					t.Errorf("%+v", a)
				}
				return
			}
			if a := client.answer("q"); a.Answer == "Zemmbry" || a.DocsSeq != 0 {
				t.Errorf("%+v", a)
			}
			if code, body := get(t, w.http+"/readyz"); code != http.StatusOK {
				t.Errorf("/readyz: %d %q", code, body)
			}
			close(s.let)
		})
	}
}

// TestStreamMadeAnew: an index of a document stream that is gone answers
// nothing, whatever its position was.
func TestStreamMadeAnew(t *testing.T) {
	t.Parallel()
	w := up(t, t.TempDir())
	hopstream(t, "", "index", "--nats", w.url, corpus(t)).exits(0)
	client := newAsker(t, w.url)
	if err := client.js.DeleteStream(t.Context(), client.j.Names().Stream(messages.KindDocument)); err != nil {
		t.Fatal(err)
	}
	docs := tempFile(t, "curie.txt", "Marie Curie was born in Zemmbry.")
	hopstream(t, "", "ask", "--nats", w.url, "--docs", docs, "Where was Marie Curie born?").exits(0).prints("Zemmbry")
	// A purge leaves the numbers, and no documents.
	s, err := client.js.Stream(t.Context(), client.j.Names().Stream(messages.KindDocument))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it to be noticed", func() bool {
		_, body := get(t, w.http+"/metrics")
		return strings.Contains(body, "\nhopstream_index_documents 0\n")
	})
	client.store("curie", "Marie Curie was born in Tarsk.")
	hopstream(t, "", "ask", "--nats", w.url, "Where was Marie Curie born?").exits(0).prints("Tarsk")
}

// TestDeletedBeforeItWasRead: a question needs a document that is gone.
func TestDeletedBeforeItWasRead(t *testing.T) {
	t.Parallel()
	url := natstest.Server(t).ClientURL()
	up(t, t.TempDir(), "--nats", url, "--stages", withoutRetriever)
	hopstream(t, "", "index", "--nats", url, corpus(t)).exits(0)
	client := newAsker(t, url)
	s, err := client.js.Stream(t.Context(), client.j.Names().Stream(messages.KindDocument))
	if err != nil {
		t.Fatal(err)
	}
	seq := client.store("gone", "Quorl Vantree was born in Zemmbry.")
	client.ask("q", "Where was Marie Curie born?", time.Minute)
	eventually(t, "it to be routed", func() bool {
		_, err := client.j.Get(t.Context(), messages.KindRetrieve, messages.Key{ID: "q", Round: 1, Branch: 1})
		return err == nil
	})
	if err := s.DeleteMsg(t.Context(), seq); err != nil {
		t.Fatal(err)
	}
	up(t, t.TempDir(), "--nats", url, "--stages", "retriever")
	if a := client.answer("q"); a.Answer != "Warsaw" || a.DocsSeq != seq {
		t.Errorf("%+v", a)
	}
}

// TestAnsweredBehindABadDocument: one that cannot be read is put aside, and
// keeps no question waiting.
func TestAnsweredBehindABadDocument(t *testing.T) {
	t.Parallel()
	w := up(t, t.TempDir())
	hopstream(t, "", "index", "--nats", w.url, corpus(t)).exits(0)
	client := newAsker(t, w.url)
	ack, err := client.js.Publish(t.Context(), "hop.v1.document.bad", []byte("garbage"))
	if err != nil {
		t.Fatal(err)
	}
	client.ask("q", "Where was Marie Curie born?", time.Minute)
	if a := client.answer("q"); a.Answer != "Warsaw" || a.DocsSeq != ack.Sequence {
		t.Errorf("%+v", a)
	}
	hopstream(t, "", "dead", "--nats", w.url, "ls").exits(0).prints("bad")
}

// TestExpiredSaysHowFarTheIndexIs: whatever keeps an index from getting there,
// the question ends, and says why.
func TestExpiredSaysHowFarTheIndexIs(t *testing.T) {
	t.Parallel()
	const question, soon = "Where was Marie Curie born?", 2 * time.Second
	start := func(t *testing.T) (*asker, string) {
		url := natstest.Server(t).ClientURL()
		up(t, t.TempDir(), "--nats", url, "--stages", withoutRetriever)
		hopstream(t, "", "index", "--nats", url, corpus(t)).exits(0)
		return newAsker(t, url), url
	}
	expired := func(t *testing.T, a *messages.Answer, words string) {
		t.Helper()
		if a.Status != messages.Expired || !strings.Contains(a.Error, words) {
			t.Errorf("%s: %q does not say %q", a.Status, a.Error, words)
		}
	}
	t.Run("no index", func(t *testing.T) {
		t.Parallel()
		client, _ := start(t)
		client.ask("q", question, soon)
		expired(t, client.answer("q"), "the deadline passed before an answer was found: no worker with an index answers: start one with `hopstream up`")
	})
	t.Run("loading", func(t *testing.T) {
		t.Parallel()
		client, url := start(t)
		s := newSlow()
		slowUp(t, url, "retriever", s)
		<-s.half
		client.ask("q", question, soon)
		expired(t, client.answer("q"), "the index that is furthest has read documents up to 0 of 64 and is loading")
	})
	t.Run("made anew with fewer", func(t *testing.T) {
		t.Parallel()
		client, url := start(t)
		up(t, t.TempDir(), "--nats", url, "--stages", "retriever")
		hopstream(t, "", "index", "--nats", url, corpus(t)).exits(0) // and it is taken in
		s := newSlow()
		slowUp(t, url, "retriever", s)
		<-s.half
		// The question's sub-query is put back, as one that was accepted when
		// there were more documents.
		now := time.Now()
		r := messages.FirstRetrieve(messages.Head{ID: "q", Question: question, Asked: now, Deadline: now.Add(soon), Budget: messages.DefaultBudget(), Docs: 1000})
		if err := client.j.Put(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		expired(t, client.answer("q"), "the deadline passed in stage retriever: the index holds documents up to 64 of 1,000")
	})
}
