package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"hopstream/cmd/internal/cmdtest"
	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/grants"
)

// TestClientIsRefused holds what a client may not do: write what stages write, read
// another prefix or another's replies, remove or change anything. The server refuses
// each, and nothing changes.
func TestClientIsRefused(t *testing.T) {
	t.Parallel()
	o := securedGrants(t)
	users := append(o.Users(), o.Tenant("acme", "acme"))
	s := cmdtest.NewSecured(t, "", users)
	hopstream(t, "", append([]string{"setup"}, s.As(grants.Setup, securedSettings)...)...).Exits(0)
	names := messages.DefaultNames()
	publish := []string{
		names.Cancelled("q"), "other.v1.question.q", "other.ask", "_INBOX.operator.x.y", "$JS.ACK.hop-v1-question.router.1.1.1.1.1",
		names.Drain(), names.Bounds(), names.Routers(), names.Ended("q"), names.KeepTrace("q"),
		"$KV." + names.PauseBucket() + ".questions", "$KV." + names.TenantsBucket() + ".acme",
		names.Text("q"), names.Positions(), "$KV." + names.RepliesBucket() + ".x", "$SYS.REQ.SERVER.PING", "$JS.API.ACCOUNT.PURGE.x",
	}
	subscribe := []string{
		"_INBOX.>", "_INBOX.operator.>", "_INBOX.router.x", ">", "hop.>", "hop.v1.>", "other.>", names.Ask(), "hop.v1.answer.*", "$JS.EVENT.>", "$SYS.>", "$SRV.PING",
	}
	for _, k := range messages.Kinds() {
		stream := names.Stream(k)
		for _, verb := range []string{"CREATE", "UPDATE", "DELETE", "PURGE", "MSG.DELETE", "MSG.GET", "SNAPSHOT", "RESTORE"} {
			publish = append(publish, "$JS.API.STREAM."+verb+"."+stream)
		}
		for _, row := range stages.Pipeline() {
			publish = append(publish, "$JS.API.CONSUMER.DELETE."+stream+"."+row.Name, "$JS.API.CONSUMER.MSG.NEXT."+names.Stream(row.Input)+"."+row.Name)
		}
		if k != messages.KindQuestion {
			publish = append(publish, names.Subject(k, messages.Key{ID: "q", Round: 1, Branch: 1}))
		}
		if k != messages.KindQuestion && k != messages.KindAnswer {
			publish = append(publish, "$JS.API.DIRECT.GET."+stream, "$JS.API.CONSUMER.CREATE."+stream+".mine")
		}
	}
	for _, user := range []string{grants.Client, "acme"} {
		l := connectAs(t, s, user)
		for _, subject := range publish {
			refused(t, s, l.NC, user, `Publish Violation - Subject "`+subject+`"`, func() error { return l.NC.Publish(subject, []byte("{}")) })
		}
		for _, subject := range subscribe {
			refused(t, s, l.NC, user, `Subscription Violation - Subject "`+subject+`"`, func() error { _, err := l.NC.SubscribeSync(subject); return err })
		}
	}
	// A tenant's lane is its own.
	tenant := connectAs(t, s, "acme")
	for _, subject := range []string{"hop.v1.question.q", "hop.v1.question.rival.normal.q", "hop.v1.question.acme", "hop.ask", "hop.lane.rival.normal"} {
		refused(t, s, tenant.NC, "acme", `Publish Violation - Subject "`+subject+`"`, func() error { return tenant.NC.Publish(subject, []byte("{}")) })
	}
	before := len(s.Refused())
	if err := errors.Join(tenant.NC.Publish("hop.v1.question.acme.normal.q", []byte("{}")), tenant.NC.Flush()); err != nil {
		t.Error(err)
	}
	if now := s.Refused(); len(now) != before {
		t.Errorf("its own lane: %v", now[before:])
	}
	admin := connectAs(t, s, cmdtest.Admin)
	last := func(k messages.Kind) uint64 {
		stream, err := admin.JS.Stream(t.Context(), names.Stream(k))
		if err != nil {
			t.Fatal(err)
		}
		return stream.CachedInfo().State.LastSeq
	}
	// The tenant's own is stored behind the flush.
	cmdtest.Eventually(t, "the tenant's question is stored", func() bool { return last(messages.KindQuestion) > 0 })
	for _, k := range messages.Kinds() {
		want := uint64(0)
		if k == messages.KindQuestion {
			want = 1
		}
		if n := last(k); n != want {
			t.Errorf("the stream of %s has %d messages, want %d", k, n, want)
		}
	}
}

// refused checks that the server refuses what try does.
func refused(t *testing.T, s *cmdtest.Secured, nc *nats.Conn, user, what string, try func() error) {
	t.Helper()
	if err := errors.Join(try(), nc.Flush()); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(s.Refused(), func(line string) bool { return strings.HasPrefix(line, user+": "+what) }) {
		t.Errorf("%s is not refused: %s", user, what)
	}
}

// TestNoUser has connections come without a user, and as one that the server does not
// know: they are not let in, and told what to set. The seed is nowhere in it.
func TestNoUser(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewSecured(t, "", securedGrants(t).Users())
	hopstream(t, "", "status", "--nats", s.URL).Complains(1, "does not let this user in", "nats.nkey")
	stranger := cmdtest.NewSecured(t, "", nil).Seed(cmdtest.Admin)
	config := cmdtest.TempFile(t, "h.yaml", fmt.Sprintf("nats: {url: %q, nkey: %q}", s.URL, stranger))
	hopstream(t, "", "status", "--config", config).Complains(1, "does not let this user in")
	seed := strings.TrimSpace(cmdtest.Read(t, stranger))
	if o := hopstream(t, "", "config", "--config", config).Exits(0).Prints(stranger); strings.Contains(o.Out+o.Err, seed) {
		t.Error("the seed is printed")
	}
	config = cmdtest.TempFile(t, "h.yaml", fmt.Sprintf("nats: {url: %q, nkey: %q}", s.URL, cmdtest.TempFile(t, "x.nk", "SUhidden")))
	if o := hopstream(t, "", "status", "--config", config); strings.Contains(o.Err, "hidden") {
		t.Error("what stands in the seed's file is printed")
	} else {
		o.Complains(1, "holds no seed")
	}
}

// TestWorkerWithoutSetup has a worker that may make nothing come before setup, and
// with another configuration than setup had: it says which command to run.
func TestWorkerWithoutSetup(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewSecured(t, "", securedGrants(t).Users())
	up := func(settings string) cmdtest.Outcome {
		return hopstream(t, "", append([]string{"up", "--stages", "judge", "--http", ""}, s.As("judge", settings)...)...)
	}
	start := time.Now()
	up(securedSettings).Exits(1).Says("run `hopstream setup`", "STREAM.CREATE.hop-v1-question")
	hopstream(t, "", append([]string{"setup"}, s.As(grants.Setup, securedSettings)...)...).Exits(0)
	up("pipeline: {max_open: 7}").Exits(1).Says("run `hopstream setup`", "STREAM.UPDATE.hop-v1-question")
	if took := time.Since(start); took > 30*time.Second {
		t.Errorf("it takes %v to say so", took)
	}
	l := connectAs(t, s, cmdtest.Admin)
	stream, err := l.JS.Stream(t.Context(), l.Names.Stream(messages.KindQuestion))
	if err != nil || stream.CachedInfo().Config.MaxMsgs == 7 {
		t.Errorf("the stream was changed: %v", err)
	}
	if _, err := l.JS.Stream(t.Context(), "other"); !errors.Is(err, jetstream.ErrStreamNotFound) {
		t.Error(err)
	}
}
