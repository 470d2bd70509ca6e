package main

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"hopstream/cmd/internal/broker"
	"hopstream/cmd/internal/cmdtest"
	"hopstream/cmd/internal/config"
	"hopstream/stages/grants"
)

// securedSettings have the pipeline use what users need permissions for.
// Nobody receives the spans.
const securedSettings = "pipeline: {share_work: \"on\", deadline: 30s}\nlog: {level: info}\ntracing: {endpoint: \"http://127.0.0.1:9\"}"

// securedGrants are the permissions of users where the pipeline is configured so.
func securedGrants(t *testing.T) grants.Options {
	t.Helper()
	c := config.Default()
	c.Pipeline.ShareWork = "on"
	o, err := broker.Grants(&c)
	if err != nil {
		t.Fatal(err)
	}
	o.Leases, o.Traces, o.Archives = true, true, true
	return o
}

// TestGrants has the program work as every user, on a server that lets each do what
// it is granted. Nothing is refused; and each grant is needed: without it the server
// refuses something that was done.
func TestGrants(t *testing.T) {
	if testing.Short() {
		t.Skip("works as each of thirteen users")
	}
	t.Parallel()
	users := securedGrants(t).Users()
	s := cmdtest.NewSecured(t, "", users)
	everyUserWorks(t, s)
	for _, line := range s.Refused() {
		t.Errorf("refused: %s", line)
	}
	var lacking []grants.User
	var lost []loss
	for _, u := range users {
		did := s.Did(u.Name)
		for i, g := range u.Grants {
			without := grants.User{Name: fmt.Sprintf("%s-%d", u.Name, i), Grants: slices.Delete(slices.Clone(u.Grants), i, i+1)}
			subject := only(&without, &g, did[g.Allow])
			if subject == "" {
				t.Errorf("%s does not need to %s %s (%s)", u.Name, g.Allow, g.Subject, g.Why)
				continue
			}
			lacking, lost = append(lacking, without), append(lost, loss{without.Name, g, subject})
		}
	}
	s.Reload(append(users, lacking...))
	for _, l := range lost {
		l.isRefused(t, s)
	}
	t.Logf("%d grants of %d users, each removed", len(lost), len(users))
}

// only returns a subject of those that were used that g allows and the user does not
// have otherwise; "" if there is none.
func only(without *grants.User, g *grants.Grant, used []string) string {
	for _, subject := range used {
		if g.Covers(g.Allow, subject) && !slices.ContainsFunc(without.Grants, func(o grants.Grant) bool { return o.Covers(g.Allow, subject) }) {
			return subject
		}
	}
	return ""
}

// loss is what a user that lacks a grant cannot do any more.
type loss struct {
	user    string
	grant   grants.Grant
	subject string
}

// isRefused does it as that user, and has the server refuse it.
func (l *loss) isRefused(t *testing.T, s *cmdtest.Secured) {
	t.Helper()
	key, err := nats.NkeyOptionFromSeed(s.Seed(l.user))
	if err != nil {
		t.Fatal(err)
	}
	refused := make(chan error, 1)
	nc, err := nats.Connect(s.URL, key, nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { refused <- err }))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	if l.grant.Allow == grants.Publish {
		err = nc.Publish(l.subject, nil)
	} else {
		_, err = nc.SubscribeSync(l.subject)
	}
	if err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-refused:
		if !errors.Is(err, nats.ErrPermissionViolation) {
			t.Errorf("%s without %s: %v", l.user, l.grant.Subject, err)
		}
	case <-time.After(10 * time.Second):
		t.Errorf("%s may %s %s without %s (%s)", l.user, l.grant.Allow, l.subject, l.grant.Subject, l.grant.Why)
	}
}
