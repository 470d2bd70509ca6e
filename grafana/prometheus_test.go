package grafana

import (
	"net/url"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/model"
	"github.com/prometheus/common/promslog"
	"github.com/prometheus/prometheus/config"
	_ "github.com/prometheus/prometheus/discovery/dns" // prometheus.yml names it
	"github.com/prometheus/prometheus/discovery/targetgroup"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/scrape"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb"
)

// scrapeInterval is prometheus.yml's, made short.
const scrapeInterval = 200 * time.Millisecond

// deployed returns deploy/prometheus.yml, read by Prometheus' own reader.
func deployed(t *testing.T) *config.Config {
	t.Helper()
	conf, err := config.LoadFile("../deploy/prometheus.yml", false, promslog.NewNopLogger())
	if err != nil {
		t.Fatal(err)
	}
	return conf
}

func TestPrometheusReadsItsConfiguration(t *testing.T) {
	conf := deployed(t)
	if len(conf.ScrapeConfigs) != 1 || conf.ScrapeConfigs[0].JobName != "hopstream" || len(conf.RuleFiles) != 1 {
		t.Errorf("scrapes %d jobs, reads %v", len(conf.ScrapeConfigs), conf.RuleFiles)
	}
}

// scrapeInto starts Prometheus' scraper with the deployed configuration, except
// that it is quicker and that its one target is the metrics address given.
func scrapeInto(t *testing.T, db *tsdb.DB, metrics string) {
	t.Helper()
	conf := deployed(t)
	for _, sc := range conf.ScrapeConfigs {
		sc.ScrapeInterval = model.Duration(scrapeInterval)
		sc.ScrapeTimeout = model.Duration(scrapeInterval)
	}
	at, err := url.Parse(metrics)
	if err != nil {
		t.Fatal(err)
	}
	m, err := scrape.NewManager(&scrape.Options{DiscoveryReloadOnStartup: true}, promslog.NewNopLogger(), nil, nil, db, prometheus.NewRegistry())
	if err != nil {
		t.Fatal(err)
	}
	if err := m.ApplyConfig(conf); err != nil {
		t.Fatal(err)
	}
	targets := make(chan map[string][]*targetgroup.Group, 1)
	targets <- map[string][]*targetgroup.Group{"hopstream": {{
		Source:  "test",
		Targets: []model.LabelSet{{model.AddressLabel: model.LabelValue(at.Host), "__meta_dns_name": "all"}},
	}}}
	done := make(chan error, 1)
	go func() { done <- m.Run(targets) }()
	t.Cleanup(func() {
		m.Stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func openDB(t *testing.T) *tsdb.DB {
	t.Helper()
	db, err := tsdb.Open(t.TempDir(), promslog.NewNopLogger(), nil, tsdb.DefaultOptions(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func engine(t *testing.T) *promql.Engine {
	t.Helper()
	e := promql.NewEngine(promql.EngineOpts{
		MaxSamples: 10_000_000, Timeout: time.Minute, Parser: promqlParser(),
		EnableAtModifier: true, EnableNegativeOffset: true,
	})
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// query returns the value of expr at a time; a warning is an error too.
func query(t *testing.T, e *promql.Engine, store storage.Queryable, expr string, at time.Time) parser.Value {
	t.Helper()
	q, err := e.NewInstantQuery(t.Context(), store, nil, expr, at)
	if err != nil {
		t.Fatalf("%s: %v", expr, err)
	}
	defer q.Close()
	r := q.Exec(t.Context())
	if r.Err != nil {
		t.Fatalf("%s: %v", expr, r.Err)
	}
	if len(r.Warnings) > 0 {
		t.Errorf("%s: %v", expr, r.Warnings.AsErrors())
	}
	// The query's memory goes back to a pool: keep a copy.
	if v, ok := r.Value.(promql.Vector); ok {
		return append(promql.Vector(nil), v...)
	}
	return r.Value
}
