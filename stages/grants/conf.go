package grants

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// answerWithin is how long after a request its reply may be published: longer than
// any question takes, by the default retention.
const answerWithin = time.Hour

// Keyed is a user and the public nkeys that the server knows it by. It has two while
// one is replaced by the other.
type Keyed struct {
	User
	Keys []string
}

// WriteConf writes the users as a block of the server's configuration: of an account
// of that name with JetStream, or, where the name is empty, the users of a server
// without accounts. It returns w's errors.
func WriteConf(w io.Writer, account string, users []Keyed) error {
	b := &strings.Builder{}
	indent := ""
	if account == "" {
		b.WriteString("authorization {\n")
	} else {
		fmt.Fprintf(b, "accounts {\n  %s {\n    jetstream: enabled\n", quoted(account))
		indent = "  "
	}
	fmt.Fprintf(b, "%s  users = [\n", indent)
	for _, u := range users {
		fmt.Fprintf(b, "%s    # %s: %s\n", indent, u.Name, u.About)
		for _, key := range u.Keys {
			fmt.Fprintf(b, "%s    {\n%s      nkey: %s\n", indent, indent, key)
			u.permissions(b, indent+"      ")
			fmt.Fprintf(b, "%s    }\n", indent)
		}
	}
	fmt.Fprintf(b, "%s  ]\n", indent)
	if account != "" {
		b.WriteString("  }\n")
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// permissions writes what a user may do. What it is not granted, the server refuses.
func (u *User) permissions(b *strings.Builder, indent string) {
	fmt.Fprintf(b, "%spermissions: {\n", indent)
	for _, d := range []Direction{Publish, Subscribe} {
		if !slices.ContainsFunc(u.Grants, func(g Grant) bool { return g.Allow == d }) {
			fmt.Fprintf(b, "%s  %s: { deny: [ \">\" ] }\n", indent, d) // an empty list would allow everything
			continue
		}
		fmt.Fprintf(b, "%s  %s: { allow: [\n", indent, d)
		for _, g := range u.Grants {
			if g.Allow == d {
				fmt.Fprintf(b, "%s    %s # %s\n", indent, quoted(g.Subject), g.Why)
			}
		}
		fmt.Fprintf(b, "%s  ] }\n", indent)
	}
	if u.Answers {
		fmt.Fprintf(b, "%s  allow_responses: { max: 1, expires: %q }\n", indent, answerWithin)
	}
	fmt.Fprintf(b, "%s}\n", indent)
}

// quoted is a text as the server's configuration has it; $ stands for a variable
// outside quotes.
func quoted(s string) string { return `"` + s + `"` }
