package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"hopstream/cmd/internal/cmdtest"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/inspect"
	"hopstream/cmd/internal/node"
	"hopstream/messages"
	"hopstream/stages/natstest"
)

// TestNoAnswerFromHalfAnIndex: questions that were asked before there was an
// index wait until it is whole, and whoever looks is told why.
func TestNoAnswerFromHalfAnIndex(t *testing.T) {
	t.Parallel()
	url := natstest.Server(t).ClientURL()
	up(t, t.TempDir(), "--nats", url, "--stages", withoutRetriever)
	hopstream(t, "", "index", "--nats", url, cmdtest.Corpus(t)).Exits(0)
	client := newAsker(t, url)
	text, all := cmdtest.SampleLines(t)
	want := hopstream(t, text, "stream", "--docs", cmdtest.Corpus(t)).Exits(0).Answers()
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
	cmdtest.Eventually(t, "the others to be routed", func() bool { return client.lag("retriever").Pending >= uint64(waiting) })
	if lag := client.lag("retriever"); lag.AckPending > 0 || lag.Redelivers > 0 {
		t.Errorf("a worker that is loading takes questions: %+v", lag)
	}
	for _, q := range all {
		if q.Class != messages.Straightforward && client.answered(q.ID) {
			t.Errorf("%s is answered from half of the documents", q.ID)
		}
	}
	const loading = "the index is loading: documents up to 0 of 64"
	if code, body := cmdtest.Get(t, w.HTTP+"/readyz"); code != http.StatusServiceUnavailable || !strings.Contains(body, loading) {
		t.Errorf("/readyz: %d %q", code, body)
	}
	if _, body := cmdtest.Get(t, w.HTTP+"/metrics"); !strings.Contains(body, "\nhopstream_index_ready 0\n") || !strings.Contains(body, "\nhopstream_index_lag 64\n") {
		t.Error("the figures do not tell of it")
	}
	hopstream(t, "", "status", "--nats", url, "--over", "10ms").Exits(0).Prints(": loading, ", "at 0, 64 behind")
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
	if code, body := cmdtest.Get(t, w.HTTP+"/readyz"); code != http.StatusOK {
		t.Errorf("/readyz: %d %q", code, body)
	}
	if _, body := cmdtest.Get(t, w.HTTP+"/metrics"); !strings.Contains(body, "\nhopstream_index_ready 1\n") {
		t.Error("the figures do not tell that it is ready")
	}
	var r inspect.Status
	if err := json.Unmarshal([]byte(hopstream(t, "", "status", "--json", "--nats", url, "--over", "10ms").Exits(0).Out), &r); err != nil ||
		len(r.Indexes) != 1 || r.Indexes[0].State != node.StateReady || r.Indexes[0].Behind != 0 || r.Indexes[0].Sequence != 64 {
		t.Errorf("%v: %+v", err, r.Indexes)
	}
}

// TestNewReplicaAnswersNothing: a second worker, whose index is loading, leaves
// everything to the first.
func TestNewReplicaAnswersNothing(t *testing.T) {
	t.Parallel()
	url := natstest.Server(t).ClientURL()
	up(t, t.TempDir(), "--nats", url)
	hopstream(t, "", "index", "--nats", url, cmdtest.Corpus(t)).Exits(0)
	cold := newSlow()
	w := slowUp(t, url, "all", cold)
	<-cold.half
	text, all := cmdtest.SampleLines(t)
	want := hopstream(t, text, "stream", "--docs", cmdtest.Corpus(t)).Exits(0).Answers()
	for id, a := range hopstream(t, text, "stream", "--nats", url).Exits(0).Answers() {
		if a.Answer != want[id].Answer {
			t.Errorf("%s: %q, want %q", id, a.Answer, want[id].Answer)
		}
	}
	_, body := cmdtest.Get(t, w.HTTP+"/metrics")
	if done := regexp.MustCompile(`hopstream_stage_messages_total\{outcome="\w+",stage="retriever"\} [^0]`).FindString(body); done != "" {
		t.Errorf("%d questions, and the new replica: %s", len(all), done)
	}
	close(cold.let)
	cmdtest.Eventually(t, "the new replica to be ready", func() bool {
		code, _ := cmdtest.Get(t, w.HTTP+"/readyz")
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
			w := slowUp(t, url, "all", s, func(c *config.Config) { c.Retriever.MaxBehind = maxBehind })
			client := newAsker(t, url)
			cmdtest.Eventually(t, "an index without documents to be ready", func() bool {
				code, _ := cmdtest.Get(t, w.HTTP+"/readyz")
				return code == http.StatusOK
			})
			seq := client.store("quorl", "Quorl Vantree was born in Zemmbry.")
			<-s.half
			client.ask("q", "Where was Quorl Vantree born?", time.Minute)
			if waits {
				cmdtest.Eventually(t, "it to be handed back", func() bool { return client.lag("retriever").Redelivers > 0 || client.lag("retriever").AckPending > 0 })
				code, body := cmdtest.Get(t, w.HTTP+"/readyz")
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
			if code, body := cmdtest.Get(t, w.HTTP+"/readyz"); code != http.StatusOK {
				t.Errorf("/readyz: %d %q", code, body)
			}
			close(s.let)
		})
	}
}
