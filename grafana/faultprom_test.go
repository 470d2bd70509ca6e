//go:build faults

package grafana

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// How often the rules are looked at, and processes asked, over injected faults:
// in earnest half a minute and 24 seconds.
const (
	evaluateEvery = 500 * time.Millisecond
	scrapeEvery   = 400 * time.Millisecond
)

// watcher is a Prometheus server, the program itself, that runs hopstream's rules
// made quick over the processes it is given.
type watcher struct {
	url    string
	alerts map[string]quickAlert
	from   time.Time
}

// prometheusBinary finds the server. Whoever asks for these tests by their tag wants
// them run: without it they fail.
func prometheusBinary(t *testing.T) string {
	t.Helper()
	name := os.Getenv("PROMETHEUS_BINARY")
	if name == "" {
		name = "prometheus"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("no Prometheus server: install it (Debian: apt-get install prometheus; others: https://prometheus.io/download), or name its program in PROMETHEUS_BINARY: %v", err)
	}
	return path
}

// watch starts a Prometheus server over the instances until the test ends. It
// remembers nothing of what was before.
func watch(t *testing.T, binary string, instances []string) *watcher {
	t.Helper()
	dir := t.TempDir()
	file, alerts := hastened(t, evaluateEvery)
	conf := fmt.Sprintf(`global: {scrape_interval: %v, scrape_timeout: %v, evaluation_interval: %v}
rule_files: [%q]
scrape_configs:
  - job_name: hopstream
    static_configs: [{targets: [%s]}]
`, scrapeEvery, scrapeEvery, evaluateEvery, file, strings.Join(instances, ", "))
	config := filepath.Join(dir, "prometheus.yml")
	if err := os.WriteFile(config, []byte(conf), 0o644); err != nil {
		t.Fatal(err)
	}
	w := &watcher{alerts: alerts}
	addr := freeAddr(t)
	w.url = "http://" + addr
	launch(t, t, binary, "--config.file="+config, "--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+addr, "--log.level=warn")
	within(t, "Prometheus is ready", func() bool { return healthy(w.url + "/-/ready") })
	within(t, "every process is scraped", func() bool {
		return len(w.instant(t, "up")) == len(instances)
	})
	// It asks its first targets seconds after its start, and misses them until then.
	within(t, "no alert is active", func() bool { return len(w.instant(t, "ALERTS")) == 0 })
	w.from = time.Now().Add(step)
	return w
}

// series is what Prometheus answers of one: its labels, and values by time.
type series struct {
	Metric map[string]string
	Value  sample
	Values []sample
}

// sample is a time in seconds and a number in quotes.
type sample [2]any

func (s sample) time() float64 { at, _ := s[0].(float64); return at }

func (s sample) value() float64 {
	text, _ := s[1].(string)
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	return v
}

// ask asks Prometheus' API.
func (w *watcher) ask(t *testing.T, path string, args url.Values) []series {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, w.url+"/api/v1/"+path+"?"+args.Encode(), nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var reply struct {
		Status, Error string
		Data          struct{ Result []series }
	}
	if err := json.NewDecoder(resp.Body).Decode(&reply); err != nil || reply.Status != "success" {
		t.Fatalf("%s %v: %v %s", path, args, err, reply.Error)
	}
	return reply.Data.Result
}

func (w *watcher) instant(t *testing.T, expr string) []series {
	t.Helper()
	return w.ask(t, "query", url.Values{"query": {expr}})
}

// history returns the values of expr at its rules' times, from the first to now.
func (w *watcher) history(t *testing.T, expr string, from float64) []series {
	t.Helper()
	return w.ask(t, "query_range", url.Values{
		"query": {expr}, "step": {strconv.FormatFloat(evaluateEvery.Seconds(), 'f', -1, 64)},
		"start": {strconv.FormatFloat(from, 'f', 3, 64)},
		"end":   {strconv.FormatFloat(float64(time.Now().UnixMilli())/1000, 'f', 3, 64)},
	})
}

// raw returns the samples of the series of a selector since the watcher began, as
// they are stored: those of rules have the times of their evaluations.
func (w *watcher) raw(t *testing.T, selector string) []series {
	t.Helper()
	return w.instant(t, fmt.Sprintf("%s[%dms]", selector, time.Since(w.from).Milliseconds()))
}

const step = evaluateEvery / 5

// firing returns the names of the alerts that fire, sorted.
func (w *watcher) firing(t *testing.T) []string {
	t.Helper()
	return names(w.instant(t, `ALERTS{alertstate="firing"}`))
}

// fired returns the names of the alerts that ever fired, sorted.
func (w *watcher) fired(t *testing.T) []string {
	t.Helper()
	return names(w.raw(t, `ALERTS{alertstate="firing"}`))
}

// explain tells what every alert that is pending or fires, or has fired, sees.
func (w *watcher) explain(t *testing.T) string {
	t.Helper()
	var out strings.Builder
	for _, a := range w.instant(t, `ALERTS`) {
		fmt.Fprintln(&out, a.Metric)
	}
	for _, name := range w.fired(t) {
		fmt.Fprintln(&out, name, w.instant(t, w.alerts[name].expr))
	}
	fmt.Fprintln(&out, "the longest scrapes:", w.instant(t, `max_over_time(scrape_duration_seconds[1h])`))
	return out.String()
}

func names(all []series) []string {
	var out []string
	for _, s := range all {
		out = append(out, s.Metric["alertname"])
	}
	slices.Sort(out)
	return slices.Compact(out)
}
