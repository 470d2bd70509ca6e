package main

import (
	"strings"
	"testing"
	"time"

	"hopstream/cmd/internal/cmdtest"
	"hopstream/messages"
	"hopstream/stages/natstest"
)

// TestStreamMadeAnew: an index of a document stream that is gone answers
// nothing, whatever its position was.
func TestStreamMadeAnew(t *testing.T) {
	t.Parallel()
	w := up(t, t.TempDir())
	hopstream(t, "", "index", "--nats", w.URL, cmdtest.Corpus(t)).Exits(0)
	client := newAsker(t, w.URL)
	if err := client.js.DeleteStream(t.Context(), client.j.Names().Stream(messages.KindDocument)); err != nil {
		t.Fatal(err)
	}
	docs := cmdtest.TempFile(t, "curie.txt", "Marie Curie was born in Zemmbry.")
	hopstream(t, "", "ask", "--nats", w.URL, "--docs", docs, "Where was Marie Curie born?").Exits(0).Prints("Zemmbry")
	// A purge leaves the numbers, and no documents.
	s, err := client.js.Stream(t.Context(), client.j.Names().Stream(messages.KindDocument))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	cmdtest.Eventually(t, "it to be noticed", func() bool {
		_, body := cmdtest.Get(t, w.HTTP+"/metrics")
		return strings.Contains(body, "\nhopstream_index_documents 0\n")
	})
	client.store("curie", "Marie Curie was born in Tarsk.")
	hopstream(t, "", "ask", "--nats", w.URL, "Where was Marie Curie born?").Exits(0).Prints("Tarsk")
}

// TestDeletedBeforeItWasRead: a question needs a document that is gone.
func TestDeletedBeforeItWasRead(t *testing.T) {
	t.Parallel()
	url := natstest.Server(t).ClientURL()
	up(t, t.TempDir(), "--nats", url, "--stages", withoutRetriever)
	hopstream(t, "", "index", "--nats", url, cmdtest.Corpus(t)).Exits(0)
	client := newAsker(t, url)
	s, err := client.js.Stream(t.Context(), client.j.Names().Stream(messages.KindDocument))
	if err != nil {
		t.Fatal(err)
	}
	seq := client.store("gone", "Quorl Vantree was born in Zemmbry.")
	client.ask("q", "Where was Marie Curie born?", time.Minute)
	cmdtest.Eventually(t, "it to be routed", func() bool {
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
	hopstream(t, "", "index", "--nats", w.URL, cmdtest.Corpus(t)).Exits(0)
	client := newAsker(t, w.URL)
	ack, err := client.js.Publish(t.Context(), "hop.v1.document.bad", []byte("garbage"))
	if err != nil {
		t.Fatal(err)
	}
	client.ask("q", "Where was Marie Curie born?", time.Minute)
	if a := client.answer("q"); a.Answer != "Warsaw" || a.DocsSeq != ack.Sequence {
		t.Errorf("%+v", a)
	}
	hopstream(t, "", "dead", "--nats", w.URL, "ls").Exits(0).Prints("bad")
}

// TestExpiredSaysHowFarTheIndexIs: whatever keeps an index from getting there,
// the question ends, and says why.
func TestExpiredSaysHowFarTheIndexIs(t *testing.T) {
	t.Parallel()
	const question, soon = "Where was Marie Curie born?", 5 * time.Second
	start := func(t *testing.T) (*asker, string) {
		url := natstest.Server(t).ClientURL()
		up(t, t.TempDir(), "--nats", url, "--stages", withoutRetriever)
		hopstream(t, "", "index", "--nats", url, cmdtest.Corpus(t)).Exits(0)
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
		hopstream(t, "", "index", "--nats", url, cmdtest.Corpus(t)).Exits(0) // and it is taken in
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
