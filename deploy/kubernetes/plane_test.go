//go:build k8s

package kubernetes

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hopstream/deploy/kubernetes/controlplane"
)

// binaries returns the folder of the control plane's binaries: KUBERNETES_BIN, or
// .ci/bin/kubernetes, where they are built if they are not there.
func binaries(t *testing.T) string {
	t.Helper()
	if bin := os.Getenv("KUBERNETES_BIN"); bin != "" {
		return bin
	}
	bin, err := filepath.Abs("../../.ci/bin/kubernetes")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "controlplane/build.sh", bin).CombinedOutput(); err != nil {
		t.Fatalf("controlplane/build.sh: %v\n%s", err, out)
	}
	return bin
}

// TestBuild builds the control plane, for whoever has it built before the tests.
func TestBuild(t *testing.T) { binaries(t) }

// cluster is a plane on which hopstream's and NATS' images can run.
type cluster struct {
	*controlplane.Plane
	t       *testing.T
	program string
	secured string // folder of the authority and the users' seeds; empty: no password
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	program := program(t)
	return &cluster{t: t, program: program, Plane: controlplane.Start(t, binaries(t), map[string]string{
		"hopstream": program, "docker.io/library/nats": goBuild(t, "..", "nats-server", "github.com/nats-io/nats-server/v2"),
	})}
}

// eventually waits until done, and says how long it took. It shows the pods if it
// never is.
func (c *cluster) eventually(what string, limit time.Duration, done func() bool) time.Duration {
	c.t.Helper()
	start := time.Now()
	for tick := time.NewTicker(250 * time.Millisecond); !done(); <-tick.C {
		if time.Since(start) > limit {
			pods, _ := c.Try("-n", "hopstream", "get", "pods,scaledobjects,hpa", "-o", "wide")
			c.t.Fatalf("not within %v: %s\n%s\n%s", limit, what, pods, c.lags())
		}
	}
	return time.Since(start)
}

// workload is what the API server says of one.
type scale struct {
	Spec   struct{ Replicas int }
	Status struct{ ReadyReplicas int }
}

func (c *cluster) scale(kind, name string) (s scale) {
	c.t.Helper()
	if err := json.Unmarshal([]byte(c.Kubectl("-n", "hopstream", "get", kind, name, "-o", "json")), &s); err != nil {
		c.t.Fatal(err)
	}
	return s
}

// ready waits until as many pods of a workload are ready as are wanted, n at least.
func (c *cluster) ready(kind, name string, n int) time.Duration {
	c.t.Helper()
	return c.eventually(fmt.Sprintf("%s is ready", name), 3*time.Minute, func() bool {
		s := c.scale(kind, name)
		return s.Status.ReadyReplicas >= n && s.Status.ReadyReplicas == s.Spec.Replicas
	})
}

// nats returns an address of NATS that a process which is no pod can use.
func (c *cluster) nats() string {
	c.t.Helper()
	ip := strings.TrimSpace(c.Kubectl("-n", "hopstream", "get", "pod", "nats-0", "-o", "jsonpath={.status.podIP}"))
	if c.secured != "" { // the certificate is of names
		return "tls://localhost:" + forward(c.t, ip+":4222")
	}
	return "nats://" + ip + ":4222"
}

// user returns the settings of a user of the secured cluster.
func (c *cluster) user(name string) []string {
	if c.secured == "" {
		return nil
	}
	return []string{"HOPSTREAM_NATS__TLS__CA=" + filepath.Join(c.secured, "ca.crt"), "HOPSTREAM_NATS__NKEY=" + filepath.Join(c.secured, "keys", name+".nk")}
}

// hop runs a command of the program against the cluster's NATS.
func (c *cluster) hop(args ...string) string {
	c.t.Helper()
	cmd := exec.CommandContext(c.t.Context(), c.program, append(args, "--nats", c.nats(), "--data", c.t.TempDir())...)
	user := "client"
	if args[0] == "index" {
		user = "indexer"
	}
	cmd.Env = append(os.Environ(), c.user(user)...)
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		c.t.Fatalf("hopstream %s: %v\n%s%s", strings.Join(args, " "), err, out, &errs)
	}
	return string(out)
}

// The small overlay is accepted by a real API server, runs, and is scaled by a
// real KEDA on the streams' real lag: from no replica to those wanted within two
// polling intervals, and back to none.
func TestReplicasFollowTheLag(t *testing.T) {
	c := newCluster(t)
	c.StartKEDA()
	c.Kubectl("apply", "--server-side", "-k", "overlays/small")
	c.Kubectl("-n", "hopstream", "wait", "--for=condition=complete", "job/setup", "--timeout=3m")
	for _, d := range []string{"router", "reason", "read"} {
		c.ready("deployment", d, 1)
	}
	c.ready("statefulset", "retriever", 1)
	c.hop("index", "../../index/sample/corpus.jsonl")
	if out := c.hop("ask", "What is polonium named after?"); !strings.Contains(out, "Poland") {
		t.Errorf("asked, it said: %s", out)
	}

	c.Kubectl("apply", "--server-side", "-k", "scaling/lag")
	// Downwards the test does not wait for as long as an operator does.
	for _, group := range []string{"reason", "read"} {
		c.Kubectl("-n", "hopstream", "patch", "scaledobject", group, "--type=merge", "-p",
			`{"spec":{"cooldownPeriod":5,"advanced":{"horizontalPodAutoscalerConfig":{"behavior":{"scaleDown":{"stabilizationWindowSeconds":5,"policies":[{"type":"Percent","value":100,"periodSeconds":15}]}}}}}}`)
	}
	slept := c.eventually("reason and read have no replica", 3*time.Minute, func() bool {
		return c.scale("deployment", "read").Spec.Replicas == 0 && c.scale("deployment", "reason").Spec.Replicas == 0
	})
	t.Logf("%5.1f s from nothing to do to no replica", slept.Seconds())
	c.ready("deployment", "router", 2)
	c.ready("statefulset", "retriever", 2)

	// One question wakes what it needs.
	start := time.Now()
	c.hop("ask", "--timeout", "2m", "Where was Marie Curie born and when did she die?")
	t.Logf("%5.1f s for an answer from no replica; without scaling down it takes a fraction of a second", time.Since(start).Seconds())
	c.burst()
}

