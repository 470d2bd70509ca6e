package docstream

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/messages"
)

func publish(tb testing.TB, js jetstream.JetStream, docs ...messages.Document) PublishStats {
	tb.Helper()
	stats, err := Publish(within(tb), js, names, slices.Values(docs), PublishOptions{
		OnError: func(id string, err error) { tb.Errorf("publish %q: %v", id, err) },
	})
	if err != nil {
		tb.Fatal(err)
	}
	return stats
}

func numbered(n int, text string) []messages.Document {
	docs := make([]messages.Document, n)
	for i := range docs {
		docs[i] = doc(fmt.Sprintf("doc %d", i), fmt.Sprint("Title ", i), fmt.Sprintf("%s number%d", text, i))
	}
	return docs
}

func TestEnsureStream(t *testing.T) {
	t.Parallel()
	js := startNATS(t)
	ctx := within(t)
	ensure(t, js)
	cfg := Config(names)
	cfg.MaxBytes = 1 << 20
	s, err := Ensure(ctx, js, names, cfg, nil)
	if err != nil || s.CachedInfo().Config.MaxBytes != 1<<20 {
		t.Fatalf("change the limit: %v", err)
	}
	if got := ensure(t, js).CachedInfo().Config.MaxBytes; got != 1<<20 {
		t.Errorf("the operator's limit became %d", got)
	}
	other, err := messages.NewNames("other")
	if err != nil {
		t.Fatal(err)
	}
	cfg = Config(other)
	cfg.MaxMsgsPerSubject = 5
	if _, err := js.CreateStream(ctx, cfg); err != nil {
		t.Fatal(err)
	}
	if _, err := Ensure(ctx, js, other, Config(other), nil); !permanent(err) {
		t.Errorf("unfit stream: %v", err)
	}
}

func TestPublish(t *testing.T) {
	t.Parallel()
	js := startNATS(t)
	ensure(t, js)
	docs := numbered(500, "first")
	if got, want := publish(t, js, docs...), (PublishStats{Stored: 500, LastSeq: 500}); got != want {
		t.Errorf("first: %+v", got)
	}
	if got, want := publish(t, js, docs...), (PublishStats{Unchanged: 500, LastSeq: 500}); got != want {
		t.Errorf("again: %+v", got)
	}
	docs[7].Text = "changed"
	docs[8] = messages.Document{ID: docs[8].ID, Title: "ignored", Deleted: true}
	docs = append(docs, messages.Document{ID: "never there", Deleted: true})
	if got, want := publish(t, js, docs...), (PublishStats{Stored: 1, Deleted: 1, Unchanged: 499, LastSeq: 502}); got != want {
		t.Errorf("changes: %+v", got)
	}
	if got, want := publish(t, js, docs...), (PublishStats{Unchanged: 501, LastSeq: 502}); got != want {
		t.Errorf("changes again: %+v", got)
	}
}

// TestPublishOrder stores several versions of one document in one run: the
// last must win, although many documents are under way at once.
func TestPublishOrder(t *testing.T) {
	t.Parallel()
	js := startNATS(t)
	s := ensure(t, js)
	var docs []messages.Document
	for v := range 30 {
		for id := range 10 {
			docs = append(docs, doc(fmt.Sprint(id), "", fmt.Sprint("version ", v%3)))
		}
	}
	docs = append(docs, numbered(10, "x")...)
	publish(t, js, docs...)
	for id := range 10 {
		m, err := s.GetLastMsgForSubject(within(t), names.Of(&docs[id]))
		if err != nil || !strings.Contains(string(m.Data), "version 2") {
			t.Errorf("%d: %v %v", id, m, err)
		}
	}
}

func TestPublishOthersDocuments(t *testing.T) {
	t.Parallel()
	js := startNATS(t)
	ensure(t, js)
	d := doc("a", "T", "text")
	if _, err := js.Publish(within(t), names.Of(&d), []byte(`{"id":"a","title":"T","text":"text"}`)); err != nil {
		t.Fatal(err)
	}
	b := doc("b", "", "text")
	if _, err := js.Publish(within(t), names.Of(&b), []byte(`garbage`)); err != nil {
		t.Fatal(err)
	}
	if got, want := publish(t, js, d, b), (PublishStats{Stored: 1, Unchanged: 1, LastSeq: 3}); got != want {
		t.Errorf("%+v", got)
	}
}

func TestPublishRefusals(t *testing.T) {
	t.Parallel()
	js := startNATS(t, func(o *server.Options) { o.MaxPayload = 64 << 10 })
	if _, err := Publish(within(t), js, names, slices.Values(numbered(1, "x")), PublishOptions{}); !errors.Is(err, jetstream.ErrStreamNotFound) {
		t.Errorf("no stream: %v", err)
	}
	ensure(t, js)
	var refused []string
	stats, err := Publish(within(t), js, names, slices.Values([]messages.Document{
		doc("ok", "", "text"), doc("large", "", strings.Repeat("x", 70<<10)), doc("", "", "no ID"),
	}), PublishOptions{Pending: 1, OnError: func(id string, err error) { refused = append(refused, fmt.Sprint(id, ": ", err)) }})
	if err != nil || stats != (PublishStats{Stored: 1, Failed: 2, LastSeq: 1}) {
		t.Errorf("%+v %v", stats, err)
	}
	if len(refused) != 2 || !strings.Contains(refused[0], "max_payload") || !strings.Contains(refused[1], "ID is empty") {
		t.Errorf("%q", refused)
	}
}

func TestPublishFull(t *testing.T) {
	t.Parallel()
	js := startNATS(t)
	cfg := Config(names)
	cfg.MaxBytes = 20_000
	if _, err := Ensure(within(t), js, names, cfg, nil); err != nil {
		t.Fatal(err)
	}
	stats, err := Publish(within(t), js, names, slices.Values(numbered(1000, strings.Repeat("x", 200))), PublishOptions{})
	if !errors.Is(err, ErrFull) || stats.Stored == 0 || stats.Stored > 200 {
		t.Errorf("%+v %v", stats, err)
	}
}

func TestPublishCancelled(t *testing.T) {
	t.Parallel()
	js := startNATS(t)
	ensure(t, js)
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	_, err := Publish(ctx, js, names, func(yield func(messages.Document) bool) {
		for ; yield(doc(fmt.Sprint(n), "", "text")); n++ {
			if n == 100 {
				cancel()
			}
		}
	}, PublishOptions{})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("after %d: %v", n, err)
	}
}
