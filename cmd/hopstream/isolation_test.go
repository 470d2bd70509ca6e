package main

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"hopstream/cmd/internal/broker"
	"hopstream/cmd/internal/cmdtest"
	"hopstream/cmd/internal/config"
	"hopstream/messages"
	"hopstream/stages"
	"hopstream/stages/grants"
)

// canaries is how many questions of each tenant are asked.
var canaries = flag.Int("canaries", 100, "questions of each tenant in TestTenantsApart (the long run: 5000)")

// TestTenantsApart has two tenants on one server, with a prefix and users each, ask for
// what only their own documents say. Nothing of one is in what the other may read:
// answers, traces, passages, metrics and logs; and the server refuses to either what
// is under the other's prefix.
func TestTenantsApart(t *testing.T) {
	if testing.Short() {
		t.Skip("asks questions of two tenants")
	}
	t.Parallel()
	names, users := []string{"acme", "rival"}, []grants.User(nil)
	for _, name := range names {
		users = append(users, usersOf(t, name)...)
	}
	s := cmdtest.NewSecured(t, "", users)
	seen := map[string]string{}
	for _, name := range names {
		seen[name] = asTenant(t, s, name)
	}
	for i, name := range names {
		other := names[1-i]
		if n := strings.Count(seen[name], canary(name)); n < *canaries {
			t.Errorf("%s sees its own canaries %d times, in %d answers", name, n, *canaries)
		}
		if at := strings.Index(seen[name], canary(other)); at >= 0 {
			t.Errorf("%s reads of %s: …%.200s…", name, other, seen[name][max(0, at-100):])
		}
		l := connectAs(t, s, name+"-client")
		for _, k := range messages.Kinds() {
			rival, err := messages.NewNames(other)
			if err != nil {
				t.Fatal(err)
			}
			for _, subject := range []string{rival.Subject(k, messages.Key{ID: "q"}), "$JS.API.STREAM.INFO." + rival.Stream(k), "$JS.API.DIRECT.GET." + rival.Stream(k)} {
				refused(t, s, l.NC, name+"-client", `Publish Violation - Subject "`+subject+`"`, func() error { return l.NC.Publish(subject, []byte("{}")) })
			}
		}
		for _, subject := range []string{other + ".>", other + ".text.*", "_INBOX." + other + "-client.>"} {
			refused(t, s, l.NC, name+"-client", `Subscription Violation - Subject "`+subject+`"`, func() error { _, err := l.NC.SubscribeSync(subject); return err })
		}
	}
}

// canary is what only the documents of a tenant say.
func canary(tenant string) string { return "Kanarie" + tenant }

// usersOf are the users of a tenant: those of its prefix, called after it.
func usersOf(t *testing.T, tenant string) (all []grants.User) {
	t.Helper()
	c := config.Default()
	c.NATS.Prefix = tenant
	o, err := broker.Grants(&c)
	if err != nil {
		t.Fatal(err)
	}
	all = append(all, o.Group(tenant+"-workers", stages.Pipeline()))
	for _, u := range o.Users() {
		for i, g := range u.Grants {
			if g.Subject == "_INBOX."+u.Name+".>" {
				u.Grants[i].Subject = "_INBOX." + tenant + "-" + u.Name + ".>"
			}
		}
		u.Name = tenant + "-" + u.Name
		all = append(all, u)
	}
	return all
}

// asTenant asks a tenant's questions, and returns all that it can read.
func asTenant(t *testing.T, s *cmdtest.Secured, tenant string) string {
	t.Helper()
	as := func(user string) []string {
		return s.As(tenant+"-"+user, "log: {level: debug}", "pipeline: {deadline: 50s}")
	}
	s.Extra = ", prefix: " + tenant
	var docs, questions strings.Builder
	for i := range *canaries {
		fmt.Fprintf(&docs, "{\"id\":\"p%d\",\"title\":\"Project %d\",\"text\":\"Project %d was founded by %s%d. It began long ago.\"}\n", i, i, i, canary(tenant), i)
		fmt.Fprintf(&questions, "{\"id\":\"q%d\",\"question\":\"Who founded Project %d?\"}\n", i, i)
	}
	var all strings.Builder
	run := func(user string, args ...string) {
		o := hopstream(t, "", append(args, as(user)...)...)
		all.WriteString(o.Out + o.Err)
	}
	run("setup", "setup")
	w := up(t, t.TempDir(), as("workers")...)
	run("indexer", "index", cmdtest.TempFile(t, "docs.jsonl", docs.String()))
	out := filepath.Join(t.TempDir(), "answers.jsonl")
	run("client", "stream", "--in", cmdtest.TempFile(t, "questions.jsonl", questions.String()), "--out", out)
	all.WriteString(cmdtest.Read(t, out))
	for i := range min(5, *canaries) {
		run("operator", "trace", fmt.Sprintf("q%d", i))
		run("client", "search", fmt.Sprintf("Project %d", i))
	}
	run("operator", "status")
	run("operator", "ls")
	run("operator", "dead", "ls")
	run("operator", "docs", "ls")
	all.WriteString(cmdtest.Metrics(t, w.HTTP))
	all.WriteString(w.Err.String())
	return all.String()
}