// burst asks more than a replica can hold while the stage's work is stopped, so
// that the lag stays, and waits for the replicas wanted.
func (c *cluster) burst() {
	c.t.Helper()
	const lag = 64 * 5 // five replicas' worth
	c.eventually("read has no replica", 3*time.Minute, func() bool { return c.scale("deployment", "read").Spec.Replicas == 0 })
	c.eventually("read has no pod that still works", time.Minute, func() bool { return c.pods("read") == 0 })
	// The stage's messages are there and stay: nobody takes them while its pods
	// cannot be scheduled.
	for _, node := range []string{"node-a", "node-b", "node-c"} {
		c.Kubectl("cordon", node)
	}
	var in strings.Builder
	for i := range lag {
		fmt.Fprintf(&in, "{\"id\":\"burst-%d\",\"deadline\":\"10m\",\"question\":\"What is %d times %d?\"}\n", i, i, i)
	}
	questions := filepath.Join(c.t.TempDir(), "questions.jsonl")
	if err := os.WriteFile(questions, []byte(in.String()), 0o600); err != nil {
		c.t.Fatal(err)
	}
	answers := filepath.Join(c.t.TempDir(), "answers.jsonl")
	stream := exec.CommandContext(c.t.Context(), c.program, "stream", "--nats", c.nats(), "--data", c.t.TempDir(), "--in", questions, "--out", answers)
	if err := stream.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.eventually("the burst waits", time.Minute, func() bool { return c.lag("hop-v1-generate", "generator") == lag })
	up := c.eventually("five replicas of read are wanted", 2*time.Minute, func() bool { return c.scale("deployment", "read").Spec.Replicas >= 5 })
	c.t.Logf("%5.1f s from %d waiting messages to five replicas wanted; polled every 20 s", up.Seconds(), lag)
	if up > 40*time.Second {
		c.t.Errorf("%v are more than two polling intervals", up)
	}
	if n := c.scale("deployment", "read").Spec.Replicas; n != 5 {
		c.t.Errorf("%d replicas for %d messages", n, lag)
	}
	for _, node := range []string{"node-a", "node-b", "node-c"} {
		c.Kubectl("uncordon", node)
	}
	woken := c.ready("deployment", "read", 5)
	c.t.Logf("%5.1f s more until they are ready", woken.Seconds())
	if err := stream.Wait(); err != nil {
		c.t.Errorf("stream: %v", err)
	}
	if data, err := os.ReadFile(answers); err != nil || strings.Count(string(data), "\n") != lag {
		c.t.Errorf("%d of %d answers: %v", strings.Count(string(data), "\n"), lag, err)
	}
	down := c.eventually("read has no replica again", 4*time.Minute, func() bool { return c.scale("deployment", "read").Spec.Replicas == 0 })
	c.t.Logf("%5.1f s from the last answer to no replica", down.Seconds())
}

// pods counts a group's pods, those that are ending included.
func (c *cluster) pods(group string) int {
	c.t.Helper()
	return strings.Count(c.Kubectl("-n", "hopstream", "get", "pods", "-o", "name"), "pod/"+group+"-")
}

// streamDetail is what NATS' monitoring says of a stream.
type streamDetail struct {
	Name   string `json:"name"`
	Config struct {
		Replicas int `json:"num_replicas"`
	} `json:"config"`
	Consumers []struct {
		Name    string `json:"name"`
		Pending int    `json:"num_pending"`
		Acks    int    `json:"num_ack_pending"`
	} `json:"consumer_detail"`
}

// streams returns what a server of NATS says of those that it keeps, with more of
// them by query; nothing if it says nothing.
func (c *cluster) streams(query string) (all []streamDetail) {
	c.t.Helper()
	r, err := c.Client().Get("http://nats-nodes.hopstream.svc:8222/jsz?streams=true&" + query)
	if err != nil {
		return nil
	}
	defer r.Body.Close()
	var jsz struct {
		Accounts []struct {
			Streams []streamDetail `json:"stream_detail"`
		} `json:"account_details"`
	}
	if r.StatusCode != http.StatusOK || json.NewDecoder(r.Body).Decode(&jsz) != nil {
		return nil
	}
	for _, a := range jsz.Accounts {
		all = append(all, a.Streams...)
	}
	return all
}

// lags says what every consumer has yet to finish, where that is something.
func (c *cluster) lags() string {
	var b strings.Builder
	for _, s := range c.streams("consumers=true") {
		for _, x := range s.Consumers {
			if x.Pending+x.Acks > 0 {
				fmt.Fprintf(&b, "%s %s: %d pending, %d in work\n", s.Name, x.Name, x.Pending, x.Acks)
			}
		}
	}
	return b.String()
}

// lag returns what a consumer has yet to finish, as KEDA reads it; -1 if there is none.
func (c *cluster) lag(stream, consumer string) int {
	c.t.Helper()
	for _, s := range c.streams("consumers=true") {
		for _, x := range s.Consumers {
			if s.Name == stream && x.Name == consumer {
				return x.Pending + x.Acks
			}
		}
	}
	return -1
}
