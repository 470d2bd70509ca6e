package render

import (
	"fmt"

	"github.com/nats-io/nats.go"

	"hopstream/cmd/internal/cli"
	"hopstream/messages"
)

// ShowHops shows a line for every message of the question as it passes, until
// it is stopped.
func ShowHops(nc *nats.Conn, names messages.Names, id string, out *Live) (stop func(), err error) {
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
			out.Line("  " + line)
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
		line := fmt.Sprintf("%d.%d found   %s", key.Round, key.Branch, cli.Plural(len(m.Passages), "passage")+forQueries(m))
		for _, reason := range m.Degraded {
			line += "  ! " + reason
		}
		return line
	case *messages.Align:
		return fmt.Sprintf("%d.%d kept    %s", key.Round, key.Branch, cli.Plural(len(m.Passages), "passage"))
	case *messages.Generate:
		return generateLine(key, m)
	case *messages.Subanswer:
		return fmt.Sprintf("%d.%d answer  %s", key.Round, key.Branch, orNone(m.Pair.Answer))
	case *messages.Judge:
		return fmt.Sprintf("round %d joined", key.Round)
	}
	return ""
}

// generateLine describes what a sub-query is answered from, unless a stage
// printed it before: the aligner's spans, or passages whole.
func generateLine(key messages.Key, m *messages.Generate) string {
	passages := len(m.Passages)
	if passages == 0 && len(m.Windows) > 0 && m.Windows[0].Scale == 0 {
		passages = len(m.Windows)
	}
	switch {
	case m.Answered != nil:
		return fmt.Sprintf("%d.%d found by %s", key.Round, key.Branch, m.Answered.Shared)
	case len(m.Spans) > 0:
		return fmt.Sprintf("%d.%d aligned %s", key.Round, key.Branch, cli.Plural(len(m.Spans), "span"))
	case passages > 0:
		return fmt.Sprintf("%d.%d kept    %s", key.Round, key.Branch, cli.Plural(passages, "passage"))
	}
	return ""
}

// forQueries says by how many queries a sub-query was searched for, if not by
// itself.
func forQueries(m *messages.Filter) string {
	switch len(m.Queries) {
	case 0:
		return ""
	case 1:
		return " by 1 query"
	}
	return fmt.Sprintf(" by %d queries", len(m.Queries))
}

func orNone(s string) string {
	if s == "" {
		return "(none)"
	}
	return s
}
