package broker

import (
	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/telemetry"
	"hopstream/messages"
	"hopstream/stages/grants"
)

// Grants are what users of a NATS server may do where the pipeline is configured so.
// It fails as wrong use on a prefix that is none.
func Grants(c *config.Config) (grants.Options, error) {
	names, err := messages.NewNames(c.NATS.Prefix)
	if err != nil {
		return grants.Options{}, cli.Usage(err)
	}
	return grants.Options{
		Names: names, Replies: c.Pipeline.KeepReplies > 0, Shares: c.SharesWork(), Leases: c.Index.Store == config.StoreWeaviate,
		Fair: c.Admission.Fair, Traces: telemetry.Exports(&c.Tracing), Archives: c.Archive.Dir != "",
	}, nil
}
