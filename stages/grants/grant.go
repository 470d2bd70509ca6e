package grants

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"hopstream/messages"
	"hopstream/stages"
)

// Direction is what a grant is for.
type Direction string

// The directions.
const (
	Publish   Direction = "publish"
	Subscribe Direction = "subscribe"
)

// Grant is a subject, which may hold wildcards, that a user may publish or subscribe
// to.
type Grant struct {
	Allow   Direction
	Subject string
	Why     string // what needs it
}

// User is a user of the server with all that it may do.
type User struct {
	Name   string
	About  string
	Grants []Grant
	// Answers is set for who answers requests: it may publish one reply to where
	// each request says.
	Answers bool
}

// Options say what the pipeline is made of, as far as it matters here.
type Options struct {
	Names messages.Names
	// Replies, Shares and Leases say that models' replies are kept, that the work on
	// sub-queries is shared, and that one process at a time fills a shared index.
	Replies, Shares, Leases bool
	// Fair, Traces and Archives say that questions are admitted lane by lane, that
	// spans are exported, and that answers are archived before they are dropped.
	Fair, Traces, Archives bool
}

// The names of the users that are no stages.
const (
	Client   = "client"
	Indexer  = "indexer"
	Operator = "operator"
	Metrics  = "metrics"
	Setup    = "setup"
)

// Users returns a user for each stage, called like it, and one for each of the other
// roles.
func (o Options) Users() []User {
	var all []User
	for _, row := range stages.Pipeline() {
		all = append(all, o.Group(row.Name, []stages.Stage{row}))
	}
	return append(all, o.client(), o.indexer(), o.operator(), o.metrics(), o.setup())
}

// Group returns a user for a process that runs several stages.
func (o Options) Group(name string, rows []stages.Stage) User {
	u := User{Name: name, About: "runs " + strings.Join(stageNames(rows), ", ")}
	for i := range rows {
		u.Grants = append(u.Grants, o.stage(&rows[i])...)
		u.Answers = u.Answers || answers(&rows[i])
	}
	return u.complete()
}

// userName is what a user may be called: a part of a subject and of a file's name.
var userName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,62}$`)

// CheckName returns nil if a user can have the name, and otherwise what is wrong with
// it.
func CheckName(name string) error {
	if !userName.MatchString(name) {
		return fmt.Errorf("user %q: want small letters, digits, - and _, 63 at most", name)
	}
	return nil
}

// complete adds what every connection needs, and drops what stands twice.
func (u User) complete() User {
	u.Grants = append([]Grant{
		{Publish, "$JS.API.INFO", "whether the server has JetStream is asked when a connection is made"},
		{Subscribe, inbox(u.Name), "replies to its own requests, and to nobody else's"},
	}, u.Grants...)
	slices.SortStableFunc(u.Grants, func(a, b Grant) int {
		return cmp.Or(cmp.Compare(a.Allow, b.Allow), cmp.Compare(a.Subject, b.Subject))
	})
	u.Grants = slices.CompactFunc(u.Grants, func(a, b Grant) bool { return a.Allow == b.Allow && a.Subject == b.Subject })
	return u
}

// Covers reports whether the grant allows subject, which may itself hold wildcards,
// in the direction given.
func (g *Grant) Covers(to Direction, subject string) bool {
	if g.Allow != to {
		return false
	}
	have, want := strings.Split(g.Subject, "."), strings.Split(subject, ".")
	for i, token := range have {
		switch {
		case token == ">":
			return len(want) > i
		case i >= len(want), token != "*" && token != want[i], token == "*" && want[i] == ">":
			return false
		}
	}
	return len(have) == len(want)
}

func stageNames(rows []stages.Stage) []string {
	out := make([]string, len(rows))
	for i := range rows {
		out[i] = rows[i].Name
	}
	return out
}
