// Package deploy holds no code but these tests of the deployment's files: the
// compose file is loaded by the library compose itself is made of, NATS runs
// with its configuration, and the services' command lines run as processes.
package deploy

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/compose-spec/compose-go/v2/dotenv"
	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	"go.yaml.in/yaml/v4"

	"hopstream/deploy/internal/pipeline"
)

// project loads compose.yaml as `docker compose` does: validated against the
// schema (an unknown key is an error) and checked for consistency, with every
// profile on and nothing set in the environment but what .env says.
func project(t *testing.T) *types.Project {
	t.Helper()
	env, err := dotenv.Read(".env")
	if err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	p, err := loader.LoadWithContext(t.Context(), types.ConfigDetails{
		WorkingDir:  here,
		ConfigFiles: []types.ConfigFile{{Filename: filepath.Join(here, "compose.yaml")}},
		Environment: types.Mapping(env),
	}, loader.WithProfiles([]string{"*"}), func(o *loader.Options) {
		o.ResolvePaths = true
		o.SetProjectName("hopstream", true)
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// workers returns the services that run `hopstream up`, by name.
func workers(p *types.Project) map[string]types.ServiceConfig {
	w := make(map[string]types.ServiceConfig)
	for name, s := range p.Services {
		if s.Image == "hopstream:local" && len(s.Command) > 0 && s.Command[0] == "up" {
			w[name] = s
		}
	}
	return w
}

func TestEveryStageRunsInExactlyOneService(t *testing.T) {
	in := make(map[string][]string)
	for name, s := range workers(project(t)) {
		stages := pipeline.Flag(s.Command, "--stages")
		if stages == "" {
			t.Errorf("%s names no stages", name)
		}
		for stage := range strings.SplitSeq(stages, ",") {
			in[stage] = append(in[stage], name)
		}
	}
	for _, stage := range pipeline.Stages(t, "../stages/pipeline.go") {
		if len(in[stage]) != 1 {
			t.Errorf("stage %s runs in %v; want exactly one service", stage, in[stage])
		}
		delete(in, stage)
	}
	if len(in) > 0 {
		t.Errorf("no such stages: %v", in)
	}
}

// The README's table of services says what compose.yaml does.
func TestREADMEListsTheServices(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range workers(project(t)) {
		stages := strings.ReplaceAll(pipeline.Flag(s.Command, "--stages"), ",", ", ")
		row := fmt.Sprintf("(?m)^\\| `%s` \\| %s\\b.* \\| %d \\|$", name, stages, *s.Deploy.Replicas)
		if !regexp.MustCompile(row).Match(readme) {
			t.Errorf("no row of README.md matches %s", row)
		}
	}
}

func TestReferencedFilesExist(t *testing.T) {
	seen := 0
	exists := func(service, path string) {
		seen++
		if _, err := os.Stat(path); err != nil {
			t.Errorf("%s: %v", service, err)
		}
	}
	for name, s := range project(t).Services {
		if s.Build != nil {
			exists(name, s.Build.Context)
			exists(name, filepath.Join(s.Build.Context, s.Build.Dockerfile))
		}
		for _, v := range s.Volumes {
			if v.Type == types.VolumeTypeBind {
				exists(name, v.Source)
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d references seen", seen)
	}
}

func TestNothingIsPublishedBeyondLoopback(t *testing.T) {
	published := 0
	for name, s := range project(t).Services {
		for _, port := range s.Ports {
			published++
			if ip := net.ParseIP(port.HostIP); ip == nil || !ip.IsLoopback() {
				t.Errorf("%s publishes %d on %q", name, port.Target, port.HostIP)
			}
		}
		if s.NetworkMode != "" || s.Privileged {
			t.Errorf("%s: network mode %q, privileged %v", name, s.NetworkMode, s.Privileged)
		}
	}
	if published == 0 {
		t.Error("no port is published at all")
	}
}

func TestServicesAreBoundedAndSupervised(t *testing.T) {
	p := project(t)
	for name, s := range p.Services {
		if s.Deploy == nil || s.Deploy.Resources.Limits == nil ||
			s.Deploy.Resources.Limits.MemoryBytes == 0 || s.Deploy.Resources.Limits.NanoCPUs == 0 {
			t.Errorf("%s has no limits on memory and CPU", name)
		} else if goMax, ok := s.Environment["GOMEMLIMIT"]; ok {
			var mib types.UnitBytes
			if err := mib.DecodeMapstructure(strings.TrimSuffix(*goMax, "iB")); err != nil || mib >= s.Deploy.Resources.Limits.MemoryBytes {
				t.Errorf("%s: GOMEMLIMIT %s within %d bytes: %v", name, *goMax, s.Deploy.Resources.Limits.MemoryBytes, err)
			}
		}
		if strings.HasSuffix(s.Image, ":latest") || !strings.Contains(s.Image, ":") {
			t.Errorf("%s: image %q is not pinned", name, s.Image)
		}
		if len(s.Profiles) > 0 {
			continue // runs once
		}
		if s.Restart != types.RestartPolicyUnlessStopped {
			t.Errorf("%s: restart %q", name, s.Restart)
		}
		if s.HealthCheck == nil || len(s.HealthCheck.Test) == 0 || s.HealthCheck.Disable {
			t.Errorf("%s has no health check", name)
		}
		if s.StopGracePeriod == nil || time.Duration(*s.StopGracePeriod) < 30*time.Second {
			t.Errorf("%s: stop_grace_period %v", name, s.StopGracePeriod)
		}
	}
	for name, s := range workers(p) {
		if s.User == "root" || !s.ReadOnly || !slices.Contains(s.CapDrop, "ALL") {
			t.Errorf("%s may do more than it needs", name)
		}
		if pipeline.Flag(s.HealthCheck.Test, "--nats") != pipeline.Flag(s.Command, "--nats") {
			t.Errorf("%s: the health check asks another NATS than the command", name)
		}
		if s.HealthCheck.Test[0] != "CMD" {
			t.Errorf("%s: a health check of form %s needs a shell; the image has none", name, s.HealthCheck.Test[0])
		}
	}
}

// Two processes must never open one data folder: a worker's volume has no
// name, so that every replica gets its own.
func TestReplicasShareNoDataFolder(t *testing.T) {
	for name, s := range workers(project(t)) {
		data := pipeline.Flag(s.Command, "--data")
		if !slices.ContainsFunc(s.Volumes, func(v types.ServiceVolumeConfig) bool { return v.Target == data }) {
			t.Errorf("%s: %s is no volume of its own", name, data)
		}
		for _, v := range s.Volumes {
			if v.Source != "" {
				t.Errorf("%s: all its replicas share %s", name, v.Source)
			}
		}
	}
}

func TestPrometheusFindsEveryWorker(t *testing.T) {
	data, err := os.ReadFile("prometheus.yml")
	if err != nil {
		t.Fatal(err)
	}
	var conf struct {
		ScrapeConfigs []struct {
			JobName string `yaml:"job_name"`
			DNS     []struct {
				Names []string
				Type  string
				Port  string
			} `yaml:"dns_sd_configs"`
		} `yaml:"scrape_configs"`
	}
	if err := yaml.Unmarshal(data, &conf); err != nil {
		t.Fatal(err)
	}
	if len(conf.ScrapeConfigs) != 1 || conf.ScrapeConfigs[0].JobName != "hopstream" || len(conf.ScrapeConfigs[0].DNS) != 1 {
		t.Fatalf("%+v", conf)
	}
	dns := conf.ScrapeConfigs[0].DNS[0]
	ws := workers(project(t))
	for name, s := range ws {
		if !slices.Contains(dns.Names, name) {
			t.Errorf("%s is not scraped", name)
		}
		if _, port, _ := net.SplitHostPort(pipeline.Flag(s.Command, "--http")); port != dns.Port {
			t.Errorf("%s serves metrics on port %s; scraped is %s", name, port, dns.Port)
		}
	}
	if len(dns.Names) != len(ws) || dns.Type != "A" {
		t.Errorf("scraped: %+v; services: %d", dns, len(ws))
	}
}

// The image is built with the Go the module asks for, from what it copies.
func TestContainerfileFitsTheModule(t *testing.T) {
	file, err := os.ReadFile("Containerfile")
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	want := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(mod)
	env, err := dotenv.Read(".env")
	if err != nil {
		t.Fatal(err)
	}
	got := regexp.MustCompile(`golang:(\d+\.\d+)`).FindSubmatch([]byte(env["GO_IMAGE"]))
	if want == nil || got == nil || string(want[1]) != string(got[1]) {
		t.Errorf("go.mod asks for %q, .env has it built with %q", want, got)
	}
	for _, must := range []string{"CGO_ENABLED=0", "./cmd/hopstream", "FROM ${GO_IMAGE}", "FROM ${RUNTIME_IMAGE}", `ENTRYPOINT ["/hopstream"]`, "tool cyclonedx-gomod", "/out/sbom.json /sbom.json"} {
		if !strings.Contains(string(file), must) {
			t.Errorf("Containerfile lacks %s", must)
		}
	}
	if !strings.HasSuffix(env["RUNTIME_IMAGE"], ":nonroot") && !strings.Contains(env["RUNTIME_IMAGE"], ":nonroot@") {
		t.Errorf("%s runs as root", env["RUNTIME_IMAGE"])
	}
	ignore, err := os.ReadFile("Containerfile.dockerignore")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"cmd", "stages", "messages", "index", "prompts", "deploy/sbom", "go.mod", "go.sum"} {
		if !slices.Contains(strings.Split(string(ignore), "\n"), "!"+dir) {
			t.Errorf("%s is kept from the builder", dir)
		}
	}
}
