package main

import (
	"github.com/spf13/cobra"

	"hopstream/cmd/internal/cli"
	"hopstream/cmd/internal/node"
	"hopstream/cmd/internal/serve"
	"hopstream/cmd/internal/telemetry"
	"hopstream/stages"
)

func newUp(a *cli.App) *cobra.Command {
	var list, addr, listen string
	var profile bool
	cmd := &cobra.Command{
		Use:   "up",
		Short: "Run workers until a signal",
		Long: `Run workers for all stages, or some, until a signal; then finish what is in
flight, or hand it back.

Without --nats this starts the embedded NATS server, which listens on
127.0.0.1:4222; other hopstream commands on the same data folder find it.
Scale out by starting more, on any machine, with --nats and --stages.

/readyz answers 200 when the workers take questions and their index holds every
document that is stored, and 503 with the reason until then.`,
		Example: `  hopstream up
  hopstream up --nats nats://10.0.0.5:4222 --stages retriever
  hopstream up --nats nats://10.0.0.5:4222 --stages generator,aligner --http 127.0.0.1:9465`,
		Args: cli.Exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			table, err := a.Config.Table(list)
			if err != nil {
				return cli.Usage(err)
			}
			return serve.Run(cmd.Context(), a, serve.Options{Node: node.Options{Table: table, Registry: telemetry.NewRegistry(), Serves: true}, HTTP: addr, Listen: listen, Pprof: profile})
		},
	}
	f := cmd.Flags()
	f.StringVar(&list, "stages", "all", "comma-separated stages to run")
	f.StringVar(&addr, "http", "127.0.0.1:9464", `address of /metrics, /healthz and /readyz; "" serves none`)
	f.StringVar(&listen, "listen", "127.0.0.1:4222", "address of the embedded NATS server (port 0: any free one)")
	f.BoolVar(&profile, "pprof", false, "serve /debug/pprof/ too")
	cli.ListValues(cmd, "stages", stages.Names()...)
	return cmd
}
