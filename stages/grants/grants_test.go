package grants_test

import (
	"slices"
	"strings"
	"testing"

	"hopstream/messages"
	"hopstream/stages/grants"
)

func users() map[string]grants.User {
	all := map[string]grants.User{}
	for _, u := range (grants.Options{Names: messages.DefaultNames(), Replies: true, Shares: true, Leases: true, Fair: true, Traces: true, Archives: true}).Users() {
		all[u.Name] = u
	}
	return all
}

// TestMakers holds who may make what: streams none but setup, and consumers of
// lanes none but the router, which makes no other consumer of a stage.
func TestMakers(t *testing.T) {
	t.Parallel()
	names := messages.DefaultNames()
	lane := "$JS.API.CONSUMER.CREATE.hop-v1-question.router-acme-bulk.hop.v1.question.acme.bulk.*"
	for name, u := range users() {
		may := func(subject string) bool {
			return slices.ContainsFunc(u.Grants, func(g grants.Grant) bool { return g.Covers(grants.Publish, subject) })
		}
		if may(lane) != (name == "router") {
			t.Errorf("%s may make a lane's consumer: %v", name, may(lane))
		}
		if name == grants.Setup {
			continue
		}
		for _, k := range messages.Kinds() {
			stream := names.Stream(k)
			for _, verb := range []string{"CREATE", "UPDATE", "DELETE"} {
				if may("$JS.API.STREAM." + verb + "." + stream) {
					t.Errorf("%s may %s stream %s", name, verb, stream)
				}
			}
			for _, subject := range []string{names.Filter(k), names.Prefix() + ".v1." + string(k) + ".acme.bulk.*"} {
				if k != messages.KindQuestion && k != messages.KindDocument && may("$JS.API.CONSUMER.CREATE."+stream+".mine."+subject) {
					t.Errorf("%s may read all of %s with a consumer", name, stream)
				}
			}
			purges := k.Inner() || k == messages.KindAnswer || k == messages.KindDead
			if may("$JS.API.STREAM.PURGE."+stream) != (name == "router" && purges) {
				t.Errorf("%s may purge %s: %v", name, stream, !(name == "router" && purges))
			}
		}
	}
}

// TestOptional holds that what is not configured is not granted.
func TestOptional(t *testing.T) {
	t.Parallel()
	for _, u := range (grants.Options{Names: messages.DefaultNames()}).Users() {
		for _, g := range u.Grants {
			for _, word := range []string{"keeptrace", "-v1-archive", "-v1-work", "-v1-replies", "-v1-leases", "hop.routers", "hop.ended"} {
				if strings.Contains(g.Subject, word) {
					t.Errorf("%s may %s %s", u.Name, g.Allow, g.Subject)
				}
			}
		}
	}
}
