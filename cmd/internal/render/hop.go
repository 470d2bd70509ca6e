package render

import (
	"fmt"
	"io"

	"github.com/nats-io/nats.go"

	"hopstream/cmd/internal/cli"
	"hopstream/messages"
)

// ShowHops prints a line for every message of the question as it passes, until
// it is stopped.
func ShowHops(nc *nats.Conn, names messages.Names, id string, out io.Writer) (stop func(), err error) {
	show := func(m *nats.Msg) {
		kind, key, err := names.Parse(m.Subject)
		if err != nil {
			return
		}
		msg, err := messages.Decode(kind, m.Data)
		if err != nil {
			return
		}
		if line := hopLine(kind, key, msg); line != "" {
			fmt.Fprintln(out, "  "+line)
		}
	}
	var subs []*nats.Subscription
	for _, suffix := range []string{id, id + ".>"} {
		sub, err := nc.Subscribe(names.Prefix()+".v1.*."+suffix, show)
		if err != nil {
			return nil, err
		}
		subs = append(subs, sub)
	}
	return func() {
		for _, sub := range subs {
			_ = sub.Unsubscribe()
		}
	}, nil
}

// hopLine describes a message in one line. It is empty for a message that tells
// a reader nothing new.
func hopLine(kind messages.Kind, key messages.Key, m messages.Message) string {
	switch m := m.(type) {
	case *messages.Decompose:
		return fmt.Sprintf("round %d: %s question", key.Round, m.Class)
	case *messages.Retrieve:
		return fmt.Sprintf("%d.%d ask     %s", key.Round, key.Branch, m.Query)
	case *messages.Filter:
		line := fmt.Sprintf("%d.%d found   %s", key.Round, key.Branch, cli.Plural(len(m.Passages), "passage"))
		for _, reason := range m.Degraded {
			line += "  ! " + reason
		}
		return line
	case *messages.Align:
		return fmt.Sprintf("%d.%d kept    %s", key.Round, key.Branch, cli.Plural(len(m.Passages), "passage"))
	case *messages.Generate:
		if len(m.Windows) == 0 || m.Windows[0].Scale > 0 {
			return "" // nothing was kept; or the stage that kept it printed a line before
		}
		return fmt.Sprintf("%d.%d kept    %s", key.Round, key.Branch, cli.Plural(len(m.Windows), "passage"))
	case *messages.Subanswer:
		return fmt.Sprintf("%d.%d answer  %s", key.Round, key.Branch, orNone(m.Pair.Answer))
	case *messages.Judge:
		return fmt.Sprintf("round %d joined", key.Round)
	}
	return ""
}

func orNone(s string) string {
	if s == "" {
		return "(none)"
	}
	return s
}
