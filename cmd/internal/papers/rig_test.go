package papers

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"hopstream/cmd/hoplab/sim"
	"hopstream/cmd/internal/broker"
	"hopstream/cmd/internal/config"
	"hopstream/cmd/internal/node"
	"hopstream/messages"
	"hopstream/stages/client"
)

// rig is a preset as a running pipeline, whose models and stores note what they are
// asked.
type rig struct {
	*calls
	node   *node.Node
	follow *client.Follower
}

// run starts a preset over which a user set what yaml says, further keys of the file.
func run(t *testing.T, preset, yaml string) *rig {
	t.Helper()
	c := &calls{asked: map[int]int{}}
	web := httptest.NewServer(c.listen(t, sim.New(sim.Options{Engine: script(c), Latency: sim.Latency{Mean: -1}, Parallel: 64})))
	t.Cleanup(web.Close)
	cfg := configured(t, preset, "engine: ollama\nmodels: {default: {name: model, url: \""+web.URL+"\"}, embedder: {name: vectors}}\n"+yaml)
	logger := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError}))
	conn, err := broker.Temporary(cfg, logger)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	table, err := cfg.Table("all")
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{calls: c}
	if r.node, err = node.Start(t.Context(), cfg, logger, conn, node.Options{Table: table, Stores: stores{c}}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.node.Close(); err != nil {
			t.Error(err)
		}
	})
	if r.follow, err = r.node.Client.Follow(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.follow.Close)
	r.take() // the models were looked for
	return r
}

// configured is a preset with a configuration file over it.
func configured(t *testing.T, preset, yaml string) config.Config {
	t.Helper()
	file := filepath.Join(t.TempDir(), "c.yaml")
	if err := os.WriteFile(file, []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	flags := pflag.NewFlagSet("test", pflag.ContinueOnError)
	config.AddFlags(flags)
	if err := flags.Set("config", file); err != nil {
		t.Fatal(err)
	}
	// What was asked before, for this question or another, is to be asked again.
	cfg, err := config.LoadWith(flags, preset, map[string]any{"pipeline.share_work": "off", "pipeline.keep_replies": 0})
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

// ask asks a question and returns its answer, with the calls that it took.
func (r *rig) ask(t *testing.T, q messages.Question) (*messages.Answer, []string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	a, err := r.follow.Ask(ctx, r.node.Client, &q)
	if err != nil {
		t.Fatal(err)
	}
	return a, r.take()
}
